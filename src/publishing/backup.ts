import { Refusal } from '../platform/base/refusal.ts';
import { workerUrl } from '../platform/base/runtime.ts';
import type { Backup, BackupJob } from '../platform/store/backup.ts';

export type BackupReply = { readonly backup: Backup } | { readonly refusal: string };

/**
 * Makes one backup in a Worker of its own, while others use the data. If `signal` is aborted, the backup ends with a
 * refusal.
 */
export async function runBackup(job: BackupJob, signal?: AbortSignal): Promise<Backup> {
  const worker = new Worker(workerUrl('publishing/backup.worker'));
  const { promise, resolve, reject } = Promise.withResolvers<BackupReply>();
  const abandon = (): void => reject(Refusal.storage('Cannot end the backup: the server stops'));
  worker.onmessage = ({ data }: MessageEvent<BackupReply>) => resolve(data);
  worker.onerror = ({ message }) => reject(Refusal.storage(`Cannot back up: the Worker ended, ${message}`));
  signal?.addEventListener('abort', abandon, { once: true });
  worker.postMessage(job);
  try {
    const reply = await promise;
    if ('backup' in reply) return reply.backup;
    throw Refusal.storage(reply.refusal);
  } finally {
    signal?.removeEventListener('abort', abandon);
    worker.terminate();
  }
}
