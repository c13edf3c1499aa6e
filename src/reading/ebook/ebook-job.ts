import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Artefact } from '../../catalog/artefact.ts';
import type { EbookChapter, EbookMetadata } from './package-document.ts';
import { decodePieces } from '../../catalog/file-content.ts';
import type { ChapterPoints } from './pointer-map.ts';
import { readPieces } from '../../platform/base/file-slice.ts';

/**
 * The place of an edition's files: an unpacked folder, or the JSON file with the contents of all of them, in which the encoded
 * content of each file reaches from `start` to `end`.
 */
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

/**
 * An e-book to be made. `map` is the file for the map of its places, `cover` the path of a picture in the item, and `drawing`
 * an SVG for the cover if that picture is missing or unusable.
 */
export type EbookPlan = {
  readonly name: string;
  readonly directory: string;
  readonly map: string;
  readonly source: EbookFiles;
  readonly paths: readonly string[];
  readonly book: EbookMetadata;
  readonly chapters: readonly (EbookChapter & { readonly path: string })[];
  readonly math: boolean;
  readonly cover: string | null;
  readonly drawing: string;
};

/**
 * One step of making an e-book: to unpack a superseded edition's tar, to render one chapter, to pack the finished
 * chapters, or to copy a publisher's own EPUB. `work` is the folder that holds the plan and the chapters. The Worker does it
 * in ebook.worker.ts.
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

export type EbookResult<Job extends EbookJob> = Job extends { readonly task: 'ebook-unpack' }
  ? UnpackedEdition
  : Job extends { readonly task: 'ebook-chapter' }
    ? true
    : Artefact;

export type UnpackedEdition = { readonly paths: readonly string[]; readonly chapters: EbookPlan['chapters'] };

type OpenedPlan = EbookPlan & {
  readonly files: ReadonlySet<string>;
  readonly chapterPaths: ReadonlySet<string>;
  readonly read: (path: string) => Buffer | null;
};

let known: { readonly work: string; readonly plan: OpenedPlan } | null = null;

/** The plan is a file, since with ten thousand files it is too large to be sent to the Worker with every job. */
export async function writePlan(work: string, plan: EbookPlan): Promise<void> {
  await writeFile(join(work, 'plan.json'), JSON.stringify(plan), { mode: 0o600 });
}

export function readPlan(work: string): OpenedPlan {
  if (known?.work === work) return known.plan;
  const written = JSON.parse(readFileSync(join(work, 'plan.json'), 'utf8')) as EbookPlan;
  const plan: OpenedPlan = {
    ...written,
    files: new Set(written.paths),
    chapterPaths: new Set(written.chapters.map(({ path }) => path)),
    read: createFileReader(written.source),
  };
  known = { work, plan };
  return plan;
}

type FinishedChapter = {
  readonly xhtml: string;
  readonly ids: Readonly<Record<string, string>>;
  readonly points: ChapterPoints;
};

const chapterPath = (work: string, chapter: number): string => join(work, `${chapter}.json`);

export function writeChapter(work: string, chapter: number, finished: FinishedChapter): void {
  writeFileSync(chapterPath(work, chapter), JSON.stringify(finished), { mode: 0o600 });
}

export const readChapter = (work: string, chapter: number): FinishedChapter =>
  JSON.parse(readFileSync(chapterPath(work, chapter), 'utf8')) as FinishedChapter;

export function* readFile(source: EbookFiles, path: string): Generator<Uint8Array> {
  if ('folder' in source) {
    // No path leads out of the folder: each was checked when the archive was unpacked.
    const file = join(source.folder, path);
    yield* readPieces({ file, start: 0, end: statSync(file).size });
    return;
  }
  const place = placesOf(source).get(path);
  if (place !== undefined) yield* decodePieces(readPieces({ ...place, file: source.artefact }), place);
}

type PlacedFiles = Exclude<EbookFiles, { readonly folder: string }>;

const places = new WeakMap<PlacedFiles, ReadonlyMap<string, PlacedFiles['places'][number]>>();

const placesOf = (source: PlacedFiles) =>
  places.getOrInsertComputed(source, () => new Map(source.places.map((place) => [place.path, place])));

export const createFileReader =
  (source: EbookFiles): ((path: string) => Buffer | null) =>
  (path) => {
    const pieces = Array.from(readFile(source, path), (piece) => piece.slice());
    return pieces.length === 0 ? null : Buffer.concat(pieces);
  };
