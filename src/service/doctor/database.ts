import { accessSync, constants, statSync } from 'node:fs';
import { type Findings, isOurDatabase, SCHEMA } from '../../store/database/database-check.ts';
import { fail, ok, type Result, size, skip, warn } from './result.ts';
import { databaseFile, type Subject } from './subject.ts';
import { THRESHOLD } from './threshold.ts';

const UNREADABLE = 'The database cannot be read';
const RESTORE = 'Stop the server and restore a backup with "bookstall restore FILE --replace"';

/** Whether the database is there, ours, and whole. */
export async function examineIntegrity({ config, database }: Subject): Promise<Result> {
  const file = databaseFile(config);
  const { size: bytes } = statSync(file, { throwIfNoEntry: false }) ?? {};
  if (bytes === undefined)
    return fail(
      `There is no database "${file}"`,
      'Start "bookstall serve" with this directory once, restore a backup, or name another with --data',
    );
  if (bytes === 0)
    return fail(`The database "${file}" is empty`, `${RESTORE}, or delete the file to start with a new one`);
  accessSync(file, constants.R_OK);
  const { identity, damage } = (await database()) ?? {};
  if (identity?.state === 'failed') return fail(`Cannot read "${file}": ${identity.reason}`, RESTORE);
  if (identity?.state === 'known' && !isOurDatabase(identity.value))
    return fail(`"${file}" is not a database of Bookstall`, 'Name another directory with --data');
  if (damage?.state === 'known' && damage.value === null)
    return ok(`quick_check finds nothing wrong in ${size(bytes)}`);
  if (damage?.state === 'known') return fail(`"${file}" is damaged: ${damage.value}`, RESTORE);
  if (damage?.state === 'failed') return fail(`"${file}" is damaged: ${damage.reason}`, RESTORE);
  return warn(
    `quick_check did not get through ${size(bytes)} in ${THRESHOLD.patience / 1000} s`,
    'Run "bookstall backup FILE": it takes its time, and proves every page of the copy',
  );
}

/** Whether every row's foreign keys lead somewhere. */
export async function examineReferences(subject: Subject): Promise<Result> {
  const found = (await subject.database())?.orphans;
  if (found === undefined || (await identityOf(subject)) === null) return skip(UNREADABLE);
  if (found.state === 'unfinished') return skip('The database could not be read to the end in time');
  if (found.state === 'failed') return fail(`Cannot follow the rows' references: ${found.reason}`, RESTORE);
  if (found.value.length === 0) return ok('foreign_key_check finds nothing wrong');
  const tables = found.value.map(({ table, rows }) => `${rows} of "${table}"`).join(', ');
  return fail(`Rows refer to others that are gone: ${tables}`, RESTORE);
}

/** Whether this program and the database know the same tables. */
export async function examineSchema(subject: Subject): Promise<Result> {
  const identity = await identityOf(subject);
  if (identity === null) return skip(UNREADABLE);
  const { schema } = identity;
  if (schema > SCHEMA)
    return fail(
      `A newer Bookstall wrote the database: schema ${schema}, this program knows ${SCHEMA}`,
      'Install the newer program',
    );
  if (schema < SCHEMA)
    return warn(
      `The database has schema ${schema}; the next start brings it up to ${SCHEMA}`,
      'Make a backup before with "bookstall backup FILE": an older program refuses the database after it',
    );
  return ok(`Schema ${schema}, which this program writes`);
}

/** Whether the write-ahead log is emptied now and then. */
export function examineWal({ config }: Subject): Result {
  const bytes = statSync(`${databaseFile(config)}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes <= THRESHOLD.largestWal) return ok(`It takes ${size(bytes)}`);
  return warn(
    `The write-ahead log has grown to ${size(bytes)}: something reads the database and does not end`,
    'End other programs that have it open, on Linux "lsof" names them; then restart the server, which empties it',
  );
}

async function identityOf({ database }: Subject): Promise<Findings['identity'] | null> {
  const identity = (await database())?.identity;
  return identity?.state === 'known' && isOurDatabase(identity.value) ? identity.value : null;
}
