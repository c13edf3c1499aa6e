import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateChunk, END_OF_DEFLATE } from '../archive/gzip.ts';
import {
  END_LENGTH,
  readZipEnd,
  readZipEntries,
  zipDirectory,
  type ZipEntry,
  zipHeader,
} from '../archive/zip-entry.ts';
import { createTurns } from '../turn.ts';
import { type Artefact, writeArtefact } from './artefact.ts';
import type { OpenedArtefact } from './artefact-shelf.ts';

/** Raised whenever other bytes are written for the same skill. */
const FORMAT = 1;
/** Bytes copied at a time. */
const PIECE = 1 << 18;

/** The directory of the archives of skills, laid out like a data directory's own artefacts. */
export function skillArchiveDirectory(dataDirectory: string): string {
  return join(dataDirectory, 'skills');
}

/** The name of a skill's archive, from all that its bytes follow from. */
export function skillArchiveName(inputs: readonly (string | null)[]): string {
  return createHash('sha256')
    .update(JSON.stringify(['skill', FORMAT, ...inputs]))
    .digest('hex');
}

/** The parts of an archive: files of an item's zip under other paths, and a text of its own before them. */
type SkillArchive = {
  readonly name: string;
  readonly zip: OpenedArtefact;
  readonly zipSize: number;
  /** Paths in the zip and in the archive, in the archive's order. */
  readonly files: readonly { readonly from: string; readonly to: string }[];
  readonly text: { readonly path: string; readonly content: string } | null;
};

/** Writes an archive beside the deflated bytes it shares with the zip. Yields between pieces. Throws system errors and BrokenArtefact. */
export async function makeSkillArchive(
  dataDirectory: string,
  { name, zip, zipSize, files, text }: SkillArchive,
): Promise<Artefact> {
  await using source = await open(zip.file, 'r');
  const read = async (start: number, end: number): Promise<Uint8Array> => {
    const bytes = new Uint8Array(end - start);
    await source.read(bytes, 0, bytes.length, start);
    return bytes;
  };
  const turn = createTurns();
  return await writeArtefact(dataDirectory, { kind: 'skill', name }, async (write) => {
    let at = 0;
    const put = (bytes: Uint8Array): void => {
      write(bytes);
      at += bytes.length;
    };
    const written: ZipEntry[] = [];
    const begin = (entry: ZipEntry): void => {
      const header = zipHeader(entry);
      written.push({ ...entry, start: at + header.length });
      put(header);
    };
    if (text !== null) putText(text, begin, put);
    const { start, end } = readZipEnd(await read(zipSize - END_LENGTH, zipSize));
    const entries = new Map(readZipEntries(await read(start, end)).map((entry) => [entry.path, entry]));
    for (const { from, to } of files) {
      const entry = entries.get(from);
      if (entry === undefined) throw new Error(`The zip has no "${from}"`);
      begin({ ...entry, path: to });
      const last = entry.start + entry.deflated;
      for (let from = entry.start; from < last; from += PIECE) {
        put(await read(from, Math.min(last, from + PIECE)));
        await turn();
      }
    }
    put(zipDirectory(written, at));
  });
}

function putText(
  { path, content }: NonNullable<SkillArchive['text']>,
  begin: (entry: ZipEntry) => void,
  put: (bytes: Uint8Array) => void,
): void {
  const bytes = Buffer.from(content);
  const deflated = deflateChunk(bytes);
  begin({
    path,
    executable: false,
    crc32: Bun.hash.crc32(bytes),
    size: bytes.length,
    deflated: deflated.length + END_OF_DEFLATE.length,
    start: 0,
  });
  put(deflated);
  put(END_OF_DEFLATE);
}
