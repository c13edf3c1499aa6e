import type { Chapter } from '../item/chapters.ts';
import type { ItemKind } from '../item/item.ts';

type Named = { readonly path: string; readonly executable: boolean };

/** A file on disk that becomes a file of the item: it is copied from `source` to `path`. */
export type CopiedFile = Named & { readonly source: string; readonly size: number };

/** A file of the item to be: a copy of one on disk, or bytes that the import made. */
export type ManuscriptFile = CopiedFile | (Named & { readonly bytes: Uint8Array });

/** The formats that are recognised, by the names that the report uses. */
type Format = 'mdBook' | 'Leanpub' | 'EPUB' | 'Word' | 'Markdown' | 'skill';

/** The facts that a source gives about its item; this one gives none. */
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
  /** The source itself if it becomes a file of the item, named after the slug, and one of its formats; else null. */
  edition: null as CopiedFile | null,
} as const;

/**
 * A manuscript that was read: the files of the item and the source's facts. `folder` is the name to use if it has no
 * title. A skill has no chapters.
 */
export type Manuscript = typeof bareManuscript & {
  readonly kind: ItemKind;
  readonly format: Format;
  readonly folder: string;
  readonly files: readonly ManuscriptFile[];
};

/** Makes a file of the item from a text. */
export function textFile(path: string, text: string): ManuscriptFile {
  return { path, executable: false, bytes: new TextEncoder().encode(text) };
}
