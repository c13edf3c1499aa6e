import type { EbookChapter, EbookMetadata } from '../../ebook/book.ts';
import type { Artefact } from '../artefact.ts';

/** The place of an edition's files: its file JSON, with the encoded content of each from `start` to `end`, or a folder. */
export type EbookFiles =
  | {
      readonly artefact: string;
      readonly places: readonly {
        readonly path: string;
        readonly text: boolean;
        readonly start: number;
        readonly end: number;
      }[];
    }
  | { readonly folder: string };

/** An e-book to be made; `cover` is a picture of the item's, and `drawing` what is shown without a usable one, as SVG. */
export type EbookPlan = {
  readonly name: string;
  readonly directory: string;
  readonly source: EbookFiles;
  readonly paths: readonly string[];
  readonly book: EbookMetadata;
  readonly chapters: readonly (EbookChapter & { readonly path: string })[];
  readonly cover: string | null;
  readonly drawing: string;
};

/**
 * Work for the renderer on an e-book: a kept edition's archive into a folder, one chapter, the finished chapters into an
 * archive, or a publisher's own EPUB into a file. `work` is the folder that holds the plan and the chapters.
 */
export type EbookJob =
  | {
      readonly task: 'ebook-unpack';
      readonly tarFile: string;
      readonly folder: string;
      readonly manifest: string;
    }
  | {
      readonly task: 'ebook-chapter';
      readonly work: string;
      readonly chapter: number;
      readonly asPlain: boolean;
    }
  | { readonly task: 'ebook-pack'; readonly work: string }
  | {
      readonly task: 'ebook-copy';
      readonly name: string;
      readonly directory: string;
      readonly source: EbookFiles;
      readonly path: string;
    };

/** The renderer's answer to each. */
export type EbookResult<Job extends EbookJob> = Job extends { readonly task: 'ebook-unpack' }
  ? UnpackedEdition
  : Job extends { readonly task: 'ebook-chapter' }
    ? true
    : Artefact;

/** A kept edition's paths and chapters. */
export type UnpackedEdition = {
  readonly paths: readonly string[];
  readonly chapters: EbookPlan['chapters'];
};
