import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type StartWorker } from '../platform/base/worker-queue.ts';
import { type CompilePool, createCompilePool } from './compile-pool.ts';
import { removePushLeftovers } from './pushed.ts';
import { packDirectory } from '../catalog/artefact.ts';
import { ebookDirectory } from '../reading/ebook/ebook-queue.ts';
import { skillArchiveDirectory } from '../catalog/skill-archive.ts';
import { defaultLimits, type Limits } from '../platform/base/item-limits.ts';
import { Refusal } from '../platform/base/refusal.ts';
import { workerUrl } from '../platform/base/runtime.ts';
import { makeDataDirectory, unlessDiskFault } from '../platform/store/data-directory.ts';
import { lockDataDirectory, removeServerNotes } from '../platform/store/server-note.ts';
import type { OpenStore } from '../platform/cli/admin-command.ts';
import type { Store } from './stall.ts';
import { openSecretBox, secretsKeyFile } from '../platform/store/secret-box.ts';
import { openSettings, type Settings } from '../platform/store/settings.ts';
import { type CheckedFolder, checkContent, checkFolder } from './check.ts';
import type { ItemFolder } from '../catalog/compile-job.ts';
import { createPublisher, type PublishingConfig, type PublishingOptions } from './publish.ts';

const startCompiler = (): Worker => new Worker(workerUrl('publishing/compiler.worker'));

export async function openPublishingSession(
  open: OpenStore<Store>,
  config: PublishingConfig,
  options: PublishingOptions,
  start?: StartWorker,
) {
  const { data } = config;
  const lock = holdDataDirectory(data);
  try {
    // The database is opened first: if it is not this program's, nothing in the directory may be touched.
    const store = await open(data);
    // A server that was killed leaves its process id and unfinished files. Version 0.2 kept archives in "renamed".
    removeServerNotes(data);
    const unfinished = [data, ebookDirectory(data), skillArchiveDirectory(data), packDirectory(data)];
    for (const folder of [...unfinished.map((one) => join(one, 'artefacts', 'new')), join(data, 'renamed')])
      unlessDiskFault(data, () => rmSync(folder, { recursive: true, force: true }));
    await removePushLeftovers(data).catch(() => {});
    const pool = openPool(start);
    const box = openSecretBox(secretsKeyFile(data, config.secretsKey ?? null));
    const settings = openSettings(store, box, options.now ?? Date.now);
    const publisher = createPublisher(config, options, { store, settings }, pool);
    return {
      store,
      settings,
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
  readonly settings: Settings;
  readonly publisher: ReturnType<typeof createPublisher>;
  readonly close: () => Promise<void>;
};

/** Publishes content while no server runs, as the command `reindex` does; compiles only what has changed. */
export async function publishOnce(
  open: OpenStore<Store>,
  config: PublishingConfig,
  options: PublishingOptions,
) {
  const session = await openPublishingSession(open, config, options);
  try {
    return await session.publisher.publish('command');
  } finally {
    await session.close();
  }
}

/** Lists every problem of a content directory, and of the items pushed into `data`, using all cores. Stores nothing. */
export async function check(content: string, limits: Limits = defaultLimits, data: string | null = null) {
  const pool = openPool();
  try {
    return await checkContent(content, data, limits, pool);
  } finally {
    pool.close();
  }
}

export async function checkOne(item: ItemFolder, limits: Limits): Promise<CheckedFolder> {
  const pool = openPool();
  try {
    return await checkFolder(item, limits, pool);
  } finally {
    pool.close();
  }
}

export const openPool = (start: StartWorker = startCompiler): CompilePool =>
  createCompilePool(start, availableParallelism());

function holdDataDirectory(data: string): ReturnType<typeof lockDataDirectory> {
  try {
    makeDataDirectory(data);
    return lockDataDirectory(data);
  } catch (error) {
    throw unusable(data, error);
  }
}

function unusable(data: string, error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error)) return error;
  return Refusal.storage(
    `Cannot use "${data}" as the data directory: ${error.message}; check its permissions and free space, or name another with --data`,
  );
}
