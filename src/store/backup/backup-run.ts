import { Refusal } from '../../refusal.ts';
import { workerUrl } from '../../worker.ts';
import type { Backup, BackupJob } from './backup.ts';
import type { BackupReply } from './backup-worker.ts';

/** Makes one backup in a Worker of its own, while others read and write the database. `signal` abandons it. */
export async function runBackup(job: BackupJob, signal?: AbortSignal): Promise<Backup> {
  const worker = new Worker(workerUrl('store/backup/backup-worker'));
  const { promise, resolve, reject } = Promise.withResolvers<BackupReply>();
  const abandon = (): void => reject(unavailable('Cannot end the backup: the server stops'));
  worker.onmessage = ({ data }: MessageEvent<BackupReply>) => resolve(data);
  worker.onerror = ({ message }) => reject(unavailable(`Cannot back up: the Worker ended, ${message}`));
  signal?.addEventListener('abort', abandon, { once: true });
  worker.postMessage(job);
  try {
    const reply = await promise;
    if ('backup' in reply) return reply.backup;
    throw unavailable(reply.refusal);
  } finally {
    signal?.removeEventListener('abort', abandon);
    worker.terminate();
  }
}

function unavailable(sentence: string): Refusal {
  return new Refusal('storage-unavailable', sentence);
}
