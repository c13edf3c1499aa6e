// Writes and reads the zip container, PKWARE APPNOTE 6.3.10, with fflate: no ZIP64, sizes in data descriptors (§4.3.9).
import { unzipSync, Zip, type ZipInputFile } from 'fflate';
import { END_OF_DEFLATE } from './gzip.ts';
import { Refusal } from '../../platform/base/refusal.ts';
import { crc32 } from 'node:zlib';
import {
  END_LENGTH,
  readZipEnd,
  readZipEntries,
  type ZipEntry,
  SIZE_LIMIT,
  DEFLATE,
  UNIX,
  REGULAR_FILE,
} from './zip-entry.ts';

const FILES_LIMIT = 0xffff;

// The time of every file. Zip stores local time, and fflate reads the local fields of a date, so that these give the
// same bytes in every time zone. Noon exists on each such day, while some zones skip an hour, and one (Samoa, 2011)
// skipped a day.
const MTIME = new Date(2000, 0, 1, 12);

interface Entry extends ZipInputFile {
  size: number;
  crc: number;
}

function assertFits(value: number, limit: number, what: string): void {
  // fflate would not fail but write the value modulo the size of the field.
  if (value >= limit)
    throw new Refusal('payload-too-large', `Cannot make a zip of ${what}: install the item instead`);
}

/**
 * Creates a writer of a zip archive from deflated chunks, one file after the other, then `finish`. Each piece is passed on
 * at once: memory is constant except one directory record for each file. Refuses `payload-too-large` from 65,535 files or
 * 4 GiB on, since fflate has no ZIP64.
 */
export function createZip(write: (bytes: Uint8Array) => void) {
  let files = 0;
  let written = 0;
  const zip = new Zip((error, bytes) => {
    if (error) throw error;
    written += bytes.length;
    assertFits(written, SIZE_LIMIT, '4 GiB or more');
    write(bytes);
  });
  const addFile = ({ path, executable }: { readonly path: string; readonly executable: boolean }) => {
    assertFits(++files, FILES_LIMIT, `${FILES_LIMIT.toLocaleString('en')} files or more`);
    const entry: Entry = {
      filename: path,
      size: 0,
      crc: 0,
      compression: DEFLATE,
      os: UNIX,
      mtime: MTIME,
      attrs: (REGULAR_FILE | (executable ? 0o755 : 0o644)) * 0x10000,
    };
    zip.add(entry);
    return {
      push: (deflated: Uint8Array<ArrayBuffer>) => entry.ondata?.(null, deflated, false),
      /** Ends the file. CRC-32 and size are those of its uncompressed bytes. */
      end: ({ crc32, size }: { readonly crc32: number; readonly size: number }) => {
        assertFits(size, SIZE_LIMIT, 'a file of 4 GiB or more');
        entry.crc = crc32;
        entry.size = size;
        entry.ondata?.(null, END_OF_DEFLATE, true);
      },
    };
  };
  return { addFile, finish: () => zip.end() };
}

type UnzipLimits = { readonly files: number; readonly bytes: number };

/**
 * An archive may unpack to at most this many times its own size. Text shrinks to a fifth, the XML of Word to a thirtieth: an
 * archive beyond this limit was made to fill disk and memory.
 */
const MOST_TIMES = 50;
/**
 * Any archive may unpack to this many bytes, whatever its own size: a small one with blank pages may shrink more than
 * others.
 */
const FREE_BYTES = 32 * 1024 ** 2;
const LONGEST_COMMENT = 0xffff;
const END = Buffer.from([0x50, 0x4b, 5, 6]);

/**
 * Unpacks a zip archive into its files by name. Before it unpacks anything, refuses an archive whose files exceed the limits or
 * whose names lead out of their folder. Also refuses a damaged one, whose files differ in size or checksum from its directory.
 */
export function unzip(archive: Uint8Array, limits: UnzipLimits): ReadonlyMap<string, Uint8Array> {
  try {
    const entries = entriesOf(archive);
    refuseTooMuch(entries, archive.length, limits);
    for (const { path } of entries)
      if (LEADS_OUT.test(path))
        throw refusal(
          `it holds ${JSON.stringify(path)}, which leads out of the folder that it is unpacked in`,
        );
    const files = unzipSync(archive, { filter: ({ name }) => !name.endsWith('/') });
    for (const { path, size, crc32: sum } of entries) {
      const bytes = Object.hasOwn(files, path) ? files[path] : undefined;
      if (bytes !== undefined && (bytes.length !== size || crc32(bytes) !== sum)) throw DAMAGED;
    }
    return new Map(Object.entries(files));
  } catch (cause) {
    throw cause instanceof Refusal ? cause : DAMAGED;
  }
}

function entriesOf(archive: Uint8Array): readonly ZipEntry[] {
  const tail = Buffer.from(archive.subarray(Math.max(0, archive.length - END_LENGTH - LONGEST_COMMENT)));
  const { start, end } = readZipEnd(tail.subarray(tail.lastIndexOf(END)));
  return readZipEntries(archive.subarray(start, end));
}

function refuseTooMuch(entries: readonly ZipEntry[], length: number, limits: UnzipLimits): void {
  const bytes = entries.reduce((sum, { size }) => sum + size, 0);
  if (entries.length > limits.files) throw refusal(`it holds more than ${limits.files} files`);
  if (bytes > limits.bytes) throw refusal(`it unpacks to more than ${limits.bytes} bytes`);
  if (bytes > FREE_BYTES && bytes > MOST_TIMES * length)
    throw refusal(`it unpacks to more than ${MOST_TIMES} times its size`);
}

const refusal = (reason: string): Refusal =>
  new Refusal('payload-too-large', `Cannot unpack the archive: ${reason}`);

/** Matches paths that lead out of a folder: an absolute path, a drive letter, or `..`. */
const LEADS_OUT = /^[/\\]|^[a-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)/i;

const DAMAGED = refusal('it is damaged, or no zip');
