import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type CompilePool, createCompilePool, type StartCompiler } from '../../catalog/compile-pool.ts';
import type { Config } from '../../config.ts';
import type { Limits } from '../../item/limit.ts';
import type { Log } from '../../log.ts';
import { Refusal } from '../../refusal.ts';
import { makeDataDirectory } from '../../store/lock/data-directory.ts';
import { forgetServer, lockDataDirectory } from '../../store/lock/serve-lock.ts';
import { openStore } from '../../store/store.ts';
import { type CheckedEntry, checkContent } from './check.ts';
import type { Progress } from './compile-items.ts';
import type { Publication } from './publication.ts';
import { createPublisher } from './publish.ts';

export type PublishingConfig = Pick<Config, 'content' | 'data' | 'limits'>;

/** `grace` is how long an artefact outlives the last catalog that named it, in milliseconds. */
export type PublishingDependencies = {
  readonly log: Log;
  readonly now?: () => number;
  readonly onProgress?: Progress;
  readonly grace?: number;
  readonly startCompiler: StartCompiler;
};

/** What turns content into a catalog, with the data directory it works in locked. */
export async function openPublishingSession(
  { content, data, limits }: PublishingConfig,
  { log, now = Date.now, onProgress = () => {}, grace, startCompiler }: PublishingDependencies,
) {
  const lock = holdDataDirectory(data);
  try {
    // First: a database that is not ours says that the directory is not either, and nothing in it is touched.
    const store = await openStore(data);
    // What a server that was killed left: its process id, and what its compilers had half written.
    forgetServer(data);
    rmSync(join(data, 'artefacts', 'new'), { recursive: true, force: true });
    const pool = openPool(startCompiler);
    const publisher = createPublisher({
      content,
      dataDirectory: data,
      limits,
      pool,
      store,
      log,
      now,
      onProgress,
      grace,
    });
    return {
      store,
      publisher,
      async close(): Promise<void> {
        publisher.close();
        pool.close();
        await store.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw unusable(data, error);
  }
}

/** Opens a workshop for one publish. */
export async function publishAlone(
  config: PublishingConfig,
  surroundings: PublishingDependencies,
): Promise<readonly Publication[]> {
  const workshop = await openPublishingSession(config, surroundings);
  try {
    return await workshop.publisher.publish();
  } finally {
    await workshop.close();
  }
}

/** Judges a content directory without a data directory. */
export async function checkAlone(
  content: string,
  limits: Limits,
  startCompiler: StartCompiler,
): Promise<readonly CheckedEntry[]> {
  const pool = openPool(startCompiler);
  try {
    return await checkContent(content, limits, pool);
  } finally {
    pool.close();
  }
}

/** Compilers on every core. */
export function openPool(startCompiler: StartCompiler): CompilePool {
  return createCompilePool(startCompiler, availableParallelism());
}

/** Makes the data directory where there is none, and locks it. */
function holdDataDirectory(data: string): ReturnType<typeof lockDataDirectory> {
  try {
    makeDataDirectory(data);
    return lockDataDirectory(data);
  } catch (error) {
    throw unusable(data, error);
  }
}

/** What the system or SQLite refused, a full disk for one, in a sentence; anything else as it is. */
function unusable(data: string, error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error)) return error;
  return new Refusal(
    'storage-unavailable',
    `Cannot use "${data}" as the data directory: ${error.message}; check its permissions and free space, or name another with --data`,
  );
}
