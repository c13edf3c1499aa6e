/**
 * Makes one backup in a Worker: copying and verifying block a thread for seconds, and the thread that serves must stay free.
 */
import { messageOf, Refusal } from '../platform/base/refusal.ts';
import { type BackupJob, makeBackup } from '../platform/store/backup.ts';
import { fillBackupFolder } from './backup-folder.ts';
import type { BackupReply } from './backup.ts';
import { listLastGood } from './last-good.ts';

declare const self: Worker;

self.onmessage = async ({ data }: MessageEvent<BackupJob>) => self.postMessage(await answer(data));

async function answer(job: BackupJob): Promise<BackupReply> {
  try {
    const lastGood = await listLastGood(job.dataDirectory);
    const fill = fillBackupFolder(job.dataDirectory, lastGood);
    return { backup: makeBackup(job, fill) };
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error.message };
    const reason = messageOf(error);
    return {
      refusal: `Cannot back up "${job.dataDirectory}": ${reason}; check its permissions and free space`,
    };
  }
}
