import { readFileRecord } from '../catalog/file-record.ts';
import { existsSync, rmSync } from 'node:fs';
import { type Chapter } from '../catalog/chapters.rule.ts';
import type { Manifest } from '../catalog/item.rule.ts';
import {
  type Artefact,
  artefactFile,
  artefactName,
  type IndexKind,
  placeArtefact,
  temporaryFile,
} from '../catalog/artefact.ts';
import type { Edition } from '../catalog/catalog.ts';
import type { RefreshJob } from '../catalog/compile-job.ts';
import { hashFile } from '../catalog/file-scan.ts';
import { buildIndex } from './search/build.sql.ts';
import type { AskedRange, SectionQuestions } from './section-questions.ts';

/** Writes the search index of a book to a new file. Returns false if the book has no text to index. */
export type CompileIndex = (
  file: string,
  book: { readonly manifest: Manifest; readonly chapters: Iterable<IndexedChapter> },
) => boolean;

export const compileIndex: CompileIndex = (file, { manifest: { language, math, aliases }, chapters }) =>
  buildIndex(file, { language, math, aliases, chapters }).passages > 0;

type IndexedChapter = Chapter & { readonly content: string; readonly asked?: readonly AskedRange[] };

/** A search index that a book needs. `made` is its file (artefact) if there is one; null if `chapters` must be indexed. */
type PlannedIndex = {
  readonly kind: IndexKind;
  readonly chapters: readonly Chapter[];
  readonly questions: SectionQuestions | null;
  readonly name: string;
  readonly made: Artefact | null;
};

export function planIndexes(
  job: RefreshJob,
  {
    manifest,
    digest,
    chapters,
    questions,
  }: Pick<Edition, 'manifest' | 'digest' | 'chapters'> & { readonly questions: SectionQuestions | null },
): readonly PlannedIndex[] {
  const plan = (kind: IndexKind, its: readonly Chapter[]): PlannedIndex => {
    const name = artefactName(kind, { manifest, digest, chapters: its, questions: questions?.sha256 });
    const known = job.rebuild ? undefined : job.previous?.artefacts[kind];
    const isThere = known?.name === name && existsSync(artefactFile(job.dataDirectory, known));
    return { kind, chapters: its, questions, name, made: isThere ? known : null };
  };
  const samples = chapters.filter(({ path }) => manifest.sample.includes(path));
  if (manifest.kind !== 'book') return [];
  return [plan('index', chapters), ...(samples.length > 0 ? [plan('sample', samples)] : [])];
}

/**
 * Makes the planned indexes that do not exist yet, and returns all that hold text. Reads the texts from the edition's verified
 * JSON file, since the item's folder may change at any time.
 */
export function makeIndexes(
  job: RefreshJob,
  edition: Edition,
  planned: readonly PlannedIndex[],
  compileIndex: CompileIndex,
): Readonly<Partial<Record<IndexKind, Artefact>>> {
  const made = planned.map((one) => [one.kind, one.made ?? makeIndex(job, edition, one, compileIndex)]);
  return Object.fromEntries(made.filter(([, artefact]) => artefact !== null));
}

function makeIndex(
  { dataDirectory }: RefreshJob,
  edition: Edition,
  { kind, chapters, questions, name }: PlannedIndex,
  compileIndex: CompileIndex,
): Artefact | null {
  const temporary = temporaryFile(dataDirectory);
  try {
    // Reads lazily, so that only one chapter at a time is in memory.
    const read = {
      [Symbol.iterator]: () => readChapters(dataDirectory, { ...edition, chapters }, questions),
    };
    if (!compileIndex(temporary, { manifest: edition.manifest, chapters: read })) return null;
    const { size, sha256 } = hashFile(temporary);
    const artefact: Artefact = { kind, name, size, sha256, crc32: 0, rawSize: size };
    placeArtefact(dataDirectory, artefact, temporary);
    return artefact;
  } finally {
    rmSync(temporary, { force: true });
  }
}

function* readChapters(
  dataDirectory: string,
  edition: Edition,
  questions: SectionQuestions | null,
): Generator<IndexedChapter, void> {
  const files = new Map(edition.files.map((file) => [file.path, file]));
  for (const chapter of edition.chapters) {
    const file = files.get(chapter.path);
    if (file !== undefined)
      yield {
        ...chapter,
        content: readFileRecord(dataDirectory, edition, file).content,
        asked: questions?.byPath.get(chapter.path) ?? [],
      };
  }
}
