import { Refusal } from '../../refusal.ts';
import { readServerState } from '../../store/lock/server-note.ts';
import { type AnswerLogs, examineAnswers } from './answers.ts';
import { examineBackup } from './backup.ts';
import { examineClock } from './clock.ts';
import { examineServed } from './content.ts';
import { examineFileSystem } from './data-directory.ts';
import { examineWal } from './database.ts';
import { examineBackupDisk, examineContentDisk, examineFreeSpace } from './disk.ts';
import { type Diagnosis, examine } from './doctor.ts';
import { examineEncryption } from './encryption.ts';
import { examineProxy } from './proxy.ts';
import { type Result, warn } from './result.ts';
import { examineServedSales, type SaleLogs } from './sales.ts';
import { examineOpenFiles } from './server.ts';
import type { Subject } from './subject.ts';
import { examineUser } from './user.ts';

/** How long a check may take while readers wait, in milliseconds. */
const PATIENCE = 3000;

type Look = (subject: Subject, logs: AnswerLogs & SaleLogs) => Result | Promise<Result>;

/** The checks of a serving stall: none reads all of the content or the database, or asks a model. */
const CHECKS: Readonly<Record<string, Look>> = {
  encryption: examineEncryption,
  user: examineUser,
  proxy: examineProxy,
  'served items': examineServed,
  engine: examineAnswers,
  sales: examineServedSales,
  'data disk': examineFreeSpace,
  'content disk': examineContentDisk,
  'backup disk': examineBackupDisk,
  backup: examineBackup,
  clock: examineClock,
  'file system': examineFileSystem,
  'write-ahead log': examineWal,
  'open files': examineOpenFiles,
};

/** Looks at the health of the stall that this process serves. */
export function examineServing(
  config: Subject['config'],
  logs: AnswerLogs & SaleLogs,
  now: () => number,
): Promise<readonly Diagnosis[]> {
  const subject: Subject = {
    config,
    now,
    server: readServerState(config.data),
    entries: async () => {
      throw new Refusal('not-found', 'The content is not read while the stall serves');
    },
    database: async () => null,
  };
  return Promise.all(
    Object.entries(CHECKS).map(async ([check, look]) => ({
      check,
      ...(await Promise.race([examine(() => look(subject, logs)), tooLong()])),
    })),
  );
}

async function tooLong(): Promise<Result> {
  await Bun.sleep(PATIENCE);
  return warn(
    `No result after ${PATIENCE / 1000} s`,
    'Look whether the disk or the network behind it hangs, and run "bookstall doctor"',
  );
}
