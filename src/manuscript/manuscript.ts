import type { Chapter } from '../item/chapters.ts';
import type { ItemKind } from '../item/item.ts';

type Named = { readonly path: string; readonly executable: boolean };

/** A file on disk, `source`, that becomes a file of the item. */
export type CopiedFile = Named & { readonly source: string; readonly size: number };

/** A file of the item to be: a copy of one on disk, or bytes that the import made. */
export type ManuscriptFile = CopiedFile | (Named & { readonly bytes: Uint8Array });

/** The formats that are recognised, as the report names them. */
export type Format = 'mdBook' | 'Leanpub' | 'EPUB' | 'Markdown' | 'skill';

/**
 * A manuscript as an item: its files and what its source says of it. `title` and `description` are null if it says
 * nothing, `folder` is the name to fall back on. A skill has no chapters.
 */
export type Manuscript = {
  readonly kind: ItemKind;
  readonly format: Format;
  readonly folder: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly authors: readonly string[];
  readonly language: string | null;
  readonly publisher: string | null;
  readonly license: string | null;
  /** The path of the cover in the item. */
  readonly cover: string | null;
  readonly chapters: readonly Chapter[];
  readonly sample: readonly string[];
  readonly files: readonly ManuscriptFile[];
  /** Whether the source itself becomes a file of the item, named after it, and one of its formats. */
  readonly edition: CopiedFile | null;
};

/** A manuscript that says nothing about itself. */
export const bareManuscript: Omit<Manuscript, 'kind' | 'format' | 'folder' | 'files'> = {
  title: null,
  description: null,
  authors: [],
  language: null,
  publisher: null,
  license: null,
  cover: null,
  chapters: [],
  sample: [],
  edition: null,
};

/** A text as a file of the item. */
export function textFile(path: string, text: string): ManuscriptFile {
  return { path, executable: false, bytes: new TextEncoder().encode(text) };
}
