// The zip container, PKWARE APPNOTE 6.3.10, by fflate: no ZIP64, sizes in data descriptors (§4.3.9).
import { Zip, type ZipInputFile } from 'fflate';
import { END_OF_DEFLATE } from './gzip.ts';
import { Refusal } from '../refusal.ts';

const SIZE_LIMIT = 0xffffffff;
const FILES_LIMIT = 0xffff;
const DEFLATE = 8;
const UNIX = 3;
const REGULAR_FILE = 0o100000;

// Zip keeps local time, fflate asks the clock's zone for it: built from local fields, the bytes are the same in
// every zone. At noon, since some zones skip an hour, and in one case (Samoa, 2011) a day, elsewhere.
const MTIME = new Date(2000, 0, 1, 12);

/** A file of the archive that is being written. */
interface ZipFile {
  /** Adds output of `deflateChunk`. */
  readonly push: (deflated: Uint8Array<ArrayBuffer>) => void;
  /** Ends the file; CRC-32 and size are those of the bytes before deflating. */
  readonly end: (content: { readonly crc32: number; readonly size: number }) => void;
}

/** A zip archive being written: one file after the other, then `finish`. End each file before the next one is added. */
interface ZipWriter {
  readonly addFile: (file: { readonly path: string; readonly executable: boolean }) => ZipFile;
  readonly finish: () => void;
}

interface Entry extends ZipInputFile {
  size: number;
  crc: number;
}

function zipEntry(path: string, executable: boolean): Entry {
  const mode = REGULAR_FILE | (executable ? 0o755 : 0o644);
  return {
    filename: path,
    size: 0,
    crc: 0,
    compression: DEFLATE,
    os: UNIX,
    attrs: mode * 0x10000,
    mtime: MTIME,
  };
}

function assertFits(value: number, limit: number, what: string): void {
  // fflate would write the value modulo the field's size
  if (value >= limit)
    throw new Refusal('payload-too-large', `Cannot make a zip of ${what}: install the item instead`);
}

/**
 * Writes a zip archive from deflated chunks and passes each piece on at once: memory is constant except one directory
 * record a file. Refuses `payload-too-large` from 65,535 files or 4 GiB on, since fflate has no ZIP64.
 */
export function createZip(write: (bytes: Uint8Array) => void): ZipWriter {
  let files = 0;
  let written = 0;
  const zip = new Zip((error, bytes) => {
    if (error) throw error;
    written += bytes.length;
    assertFits(written, SIZE_LIMIT, '4 GiB or more');
    write(bytes);
  });
  const addFile: ZipWriter['addFile'] = ({ path, executable }) => {
    assertFits(++files, FILES_LIMIT, '65,535 files or more');
    const entry = zipEntry(path, executable);
    zip.add(entry);
    return {
      push: (deflated) => entry.ondata?.(null, deflated, false),
      end: ({ crc32, size }) => {
        assertFits(size, SIZE_LIMIT, 'a file of 4 GiB or more');
        entry.crc = crc32;
        entry.size = size;
        entry.ondata?.(null, END_OF_DEFLATE, true);
      },
    };
  };
  return { addFile, finish: () => zip.end() };
}
