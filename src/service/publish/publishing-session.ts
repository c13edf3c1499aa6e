import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type CompilePool, createCompilePool, type StartWorker } from '../../catalog/workers.ts';
import { removePushLeftovers } from '../../catalog/pushed.ts';
import { ebookDirectory } from '../../catalog/ebook-cache.ts';
import { skillArchiveDirectory } from '../../catalog/skill-archive.ts';
import { defaultLimits, type Limits } from '../../item/limit.ts';
import { Refusal } from '../../refusal.ts';
import { workerUrl } from '../../runtime.ts';
import { makeDataDirectory, unlessDiskFault } from '../../store/data-directory.ts';
import { lockDataDirectory, removeServerNotes } from '../../store/server-note.ts';
import { openStore, type Store } from '../../store/store.ts';
import { type CheckedFolder, checkContent, checkFolder } from './check.ts';
import type { ItemFolder } from '../../catalog/scan.ts';
import { createPublisher, type PublishingConfig, type PublishingOptions } from './publish.ts';

const startCompiler = (): Worker => new Worker(workerUrl('service/publish/compiler'));

/** Locks the data directory, and opens everything that turns content into a catalog. */
export async function openPublishingSession(
  config: PublishingConfig,
  options: PublishingOptions,
  start?: StartWorker,
) {
  const { data } = config;
  const lock = holdDataDirectory(data);
  try {
    // The store is opened first: if the database is not ours, neither is the directory, and nothing in it may be touched.
    const store = await openStore(data);
    // A server that was killed leaves its process id and unfinished artefacts. Version 0.2 had archives in "renamed".
    removeServerNotes(data);
    const unfinished = [data, ebookDirectory(data), skillArchiveDirectory(data)];
    for (const folder of [...unfinished.map((one) => join(one, 'artefacts', 'new')), join(data, 'renamed')])
      unlessDiskFault(data, () => rmSync(folder, { recursive: true, force: true }));
    await removePushLeftovers(data).catch(() => {});
    const pool = openPool(start);
    const publisher = createPublisher(config, options, store, pool);
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

export type PublishingSession = {
  readonly store: Store;
  readonly publisher: ReturnType<typeof createPublisher>;
  readonly close: () => Promise<void>;
};

/** Publishes content into a data directory that no server holds, by compiling what changed: `reindex` without a server. */
export async function publishOnce(config: PublishingConfig, options: PublishingOptions) {
  const session = await openPublishingSession(config, options);
  try {
    return await session.publisher.publish('command');
  } finally {
    await session.close();
  }
}

/** Names every problem of a content directory, and of the items pushed into `data`. All cores take part; nothing is kept. */
export async function check(content: string, limits: Limits = defaultLimits, data: string | null = null) {
  const pool = openPool();
  try {
    return await checkContent(content, data, limits, pool);
  } finally {
    pool.close();
  }
}

/** Names every problem of one item's folder, without a look at other items. */
export async function checkOne(item: ItemFolder, limits: Limits): Promise<CheckedFolder> {
  const pool = openPool();
  try {
    return await checkFolder(item, limits, pool);
  } finally {
    pool.close();
  }
}

/** Opens a pool with a compiler for each core. */
export const openPool = (start: StartWorker = startCompiler): CompilePool =>
  createCompilePool(start, availableParallelism());

/** Creates the data directory if it is missing, and locks it. */
function holdDataDirectory(data: string): ReturnType<typeof lockDataDirectory> {
  try {
    makeDataDirectory(data);
    return lockDataDirectory(data);
  } catch (error) {
    throw unusable(data, error);
  }
}

/** Makes a refusal of an error of the system or SQLite, such as a full disk; returns any other error unchanged. */
function unusable(data: string, error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error)) return error;
  return Refusal.storage(
    `Cannot use "${data}" as the data directory: ${error.message}; check its permissions and free space, or name another with --data`,
  );
}
