import { existsSync, rmSync } from 'node:fs';
import type { Chapter } from '../item/chapter.ts';
import type { Manifest } from '../item/item.ts';
import { type Artefact, artefactFile, artefactName, placeArtefact, temporaryFile } from './artefact.ts';
import type { Edition } from './edition.ts';
import { readFileRecord } from './file-record.ts';
import { hashFile } from './hash.ts';
import type { RefreshJob } from './refresh-job.ts';

/** The port that search fills: writes a book's index to a new file; false if the book has no text to index. */
export type CompileIndex = (
  file: string,
  book: { readonly manifest: Manifest; readonly chapters: Iterable<IndexedChapter> },
) => boolean;

type IndexedChapter = Chapter & { readonly content: string };

/** The previous edition's index if it is of these chapters, else undefined. */
export function reuseIndex(
  job: RefreshJob,
  manifest: Manifest,
  digest: string,
  chapters: readonly Chapter[],
): Artefact | undefined {
  const index = job.previous?.artefacts.index;
  if (job.rebuild || index?.name !== artefactName('index', manifest, digest, chapters)) return undefined;
  return existsSync(artefactFile(job.dataDirectory, index)) ? index : undefined;
}

/** The book's index, made from the verified file JSON and not from the folder, which may change at any time. */
export function makeIndex(job: RefreshJob, edition: Edition, compileIndex: CompileIndex): Artefact | null {
  const { manifest, digest, chapters } = edition;
  if (manifest.kind !== 'book') return null;
  const temporary = temporaryFile(job.dataDirectory);
  try {
    if (!compileIndex(temporary, { manifest, chapters: readChapters(job.dataDirectory, edition) }))
      return null;
    const { size, sha256 } = hashFile(temporary);
    const artefact: Artefact = {
      kind: 'index',
      name: artefactName('index', manifest, digest, chapters),
      size,
      sha256,
      crc32: 0,
      rawSize: size,
    };
    placeArtefact(job.dataDirectory, artefact, temporary);
    return artefact;
  } finally {
    rmSync(temporary, { force: true });
  }
}

function* readChapters(dataDirectory: string, edition: Edition): Iterable<IndexedChapter> {
  const files = new Map(edition.files.map((file) => [file.path, file]));
  for (const chapter of edition.chapters) {
    const file = files.get(chapter.path);
    if (file !== undefined)
      yield { ...chapter, content: readFileRecord(dataDirectory, edition, file).content };
  }
}
