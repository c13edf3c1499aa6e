import type { ItemKind } from '../../item/item.ts';
import type { Outline } from '../../markup/outline.ts';

/** A text's record in its edition's file JSON. */
export type StoredText = {
  readonly path: string;
  readonly artefact: string;
  readonly start: number;
  readonly end: number;
};

/** Work for the renderer: a page into the file `out`, the outlines of texts, a text that belongs to no page, or a cover. */
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
  : Job extends { readonly task: 'text' }
    ? string | null
    : true;
