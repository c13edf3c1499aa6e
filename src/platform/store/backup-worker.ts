/**
 * Makes one backup in a Worker: copying and verifying block a thread for seconds, and the thread that serves must stay free.
 */
import { messageOf, Refusal } from '../base/refusal.ts';
import { type BackupJob, type BackupReply, makeBackup } from './backup.ts';

declare const self: Worker;

self.onmessage = ({ data }: MessageEvent<BackupJob>) => self.postMessage(answer(data));

function answer(job: BackupJob): BackupReply {
  try {
    return { backup: makeBackup(job) };
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error.message };
    const reason = messageOf(error);
    return {
      refusal: `Cannot back up "${job.dataDirectory}": ${reason}; check its permissions and free space`,
    };
  }
}
