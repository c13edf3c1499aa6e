import { accessSync, constants, existsSync } from 'node:fs';
import { messageOf, Refusal } from '../../refusal.ts';
import { examineBackup } from './backup.ts';
import { examineClock } from './clock.ts';
import { examineContent, examineServed } from './content.ts';
import { examineDirectory, examineFiles, examineFileSystem } from './data-directory.ts';
import { examineIntegrity, examineReferences, examineSchema, examineWal } from './database.ts';
import { examineBackupDisk, examineContentDisk, examineDataDisk } from './disk.ts';
import { examineBaseUrl, examineProxy } from './proxy.ts';
import { fail, refused, type Result, skip } from './result.ts';
import { examineEngine } from './engine.ts';
import { examineSales } from './sales.ts';
import { examineOpenFiles, examinePort, examineRuntime, examineServer } from './server.ts';
import { databaseFile, type Subject } from './subject.ts';
import { examineKeptEditions } from './kept-editions.ts';
import { examineRepositories } from './repositories.ts';
import { examineUsage } from './usage.ts';
import { examineUser } from './user.ts';

export { createSubject } from './subject.ts';

/** One check; it is skipped if what it `needs` is missing. */
type Check = {
  readonly name: string;
  readonly needs?: keyof typeof NEEDS;
  readonly examine: (subject: Subject) => Result | Promise<Result>;
};

/** A check's name, which is stable, and its result. */
export type Diagnosis = Result & { readonly check: string };

/** Every check there is, in the order of the page. The base URL is asked before the proxy in front of it is judged. */
const CHECKS: readonly Check[] = [
  { name: 'user', examine: examineUser },
  { name: 'data directory', examine: examineDirectory },
  { name: 'data files', needs: 'directory', examine: examineFiles },
  { name: 'file system', needs: 'directory', examine: examineFileSystem },
  { name: 'data disk', needs: 'directory', examine: examineDataDisk },
  { name: 'content disk', examine: examineContentDisk },
  { name: 'backup disk', examine: examineBackupDisk },
  { name: 'clock', examine: examineClock },
  { name: 'database', needs: 'directory', examine: examineIntegrity },
  { name: 'references', needs: 'database', examine: examineReferences },
  { name: 'schema', needs: 'database', examine: examineSchema },
  { name: 'write-ahead log', needs: 'database', examine: examineWal },
  { name: 'content', examine: examineContent },
  { name: 'served items', needs: 'database', examine: examineServed },
  { name: 'kept editions', needs: 'database', examine: examineKeptEditions },
  { name: 'repositories', needs: 'database', examine: examineRepositories },
  { name: 'backup', needs: 'database', examine: examineBackup },
  { name: 'engine', examine: examineEngine },
  { name: 'model usage', examine: examineUsage },
  { name: 'sales', examine: examineSales },
  { name: 'server', examine: examineServer },
  { name: 'port', examine: examinePort },
  { name: 'base URL', examine: examineBaseUrl },
  { name: 'proxy', examine: examineProxy },
  { name: 'open files', examine: examineOpenFiles },
  { name: 'runtime', examine: examineRuntime },
];

const NEEDS = {
  directory: ({ config }: Subject) =>
    isReadable(config.data) ? null : 'There is no data directory to look into',
  database: ({ config }: Subject) =>
    existsSync(databaseFile(config)) ? null : 'There is no database to look into',
} as const;

/** Makes every check in turn, whatever came of the others. It changes nothing. */
export async function* examineStall(subject: Subject): AsyncGenerator<Diagnosis> {
  for (const { name, needs, examine: look } of CHECKS) {
    const missing = needs === undefined ? null : NEEDS[needs](subject);
    const result = missing === null ? await examine(() => look(subject)) : skip(missing);
    yield { check: name, ...result };
  }
}

/** The result of a check; a check that is refused or fails is a failure that says why. */
export async function examine(look: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof Refusal) return refused(error);
    return fail(
      `Cannot look at it: ${messageOf(error)}`,
      'Run this as the user the stall runs as; correct the permissions of what it names',
    );
  }
}

function isReadable(directory: string): boolean {
  try {
    accessSync(directory, constants.R_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
