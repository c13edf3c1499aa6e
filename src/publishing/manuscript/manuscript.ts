import type { Chapter } from '../../catalog/chapters.rule.ts';
import type { ItemKind } from '../../platform/base/principal.ts';

type Named = { readonly path: string; readonly executable: boolean };

export type CopiedFile = Named & { readonly source: string; readonly size: number };

export type ManuscriptFile = CopiedFile | (Named & { readonly bytes: Uint8Array });

export type ManuscriptFormat = 'mdBook' | 'Leanpub' | 'EPUB' | 'Word' | 'Markdown' | 'skill';

export const MANUSCRIPT_ENDINGS = ['.epub', '.docx', '.md', '.markdown', '.txt'] as const;

export type ManuscriptEnding = (typeof MANUSCRIPT_ENDINGS)[number];

/** The facts that a source may give about its item, each with its value if the source gives none. */
export const bareManuscript = {
  title: null as string | null,
  description: null as string | null,
  authors: [] as readonly string[],
  language: null as string | null,
  math: false as boolean,
  publisher: null as string | null,
  license: null as string | null,
  cover: null as string | null,
  chapters: [] as readonly Chapter[],
  sample: [] as readonly string[],
  /** The source itself if the item includes it as a file in one of its `formats`, such as an EPUB; else null. */
  edition: null as CopiedFile | null,
} as const;

/**
 * A manuscript after reading: the files of the item, and the facts that the source gives. `folder` is the name to use if
 * it has no title. A skill has no chapters.
 */
export type Manuscript = typeof bareManuscript & {
  readonly kind: ItemKind;
  readonly format: ManuscriptFormat;
  readonly folder: string;
  readonly files: readonly ManuscriptFile[];
};

export function textFile(path: string, text: string): ManuscriptFile {
  return { path, executable: false, bytes: new TextEncoder().encode(text) };
}
