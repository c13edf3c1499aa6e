// Decides the folder of an item. Folders belong to the reader: nothing is moved or replaced only because a stall names it.
import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { quote } from '../../platform/base/problem.ts';
import { Refusal } from '../../platform/base/refusal.ts';
import { inspectFolder, listChanges, type InstalledManifest, type Manifests } from './manifest.ts';
import type { Installing } from './staged-item.ts';
import { isSameStall } from './stall-client.ts';

type Item = Pick<InstalledManifest, 'kind' | 'id' | 'slug' | 'digest'>;

/**
 * The folder that the reader named. `own` is the stall's item that is in the folder already; null if the folder is free. If
 * `isCopy`, only the record in the folder says so, and anybody can write that: then only the same files may replace the
 * item.
 */
type Place = {
  readonly folder: string;
  readonly own: (Item & Pick<InstalledManifest, 'url'>) | null;
  readonly isCopy?: boolean;
};

/**
 * Checks before the download whether `folder` may be written: it must be free, or contain this stall's item of that name.
 * `force` discards the reader's changes to that item, but nothing else.
 */
export async function findPlace(
  manifests: Manifests,
  url: string,
  { folder, force, locked }: Pick<Installing, 'folder' | 'force' | 'locked'>,
): Promise<Place> {
  if (locked === undefined ? !isTaken(folder) : isFree(folder)) return { folder, own: null };
  const found = await inspectFolder(manifests, folder);
  const isOwn = found?.origin.slug === basename(folder) && isSameStall(found.origin.url, url);
  const isChanged = found !== null && found.changes.length > 0;
  const isCopy = found?.manifest === null;
  // A changed folder without an install record may be a different folder that was put there.
  if (!isOwn || (isChanged && (isCopy || !isTaken(join(folder, '.svc-install'))))) throw notOurs(folder, url);
  if (isChanged && !force)
    throw inTheWay(folder, `${listChanges(found.changes)} since it was installed; use --force to lose that`);
  return { folder, own: found.origin, isCopy };
}

const inTheWay = (folder: string, reason: string): Refusal =>
  Refusal.invalid(`Cannot install ${quote(basename(folder))}: ${reason}, or use --dir for another place`);

const notOurs = (folder: string, url: string): Refusal =>
  inTheWay(
    folder,
    `${quote(folder)} is there already, and bookstall did not install it from ${url}; move it away`,
  );

/**
 * Returns the folder for a downloaded item: the one that the reader named or, if the stall renamed the item in it, a folder
 * with the new slug beside it. Refuses a different item, and a new folder that exists. A renamed book has the same id; a
 * skill has none, so any skill counts as the renamed one.
 */
export function targetOf({ folder, own, isCopy = false }: Place, sent: Item): string {
  const asked = basename(folder);
  const refuse = (reason: string): Refusal =>
    new Refusal(
      'gone',
      `Cannot install ${quote(asked)}: the stall sent ${nameOf(sent)} in place of ${reason}`,
    );
  if (own !== null && (sent.kind !== own.kind || sent.id !== own.id))
    throw refuse(`${nameOf(own)}; uninstall the folder, or ask the stall`);
  if (own === null && sent.slug !== asked)
    throw refuse(`${quote(asked)}; if it was renamed, install ${quote(sent.slug)} by its name`);
  if (own !== null && isCopy && sent.digest !== own.digest) throw notOurs(folder, own.url);
  const target = join(dirname(folder), sent.slug);
  if (target === folder || !isTaken(target)) return target;
  throw Refusal.invalid(
    `Cannot move ${quote(asked)} to ${quote(target)}, its name today: something is there already; move or uninstall that`,
  );
}

const nameOf = ({ kind, slug, id }: Item): string =>
  `the ${kind} ${quote(slug)}${id === null ? '' : ` with the id ${quote(id)}`}`;

const isTaken = (path: string): boolean => statusOf(path) !== undefined;

/** Returns the status of a path, without following a link; undefined if nothing is there. */
export const statusOf = (path: string): Stats | undefined => lstatSync(path, { throwIfNoEntry: false });

export function isFree(folder: string): boolean {
  const status = statusOf(folder);
  return status === undefined || (status.isDirectory() && readdirSync(folder).length === 0);
}
