import { keptDirectory, keptFileName, listKeptBodies, sizeOfBody } from '../../catalog/kept-editions.ts';
import { ok, type Result, size, skip, some, warn } from './result.ts';
import type { Subject } from './subject.ts';

/** The disk space of the kept editions, and whether each has its body: a backup of the database has none of them. */
export async function examineKeptEditions({ config: { data }, database }: Subject): Promise<Result> {
  const rows = (await database())?.keptEditions;
  if (rows?.state !== 'known') return skip('The editions in the database cannot be read');
  const bodies = await listKeptBodies(data);
  const sizes = new Map<string, number>();
  for (const body of bodies) sizes.set(body.name, await sizeOfBody(body));
  const needed = rows.value.filter(({ isNeeded }) => isNeeded === 1);
  const lost = needed.filter(({ tar }) => !sizes.has(keptFileName(tar)));
  const directory = keptDirectory(data);
  if (lost.length > 0)
    return warn(
      `${countOf(lost.length, 'kept edition')} of ${needed.length} lost their archives: ${some(lost.map(nameOf))}`,
      `If the database was restored from a backup, copy the folder "kept" of its old data directory to "${directory}"; without their archives they become "gone" when somebody asks for them`,
    );
  const known = new Set(rows.value.map(({ tar }) => keptFileName(tar)));
  const strays = bodies.filter(({ name }) => !known.has(name));
  if (strays.length > 0)
    return warn(
      `${countOf(strays.length, 'archive')} (${sum(strays.map(({ name }) => sizes.get(name) ?? 0))}) in "${directory}" ${strays.length === 1 ? 'belongs' : 'belong'} to no edition that is kept`,
      `Restart the server, which deletes those of editions that are gone; any other is of an edition that this database does not know, so restore a newer backup, or delete ${strays.length === 1 ? 'it' : 'them'}`,
    );
  if (bodies.length === 0) return ok('No superseded edition is kept');
  return ok(`${countOf(bodies.length, 'archive')} of kept editions: ${sum([...sizes.values()])}`);
}

const nameOf = ({ slug, version, tar }: { slug: string; version: string | null; tar: string }): string =>
  `${slug} ${version ?? keptFileName(tar).slice(0, 12)}`;

const sum = (sizes: readonly number[]): string => size(sizes.reduce((all, one) => all + one, 0));

const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
