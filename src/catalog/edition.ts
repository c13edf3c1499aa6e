import type { Chapter, Item, ItemFile } from '../item/item.ts';
import type { Problem } from '../item/problem.ts';
import type { Artefact, ArtefactKind } from './artefact.ts';

/** What told a file from its changed self when it was hashed. Times are nanoseconds as decimal text, `hashedAt` milliseconds. */
export type Stamp = {
  readonly inode: string;
  readonly mtime: string;
  readonly ctime: string;
  readonly hashedAt: number;
};

/** A file of an edition; `json` is where its record lies in the file JSON, in bytes. */
export type EditionFile = ItemFile & {
  readonly stamp: Stamp;
  readonly json: { readonly start: number; readonly end: number };
};

/** An item as it was compiled: its last good state, kept in the data directory and served from there alone. */
export type Edition = Omit<Item, 'files'> & {
  readonly files: readonly EditionFile[];
  readonly chapters: readonly Chapter[];
  readonly artefacts: Readonly<Partial<Record<ArtefactKind, Artefact>>>;
  readonly warnings: readonly Problem[];
  /** What it was judged by besides its files; see `inputsHash`. Editions of 0.1.0 have none, and are judged again. */
  readonly inputsHash?: string;
};

/** What tells items apart in one content directory: kind and slug, as in `book field-notes`. */
export function keyOf({ manifest }: Pick<Edition, 'manifest'>): string {
  return `${manifest.kind} ${manifest.slug}`;
}
