import type { Chapter } from '../item/chapters.ts';
import type { ItemKind } from '../item/item.ts';

type Named = { readonly path: string; readonly executable: boolean };

/** A file on disk, `source`, that becomes a file of the item. */
export type CopiedFile = Named & { readonly source: string; readonly size: number };

/** A file of the item to be: a copy of one on disk, or bytes that the import made. */
export type ManuscriptFile = CopiedFile | (Named & { readonly bytes: Uint8Array });

/** The formats that are recognised, as the report names them. */
type Format = 'mdBook' | 'Leanpub' | 'EPUB' | 'Word' | 'Markdown' | 'skill';

/** A source's facts about its item; a manuscript may have none. */
export const bareManuscript = {
  title: null as string | null,
  description: null as string | null,
  authors: [] as readonly string[],
  language: null as string | null,
  /** Whether its texts have formulas. */
  math: false as boolean,
  publisher: null as string | null,
  license: null as string | null,
  /** The path of the cover in the item. */
  cover: null as string | null,
  chapters: [] as readonly Chapter[],
  sample: [] as readonly string[],
  /** Whether the source itself becomes a file of the item, named after it, and one of its formats. */
  edition: null as CopiedFile | null,
} as const;

/** A manuscript as an item: its files and its source's facts; `folder` is the name to fall back on. A skill has no chapters. */
export type Manuscript = typeof bareManuscript & {
  readonly kind: ItemKind;
  readonly format: Format;
  readonly folder: string;
  readonly files: readonly ManuscriptFile[];
};

/** A text as a file of the item. */
export function textFile(path: string, text: string): ManuscriptFile {
  return { path, executable: false, bytes: new TextEncoder().encode(text) };
}
