import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateChunk, END_OF_DEFLATE } from './archive/gzip.ts';
import {
  END_LENGTH,
  readZipEnd,
  readZipEntries,
  zipDirectory,
  type ZipEntry,
  zipHeader,
} from './archive/zip-entry.ts';
import { sha256 } from '../platform/base/runtime.ts';
import { createTurns } from '../platform/base/turn.ts';
import { type Artefact, writeArtefact } from './artefact.ts';
import type { OpenedArtefact } from './artefact-cache.ts';

export type { StoredSkillArchive } from './skill-archive.sql.ts';

/** The version of a skill's archive, raised whenever other bytes are written for the same skill. */
const FORMAT = 1;
const PIECE = 1 << 18;

export const skillArchiveDirectory = (dataDirectory: string): string => join(dataDirectory, 'skills');

export const skillArchiveName = (inputs: readonly (string | null)[]): string =>
  sha256(JSON.stringify(['skill', FORMAT, ...inputs]));

/**
 * The contents of a skill's archive: files from the item's zip, under other paths, and before them a text that the zip
 * lacks.
 */
type SkillArchive = {
  readonly name: string;
  readonly zip: OpenedArtefact;
  readonly zipSize: number;
  readonly files: readonly { readonly from: string; readonly to: string }[];
  readonly text: { readonly path: string; readonly content: string } | null;
};

/**
 * Writes a skill's archive, copying the deflated bytes of its files from the item's zip. Yields between pieces. Throws
 * system errors, and if the zip lacks a file.
 */
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
    const archive = createZipWriter(write);
    if (text !== null) archive.add(text.path, Buffer.from(text.content));
    const { start, end } = readZipEnd(await read(zipSize - END_LENGTH, zipSize));
    const entries = new Map(readZipEntries(await read(start, end)).map((entry) => [entry.path, entry]));
    for (const { from, to } of files) {
      const entry = entries.get(from);
      if (entry === undefined) throw new Error(`The zip has no "${from}"`);
      archive.begin({ ...entry, path: to });
      const last = entry.start + entry.deflated;
      for (let from = entry.start; from < last; from += PIECE) {
        archive.put(await read(from, Math.min(last, from + PIECE)));
        await turn();
      }
    }
    archive.finish();
  });
}

export function createZipWriter(write: (bytes: Uint8Array) => void) {
  const entries: ZipEntry[] = [];
  let at = 0;
  const put = (bytes: Uint8Array): void => {
    write(bytes);
    at += bytes.length;
  };
  const begin = (entry: ZipEntry): void => {
    const header = zipHeader(entry);
    entries.push({ ...entry, start: at + header.length });
    put(header);
  };
  return {
    put,
    begin,
    add(path: string, bytes: Uint8Array, { isStored = false, executable = false } = {}): void {
      const parts = isStored ? [bytes] : [deflateChunk(bytes), END_OF_DEFLATE];
      const deflated = parts.reduce((sum, { length }) => sum + length, 0);
      const crc32 = Bun.hash.crc32(bytes);
      begin({ path, executable, crc32, size: bytes.length, deflated, start: 0, isStored });
      parts.forEach(put);
    },
    finish: (): void => put(zipDirectory(entries, at)),
  };
}
