import { accessSync, constants, statSync } from 'node:fs';
import { keptDirectory, keptFileName, listKeptBodies, sizeOfBody } from '../../catalog/artefact.ts';
import { type DatabaseCheck, isOurDatabase, valueOf } from './database-check.ts';
import { openSecretBox, secretsKeyFile } from '../../platform/store/secret-box.ts';
import { countLost, lostSecrets, readSettings } from '../../platform/store/settings.ts';
import { SCHEMA } from '../../platform/store/database.ts';
import { databaseFile, fail, ok, type Result, skip, some, type Subject, warn } from './subject.ts';
import { counted, formatBytes } from '../../platform/base/text.ts';

const RESTORE = 'Stop the server and restore a backup with "bookstall restore FILE --replace"';

/** The size from which the write-ahead log is too large. SQLite empties it at about 4 MB, unless a reader prevents that. */
const LARGEST_WAL = 64_000_000;

/** The first SQLite without the WAL-reset bug, by which a checkpoint could lose commits (https://sqlite.org/wal.html). */
const SAFE_SQLITE = '>=3.51.3';

/**
 * Checks that the database exists, is this program's, has its schema and no damage, and that its write-ahead log stays small.
 */
export async function examineDatabase({ config, database, serving }: Subject): Promise<Result> {
  const file = databaseFile(config);
  const bytes = statSync(file, { throwIfNoEntry: false })?.size;
  if (bytes === undefined)
    return fail(
      `There is no database "${file}"`,
      'Start "bookstall serve" with this directory once, restore a backup, or name another with --data',
    );
  if (bytes === 0)
    return fail(`The database "${file}" is empty`, `${RESTORE}, or delete the file to start with a new one`);
  accessSync(file, constants.R_OK);
  const found = await database();
  const fault = serving === null ? findFault(file, found) : null;
  if (fault !== null) return fault;
  const wal = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (wal > LARGEST_WAL)
    return warn(
      `The write-ahead log has grown to ${formatBytes(wal)}: something reads the database and does not end`,
      'End other programs that have it open, on Linux "lsof" names them; then restart the server, which empties it',
    );
  if (serving !== null) return ok(`${formatBytes(bytes)}, and ${formatBytes(wal)} of write-ahead log`);
  const { damage, orphans } = found;
  if (damage === undefined || orphans === undefined)
    return warn(
      `${formatBytes(bytes)} could not be read to the end in time`,
      'Run "bookstall backup FILE": it takes its time, and proves every page of the copy',
    );
  return ok(
    `SQLite finds nothing wrong in ${formatBytes(bytes)} of schema ${valueOf(found.identity)?.schema}`,
  );
}

/** Finds the worst damage in the database; null if none was found in time. */
function findFault(file: string, { identity, damage, orphans }: DatabaseCheck): Result | null {
  if (identity !== undefined && 'reason' in identity)
    return fail(`Cannot read "${file}": ${identity.reason}`, RESTORE);
  // The identity is read first: if that took too long, nothing else was read.
  if (identity === undefined) return null;
  const { schema, sqlite } = identity.value;
  if (!isOurDatabase(identity.value))
    return fail(`"${file}" is not a database of Bookstall`, 'Name another directory with --data');
  if (schema > SCHEMA)
    return fail(
      `A newer Bookstall wrote the database: schema ${schema}, this program knows ${SCHEMA}`,
      'Install the newer program',
    );
  const problem = [damage, orphans].map((one) => one && 'reason' in one && one.reason).find(Boolean);
  const damaged = problem || valueOf(damage);
  if (damaged) return fail(`"${file}" is damaged: ${damaged}`, RESTORE);
  const lost = valueOf(orphans) ?? [];
  if (lost.length > 0)
    return fail(
      `Rows refer to others that are gone: ${lost.map(({ table, rows }) => `${rows} of "${table}"`).join(', ')}`,
      RESTORE,
    );
  if (!Bun.semver.satisfies(sqlite, SAFE_SQLITE))
    return warn(
      `The system's SQLite is ${sqlite}, which can lose commits in rare cases`,
      `Upgrade the system until its SQLite is ${SAFE_SQLITE}; make backups until then`,
    );
  return null;
}

/** Checks that the archives of kept editions exist, which no backup of the database has, and tells their size. */
export async function examineKeptEditions({ config: { data }, database }: Subject): Promise<Result> {
  const rows = valueOf((await database()).keptEditions);
  if (rows === undefined) return skip('The editions in the database cannot be read');
  const bodies = await listKeptBodies(data);
  const sizes = new Map<string, number>();
  for (const body of bodies) sizes.set(body.name, await sizeOfBody(body));
  const needed = rows.filter(({ isNeeded }) => isNeeded === 1);
  const lost = needed.filter(({ tar }) => !sizes.has(keptFileName(tar)));
  const directory = keptDirectory(data);
  if (lost.length > 0)
    return warn(
      `${counted(lost.length, 'kept edition')} of ${needed.length} lost their archives: ${some(lost.map(nameOf))}`,
      `If the database was restored from a backup, copy the folder "kept" of its old data directory to "${directory}"; without their archives they become "gone" when somebody asks for them`,
    );
  const known = new Set(rows.map(({ tar }) => keptFileName(tar)));
  const strays = bodies.filter(({ name }) => !known.has(name));
  const bytesOf = (some: typeof bodies) =>
    formatBytes(some.reduce((sum, { name }) => sum + (sizes.get(name) ?? 0), 0));
  if (strays.length > 0)
    return warn(
      `${counted(strays.length, 'archive')} (${bytesOf(strays)}) in "${directory}" ${strays.length === 1 ? 'belongs' : 'belong'} to no edition that is kept`,
      `Restart the server, which deletes those of editions that are gone; any other is of an edition that this database does not know, so restore a newer backup, or delete ${strays.length === 1 ? 'it' : 'them'}`,
    );
  if (bodies.length === 0) return ok('No superseded edition is kept');
  return ok(`${counted(bodies.length, 'archive')} of kept editions: ${bytesOf(bodies)}`);
}

const nameOf = ({ slug, version, tar }: { slug: string; version: string | null; tar: string }): string =>
  `${slug} ${version ?? keptFileName(tar).slice(0, 12)}`;

/** Checks that items that were cloned have the commits that their clones need to pull. */
export async function examineRepositories({ database }: Subject): Promise<Result> {
  const lost = valueOf((await database()).lostRepositories);
  if (lost === undefined) return skip('The commits of repositories cannot be read');
  if (lost.length === 0) return ok('Every item that was cloned has its commits');
  const repositories = lost.length === 1 ? '1 repository' : `${lost.length} repositories`;
  return warn(
    `The commits of ${repositories} are not in this database, as after a restore: ${some(lost)}`,
    'Restore a backup that has them; otherwise the next clone begins a new history, and readers run "git fetch --depth 1 && git reset --hard FETCH_HEAD" in clones that cannot pull',
  );
}

export function examineSecrets({ config, serving }: Subject): Result {
  const lost = serving === null ? countKeptLost(config) : serving.countLost();
  const { sentence, remedy } = lostSecrets(lost);
  return lost === 0 ? ok('All secrets of the settings can be read') : fail(sentence, remedy);
}

function countKeptLost({ data, secretsKey }: Subject['config']): number {
  const kept = readSettings(data);
  return kept === null ? 0 : countLost(kept, openSecretBox(secretsKeyFile(data, secretsKey)));
}
