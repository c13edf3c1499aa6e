import type { CoverJob } from '../catalog/cover-job.rule.ts';
import type { Heading, Rendered, TextSlice } from './markup/rendered.ts';
import { sha256 } from '../platform/base/runtime.ts';
import type { Outline } from './markup/markdown.ts';
import type { Manifest } from '../catalog/item.rule.ts';
import type { ItemKind } from '../platform/base/principal.ts';
import type { Printed, PrintJob } from './printed-book.ts';
import { languageFor } from '../words/words.ts';

/**
 * A rendered text as it is stored in a file: its HTML in UTF-8, and the tables with which passages are marked in it.
 * `readTables` decodes these.
 */
export type PageFile = {
  readonly headings: readonly Heading[];
  /** Whether the text is shown unrendered, as it was written, since it is not Markdown or could not be rendered. */
  readonly isPlain: boolean;
  /** When the rendering was stopped because it took too long, in milliseconds since 1970; null if it was finished. */
  readonly cutAt: number | null;
  readonly html: Uint8Array<ArrayBuffer>;
  readonly start: number;
  readonly size: number;
  readonly readTables: () => Pick<Rendered, 'runs' | 'blocks' | 'unplaced'>;
};

type Head = {
  readonly headings: readonly Heading[];
  readonly isPlain: boolean;
  readonly cutAt: number | null;
  readonly html: number;
  readonly tables: readonly [runs: number, blocks: number, unplaced: number];
  readonly sha256: string;
};

/** The version of rendered pages, raised whenever the same text would be rendered differently. */
const FORMAT = 7;

export const pageName = (
  { kind, slug, language, math }: Pick<Manifest, 'kind' | 'slug' | 'language' | 'math'>,
  digest: string,
  path: string,
  ...part: number[]
): string =>
  sha256(
    JSON.stringify([
      FORMAT,
      kind,
      slug,
      languageFor(language),
      ...(math ? ['math'] : []),
      digest,
      path,
      ...part,
    ]),
  );

/** Writes a page's file: a line of JSON, the HTML, then the tables as 32-bit numbers. */
export function encodePage(
  { html, headings, runs, blocks, unplaced }: Rendered,
  isPlain: boolean,
  cutAt: number | null = null,
): Uint8Array<ArrayBuffer> {
  const body = Buffer.from(html);
  const numbers = Buffer.from(Int32Array.from([...runs, ...blocks, ...unplaced]).buffer);
  const rest = Buffer.concat([body, numbers]);
  const head: Head = {
    headings,
    isPlain,
    cutAt,
    html: body.length,
    tables: [runs.length, blocks.length, unplaced.length],
    sha256: sha256(rest),
  };
  return new Uint8Array(Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), rest]));
}

export function decodePage(bytes: Uint8Array<ArrayBuffer>): PageFile | null {
  const end = bytes.indexOf(0x0a);
  if (end === -1) return null;
  try {
    const head = JSON.parse(Buffer.from(bytes.subarray(0, end)).toString()) as Head;
    const rest = bytes.subarray(end + 1);
    if (sha256(rest) !== head.sha256) return null;
    return {
      headings: head.headings,
      isPlain: head.isPlain,
      cutAt: head.cutAt,
      html: rest.subarray(0, head.html),
      start: end + 1,
      size: rest.length,
      readTables: () => readTables(rest.slice(head.html), head.tables),
    };
  } catch {
    return null;
  }
}

function readTables(bytes: Uint8Array<ArrayBuffer>, [runs, blocks, unplaced]: Head['tables']) {
  const numbers = new Int32Array(bytes.buffer, 0, runs + blocks + unplaced);
  return {
    runs: numbers.subarray(0, runs),
    blocks: numbers.subarray(runs, runs + blocks),
    unplaced: numbers.subarray(runs + blocks),
  };
}

/**
 * The place of a text, or of a part of it, in the JSON file with the contents of all files of its edition: the bytes from
 * `start` to `end` (exclusive), inside the quotation marks.
 */
export type StoredText = {
  readonly path: string;
  readonly artefact: string;
  readonly start: number;
  readonly end: number;
};

/**
 * The maximum length of one part of a long text, in bytes as its edition's JSON file has it. Marking a passage on the page of
 * such a part takes only milliseconds.
 */
export const PART = 1024 * 1024;

/**
 * A part of a long text: its range of bytes in the edition's JSON file, and `at`, its offset in the whole text in UTF-16
 * units.
 */
export type TextPart = { readonly start: number; readonly end: number; readonly at: number };

/** The pictures of an edition by path, each as a range of bytes in the edition's JSON file, like a `StoredText`. */
export type StoredPictures = {
  readonly artefact: string;
  readonly slices: Readonly<Record<string, Pick<StoredText, 'start' | 'end'>>>;
};

/**
 * A job for the rendering Worker, by its `task`: 'page' writes a page into the file `out`; 'parts' divides a long text;
 * 'outlines' outlines texts (those at the paths `math` may have formulas); 'text' renders a text that has no reading page;
 * 'cover' resizes a cover; 'print' writes a printed book.
 */
export type RenderJob = TextJob | CoverJob | PrintJob;

export type TextJob =
  | {
      readonly task: 'page';
      readonly text: StoredText;
      readonly item: Pick<Manifest, 'kind' | 'slug' | 'language' | 'math'>;
      readonly files: readonly string[];
      readonly texts: readonly string[];
      readonly pictures: StoredPictures;
      readonly asPlain: boolean;
      readonly out: string;
    }
  | { readonly task: 'parts'; readonly text: StoredText }
  | { readonly task: 'outlines'; readonly texts: readonly StoredText[]; readonly math: readonly string[] }
  | ({ readonly task: 'text' } & EmbeddedText);

/**
 * A Markdown text to be shown on a page of another kind, such as a description. Its first heading is of `level`, and its
 * headings have no ids.
 */
export type EmbeddedText = {
  readonly markdown: string;
  readonly language: string | null;
  readonly math?: boolean;
  readonly level: number;
  readonly marked?: readonly TextSlice[];
  /** The pictures of a text of the stall's own, by path: their URLs, and their bytes in base64. */
  readonly images?: {
    readonly urls: Readonly<Record<string, string>>;
    readonly bytes: Readonly<Record<string, string>>;
  };
  readonly pictures?: StoredPictures;
  readonly place: {
    readonly kind: ItemKind;
    readonly slug: string;
    readonly digest: string;
    readonly from: string;
    /** Whether all files of the edition are in `files`, the files that the text may link to. */
    readonly isOpen: boolean;
    readonly files: readonly string[];
    readonly texts: readonly string[];
  } | null;
};

export type RenderResult<Job extends RenderJob> = Job extends { readonly task: 'outlines' }
  ? readonly Outline[]
  : Job extends { readonly task: 'parts' }
    ? readonly TextPart[]
    : Job extends { readonly task: 'text' }
      ? string | null
      : Job extends { readonly task: 'print' }
        ? Printed
        : true;
