import { itemDigest } from '../item/digest.ts';
import { quote } from '../item/problem.ts';
import { Refusal } from '../refusal.ts';
import { objectOf } from './catalog.ts';
import type { InstalledFile, Manifest } from './manifest.ts';
import { plain } from './terminal-text.ts';

/** The fields of an install record that a manifest keeps. */
export type InstallRecord = Pick<Manifest, 'kind' | 'id' | 'slug' | 'version' | 'digest'>;

/** The record that an archive begins with; refuses one that names another item than its folder. */
export function readRecord(text: string, folder: string): InstallRecord {
  const { kind, id, slug, version, digest } = parse(text);
  const hex = typeof digest === 'string' ? /^sha256:([0-9a-f]{64})$/.exec(digest)?.[1] : undefined;
  if ((kind !== 'book' && kind !== 'skill') || hex === undefined)
    throw new Refusal('tarball-failed', 'Cannot unpack the archive: its install record cannot be read');
  if (slug !== folder)
    throw new Refusal(
      'tarball-failed',
      `Cannot unpack the archive: its install record names ${quote(String(slug))}, and its folder ${quote(folder)}`,
    );
  return {
    kind,
    id: typeof id === 'string' ? id : null,
    slug: folder,
    version: typeof version === 'string' ? plain(version) : null,
    digest: hex,
  };
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return {};
  }
}

/** Refuses files that do not have the digest of their record. */
export function checkDigest(files: readonly InstalledFile[], { digest, slug }: InstallRecord): void {
  if (itemDigest(files) === digest) return;
  throw new Refusal(
    'tarball-failed',
    `Cannot install "${slug}": its files do not have the digest that its install record names; try again, and tell the stall`,
  );
}

/** A stall that knows no editions would send the served one. */
export function checkEdition({ digest, slug, version }: InstallRecord, edition: string): void {
  if (version === edition || `sha256:${digest}` === edition) return;
  throw new Refusal(
    'tarball-failed',
    `Cannot install "${slug}" as ${quote(edition)}: the stall sent another edition; it may be too old to know editions`,
  );
}

/** Refuses files that differ from the stall's list. */
export function checkList(
  files: readonly InstalledFile[],
  listed: readonly { path: string; sha256: string }[],
  slug: string,
): void {
  const hashes = new Map(listed.map(({ path, sha256 }) => [path, sha256]));
  const wrong =
    files.find(({ path, sha256 }) => hashes.get(path) !== sha256)?.path ??
    (hashes.size > files.length ? 'a file is missing' : null);
  if (wrong === null) return;
  throw new Refusal(
    'tarball-failed',
    `Cannot install "${slug}": ${quote(wrong)} is not what the stall lists; it may just have changed: try again`,
  );
}
