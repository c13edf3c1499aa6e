import { readSlice } from '../platform/base/file-slice.ts';
import { artefactFile } from './artefact.ts';
import type { Edition, EditionFile } from './catalog.ts';

export type FileRecord = {
  readonly path: string;
  readonly content: string;
  readonly sha256: string;
  readonly encoding?: 'base64';
};

export function readFileRecord(dataDirectory: string, edition: Edition, file: EditionFile): FileRecord {
  const artefact = edition.artefacts.files;
  if (artefact === undefined) throw new Error(`No file JSON of "${edition.manifest.slug}"`);
  const bytes = readSlice(artefactFile(dataDirectory, artefact), file.json.start, file.json.end);
  return JSON.parse(bytes.toString()) as FileRecord;
}
