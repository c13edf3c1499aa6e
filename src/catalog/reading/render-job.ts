import type { ItemKind } from '../../item/item.ts';
import type { Outline } from '../../markup/outline.ts';

/** A text, or a part of one, as its edition's file JSON holds it: bytes `start` to `end` (exclusive), without quotation marks. */
export type StoredText = {
  readonly path: string;
  readonly artefact: string;
  readonly start: number;
  readonly end: number;
};

/** The length of a part of a long text in the file JSON, in bytes: its page is marked in a few milliseconds. */
export const PART = 1024 * 1024;

/** A part of a text: its bytes in the file JSON, and how many characters of the text are before it, in UTF-16 units. */
export type TextPart = { readonly start: number; readonly end: number; readonly at: number };

/** Work for the renderer: a page into the file `out`, the parts of a long text, the outlines of texts, a text that belongs to no page, or a cover. */
export type RenderJob = TextJob | CoverJob;

/** The format of a resized cover: WebP for pages, JPEG for programs that know no other. */
export type CoverForm = 'webp' | 'jpeg';

/** An image to resize: the bytes `start` to `end` (exclusive) of an edition's file JSON are its base64. */
export type CoverJob = {
  readonly task: 'cover';
  readonly form: CoverForm;
  readonly artefact: string;
  readonly start: number;
  readonly end: number;
  readonly out: string;
};

/** The tasks of the renderer. */
export type TextJob =
  | {
      readonly task: 'page';
      readonly text: StoredText;
      readonly item: { readonly kind: ItemKind; readonly slug: string };
      readonly files: readonly string[];
      readonly texts: readonly string[];
      /** Whether to show it as it is written, though it is Markdown. */
      readonly asPlain: boolean;
      readonly out: string;
    }
  | { readonly task: 'parts'; readonly text: StoredText }
  | { readonly task: 'outlines'; readonly texts: readonly StoredText[] }
  | ({ readonly task: 'text' } & EmbeddedText);

/** A Markdown text for a page of another kind: its first heading is of `level`, and no heading has an id. */
export type EmbeddedText = {
  readonly markdown: string;
  readonly level: number;
  /** The item it belongs to; null for a text of the stall's own. */
  readonly place: {
    readonly kind: ItemKind;
    readonly slug: string;
    readonly from: string;
    readonly files: readonly string[];
    readonly texts: readonly string[];
  } | null;
};

/** The renderer's answer to each. */
export type RenderResult<Job extends RenderJob> = Job extends { readonly task: 'outlines' }
  ? readonly Outline[]
  : Job extends { readonly task: 'parts' }
    ? readonly TextPart[]
    : Job extends { readonly task: 'text' }
      ? string | null
      : true;
