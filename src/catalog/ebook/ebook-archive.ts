// OCF 3.2, https://www.w3.org/TR/epub-32/#sec-container-zip: the first entry is "mimetype", stored and without extra fields.
import { deflateChunk, END_OF_DEFLATE } from '../../archive/deflate.ts';
import { type ZipEntry, zipDirectory, zipHeader } from '../../archive/zip-entry.ts';

/** An archive being written: texts deflated, pictures as they are. */
export function createEbookArchive(put: (bytes: Uint8Array) => void) {
  const entries: ZipEntry[] = [];
  let at = 0;
  const write = (bytes: Uint8Array): void => {
    put(bytes);
    at += bytes.length;
  };
  const add = (path: string, bytes: Uint8Array, isStored: boolean): void => {
    const parts = isStored ? [bytes] : [deflateChunk(bytes), END_OF_DEFLATE];
    const deflated = parts.reduce((sum, { length }) => sum + length, 0);
    const crc32 = Bun.hash.crc32(bytes);
    const entry = { path, executable: false, crc32, size: bytes.length, deflated, start: 0, isStored };
    const header = zipHeader(entry);
    entries.push({ ...entry, start: at + header.length });
    write(header);
    parts.forEach(write);
  };
  add('mimetype', Buffer.from('application/epub+zip'), true);
  return {
    addText: (path: string, text: string): void => add(path, Buffer.from(text), false),
    addPicture: (path: string, bytes: Uint8Array): void => add(path, bytes, true),
    finish: (): void => write(zipDirectory(entries, at)),
  };
}

export type EbookArchive = ReturnType<typeof createEbookArchive>;
