import type { ManifestValues } from './manifest-key.ts';
import { createHash } from 'node:crypto';
import type { EditionSignature } from './edition-signature.ts';
import { comparePaths } from './path.ts';

export type ItemKind = 'book' | 'skill';

/**
 * The values of item.yaml with defaults filled in. `unitAmountCents` is in the currency's minor unit (500 jpy is ¥500),
 * `currency` ISO 4217 in lower case, `language` a canonical BCP 47 tag, `chapters` null if item.yaml names none. `id` is
 * null for skills only. A draft may lack its price, which is then null, and its publisher, which is then ''.
 */
export type Manifest = ManifestValues & {
  readonly kind: ItemKind;
  readonly slug: string;
  /** The edition's signature, from the files beside item.yaml; null or missing if it is unsigned. */
  readonly signature?: EditionSignature | null;
};

export type ItemStatus = Manifest['status'];

/** A distributed file: `size` in bytes, `sha256` lower-case hex of the raw bytes, `text` if they are valid UTF-8. */
export type ItemFile = {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
  readonly executable: boolean;
  readonly text: boolean;
};

/** A whole item: `files` sorted by path, `digest` the item digest in lower-case hex, `size` the sum of file sizes. */
export type Item = {
  readonly manifest: Manifest;
  readonly files: readonly ItemFile[];
  readonly digest: string;
  readonly size: number;
};

/**
 * Whether the item costs nothing, and so is open to anyone; a private one never is. An item with a missing or unreadable
 * price is never served.
 */
export const isFree = ({ unitAmountCents, status }: Pick<Manifest, 'unitAmountCents' | 'status'>): boolean =>
  unitAmountCents === 0 && status !== 'private';

/** Whether anyone may see an item's page and find it in lists: it is published, or announced. */
export const isShown = ({ status }: Pick<Manifest, 'status'>): boolean =>
  status === 'published' || status === 'announced';

/** Whether the item's present state was not published: it is a draft, or announced. */
export const isUnpublished = ({ status }: Pick<Manifest, 'status'>): boolean =>
  status === 'draft' || status === 'announced';

/**
 * Returns the name of the item in a grant: a book's stable id, so that renaming its folder keeps its grants; a skill's
 * slug.
 */
export const itemKey = (manifest: Manifest): string => manifest.id ?? manifest.slug;

/** Whether an item is announced: shown, but not published yet. */
export const isAnnounced = ({ status }: { readonly status: string }): boolean => status === 'announced';

/** Lists the names of an item's authors, in order. */
export const authorNames = ({ authors }: Pick<Manifest, 'authors'>): readonly string[] =>
  authors.map(({ name }) => name);

/** Returns the authors of an item in order as one text, or else its publisher. */
export const makersOf = ({ authors, publisher }: Pick<Manifest, 'authors' | 'publisher'>): string =>
  authorNames({ authors }).join(' · ') || publisher;

/** Returns an item's authors in order, and its publisher if that is not one of them, as one line. */
export function byline({ authors, publisher }: Pick<Manifest, 'authors' | 'publisher'>): string {
  const names = authorNames({ authors });
  if (names.length === 0) return publisher;
  return names.includes(publisher) ? names.join(' · ') : `${names.join(' · ')}, published by ${publisher}`;
}

/**
 * Computes the item digest: SHA-256, in lower-case hex, over the lines `<sha256>  <0644|0755> <path>\n`, sorted by the
 * path's UTF-8 bytes, whatever the order given.
 */
export function itemDigest(files: readonly Pick<ItemFile, 'path' | 'sha256' | 'executable'>[]): string {
  const hash = createHash('sha256');
  for (const { path, sha256, executable } of files.toSorted((a, b) => comparePaths(a.path, b.path)))
    hash.update(`${sha256}  ${executable ? '0755' : '0644'} ${path}\n`);
  return hash.digest('hex');
}
