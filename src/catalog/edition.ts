import type { Chapter } from '../item/chapter.ts';
import type { Item, ItemFile } from '../item/item.ts';
import type { Problem } from '../item/problem.ts';
import type { Artefact, ArtefactKind } from './artefact.ts';

/** Stat fields used to detect a change since a file was hashed. Times are nanoseconds as decimal text, `hashedAt` is milliseconds. */
export type Stamp = {
  readonly inode: string;
  readonly mtime: string;
  readonly ctime: string;
  readonly hashedAt: number;
};

/** A file of an edition; `json` is the byte range of its record in the file JSON. */
export type EditionFile = ItemFile & {
  readonly stamp: Stamp;
  readonly json: { readonly start: number; readonly end: number };
};

/** How many files an edition has that the one before has not, has in another state, and has not. */
export type FileChanges = { readonly added: number; readonly changed: number; readonly removed: number };

/** The paths of changed files, a hundred at most in all; none for a first edition, whose files are all new. */
export type ChangedFiles = {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
};

/** A compiled item. It is saved in the data directory and served only from there. */
export type Edition = Omit<Item, 'files'> & {
  readonly files: readonly EditionFile[];
  readonly chapters: readonly Chapter[];
  readonly artefacts: Readonly<Partial<Record<ArtefactKind, Artefact>>>;
  readonly warnings: readonly Problem[];
  /** Counts of files against the edition before, which for the first one is empty. */
  readonly changes?: FileChanges & { readonly files?: ChangedFiles };
  /** See `findSampleImages`. */
  readonly sampleImages?: readonly string[];
  /** What its publisher says about it, as Markdown; see `findNotes`. */
  readonly notes?: string | null;
  /** See `inputsHash`. Editions of 0.1.0 have none and are inspected again. */
  readonly inputsHash?: string;
  /** The edition of the folder, if that is a draft of an item that was sold; the owner's session previews it. */
  readonly draft?: Edition;
  /** Only of a superseded edition: whether it was served free. */
  readonly wasFree?: boolean;
};

/** The key of an item in one content directory: kind and slug, as in `book field-notes`. */
export function keyOf({ manifest }: Pick<Edition, 'manifest'>): string {
  return `${manifest.kind} ${manifest.slug}`;
}
