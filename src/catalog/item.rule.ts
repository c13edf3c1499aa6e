import type { ManifestValues } from './manifest-key.rule.ts';
import { createHash } from 'node:crypto';
import type { EditionSignature } from './edition-signature.rule.ts';
import { comparePaths } from './path.rule.ts';
import type { Need } from './need.rule.ts';
import type { ItemKind } from '../platform/base/principal.ts';

/**
 * The values of item.yaml, with defaults for missing keys. `unitAmountCents` is the price in the currency's minor unit (500 jpy
 * is ¥500), `currency` an ISO 4217 code in lower case, `language` a canonical BCP 47 tag, `chapters` null if item.yaml has
 * none. `id` is null only for a skill. Only a draft may have no price (null) and no publisher ('').
 */
export type Manifest = ManifestValues & {
  readonly kind: ItemKind;
  readonly slug: string;
  readonly signature?: EditionSignature | null;
  readonly needs?: readonly Need[];
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

/** Whether the item costs nothing and is open to anyone. A private item is never free, nor is one without a price. */
export const isFree = ({ unitAmountCents, status }: Pick<Manifest, 'unitAmountCents' | 'status'>): boolean =>
  unitAmountCents === 0 && status !== 'private';

export const isShown = ({ status }: Pick<Manifest, 'status'>): boolean =>
  status === 'published' || status === 'announced';

export const isUnpublished = ({ status }: Pick<Manifest, 'status'>): boolean =>
  status === 'draft' || status === 'announced';

/**
 * Returns the key by which grants refer to the item: a book's permanent id, so that grants survive when its folder is
 * renamed, or a skill's slug.
 */
export const itemKey = (manifest: Manifest): string => manifest.id ?? manifest.slug;

export const isAnnounced = ({ status }: { readonly status: string }): boolean => status === 'announced';

export const authorNames = ({ authors }: Pick<Manifest, 'authors'>): readonly string[] =>
  authors.map(({ name }) => name);

export const makersOf = ({ authors, publisher }: Pick<Manifest, 'authors' | 'publisher'>): string =>
  authorNames({ authors }).join(' · ') || publisher;

export function byline({ authors, publisher }: Pick<Manifest, 'authors' | 'publisher'>): string {
  const names = authorNames({ authors });
  if (names.length === 0) return publisher;
  return names.includes(publisher) ? names.join(' · ') : `${names.join(' · ')}, published by ${publisher}`;
}

/**
 * Computes the item digest: the SHA-256, in lower-case hex, of a line `<sha256>  <0644|0755> <path>\n` for each file.
 * The lines are sorted by the paths' UTF-8 bytes, so the order of `files` does not matter.
 */
export function itemDigest(files: readonly Pick<ItemFile, 'path' | 'sha256' | 'executable'>[]): string {
  const hash = createHash('sha256');
  for (const { path, sha256, executable } of files.toSorted((a, b) => comparePaths(a.path, b.path)))
    hash.update(`${sha256}  ${executable ? '0755' : '0644'} ${path}\n`);
  return hash.digest('hex');
}

export type OfferedItem = {
  readonly kind: ItemKind;
  readonly itemKey: string;
  readonly slug: string;
};
