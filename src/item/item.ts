export type ItemKind = 'book' | 'skill';
export type ItemStatus = 'draft' | 'published' | 'archived';

/** One step of a book's reading order; `title` is null where only the chapter's own heading names it. */
export type Chapter = { readonly path: string; readonly title: string | null };

/**
 * What item.yaml says, defaults filled in (contract §2). `unitAmountCents` is in the currency's minor unit
 * (500 jpy is ¥500), `currency` is ISO 4217 in lower case, `language` a canonical BCP 47 tag,
 * `chapters` null when item.yaml gives none. `id` is null exactly for skills.
 */
export type Manifest = {
  readonly kind: ItemKind;
  readonly id: string | null;
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly publisher: string;
  readonly unitAmountCents: number;
  readonly currency: string;
  readonly status: ItemStatus;
  readonly version: string | null;
  readonly language: string | null;
  readonly license: string | null;
  readonly tags: readonly string[];
  readonly authors: readonly string[];
  readonly cover: string | null;
  readonly chapters: readonly Chapter[] | null;
  readonly sample: readonly string[];
  readonly checkoutUrl: string | null;
  readonly contact: string | null;
  readonly include: readonly string[];
};

/** A distributed file: `size` in bytes, `sha256` lower-case hex of the raw bytes, `text` when they are valid UTF-8. */
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

/** Whether the item costs nothing; a price that is missing or unreadable never gets this far. */
export const isFree = (manifest: Manifest): boolean => manifest.unitAmountCents === 0;

/** What a grant names: a book's stable id, a skill's slug, so that renaming a book's folder keeps its grants. */
export const itemKey = (manifest: Manifest): string => manifest.id ?? manifest.slug;
