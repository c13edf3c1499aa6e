import { existsSync } from 'node:fs';
import { messageOf, Refusal } from '../../platform/base/refusal.ts';
import { examineContent, examineServed, examineStallFiles } from './content.ts';
import { examineBackup } from './backup.ts';
import { examineDirectory, examineDisks } from './disk.ts';
import { examineDatabase, examineKeptEditions, examineRepositories, examineSecrets } from './database.ts';
import { examineEmbeddings } from './embeddings.ts';
import { examineEngine } from './engine.ts';
import { examineMail } from './mail.ts';
import { examineSales } from './sales.ts';
import { examineBaseUrl, examineProxy, examineServer, examineUser } from './server.ts';
import { databaseFile, fail, refused, type Result, skip, type Subject, warn } from './subject.ts';

/** How long a check may take in the office, in milliseconds. */
const PATIENCE = 3000;

type Check = {
  readonly name: string;
  readonly needsDatabase?: true;
  /** Whether the office's overview makes this check too. Such a check must not delay readers. */
  readonly office?: true;
  readonly examine: (subject: Subject) => Result | Promise<Result>;
};

/** The result of a check, with the name of the check, which never changes. */
export type Diagnosis = Result & { readonly check: string };

/**
 * All checks, in the order in which they are shown. The base URL comes before the proxy: the request to it may be the first
 * that passes the proxy.
 */
const CHECKS: readonly Check[] = [
  { name: 'user', office: true, examine: examineUser },
  { name: 'data directory', office: true, examine: examineDirectory },
  { name: 'disk', needsDatabase: true, office: true, examine: examineDisks },
  { name: 'database', office: true, examine: examineDatabase },
  { name: 'secrets', needsDatabase: true, office: true, examine: examineSecrets },
  { name: 'content', examine: examineContent },
  { name: 'stall.yaml', needsDatabase: true, office: true, examine: examineStallFiles },
  { name: 'served items', needsDatabase: true, office: true, examine: examineServed },
  { name: 'kept editions', needsDatabase: true, examine: examineKeptEditions },
  { name: 'repositories', needsDatabase: true, examine: examineRepositories },
  { name: 'backup', needsDatabase: true, office: true, examine: examineBackup },
  { name: 'engine', office: true, examine: examineEngine },
  { name: 'embeddings', office: true, examine: examineEmbeddings },
  { name: 'sales', office: true, examine: examineSales },
  { name: 'mail', office: true, examine: examineMail },
  { name: 'server', examine: examineServer },
  { name: 'base URL', office: true, examine: examineBaseUrl },
  { name: 'proxy', office: true, examine: examineProxy },
];

/** Makes all checks one after the other, whether or not some fail. Changes nothing. */
export async function* examineStall(subject: Subject): AsyncGenerator<Diagnosis> {
  for (const check of CHECKS) yield examine(check, subject);
}

export function examineServing(subject: Subject): Promise<readonly Diagnosis[]> {
  const checks = CHECKS.filter(({ office }) => office);
  return Promise.all(checks.map((check) => Promise.race([examine(check, subject), tooLong(check)])));
}

async function examine({ name, needsDatabase, examine: look }: Check, subject: Subject): Promise<Diagnosis> {
  try {
    const isMissing = needsDatabase && !existsSync(databaseFile(subject.config));
    return { check: name, ...(isMissing ? skip('There is no database to look into') : await look(subject)) };
  } catch (error) {
    return { check: name, ...(error instanceof Refusal ? refused(error) : failed(error)) };
  }
}

const failed = (error: unknown): Result =>
  fail(
    `Cannot look at it: ${messageOf(error)}`,
    'Run this as the user the stall runs as; correct the permissions of what it names',
  );

async function tooLong({ name }: Check): Promise<Diagnosis> {
  await Bun.sleep(PATIENCE);
  const remedy = 'Look whether the disk or the network behind it hangs, and run "bookstall doctor"';
  return { check: name, ...warn(`No result after ${PATIENCE / 1000} s`, remedy) };
}
