import { crc32 } from 'node:zlib';
import { unzipSync } from 'fflate';
import { Refusal } from '../refusal.ts';
import { END_LENGTH, readZipEnd, readZipEntries, type ZipEntry } from './zip-entry.ts';

/** The most that an archive may hold; `bytes` is the sum of its files' sizes. */
type UnzipLimits = { readonly files: number; readonly bytes: number };

/** Text packs to a fifth; an archive that unpacks to more than this times its size was made to fill a disk. */
const MOST_TIMES = 200;
/** Small archives of blank pages may pack better. */
const FREE_BYTES = 32 * 1024 ** 2;
const LONGEST_COMMENT = 0xffff;
const END = Buffer.from([0x50, 0x4b, 5, 6]);

/**
 * The files of a zip archive by name. Refuses one that would unpack to more than the limits before it does, and one that
 * is damaged: a file has the size and the checksum that the directory says. Refuses a name that leads out of its folder.
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

/** The archive's directory, before a comment of any length. */
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

function refusal(reason: string): Refusal {
  return new Refusal('payload-too-large', `Cannot unpack the archive: ${reason}`);
}

/** An absolute path, a drive, or a way up. */
const LEADS_OUT = /^[/\\]|^[a-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)/i;

const DAMAGED = refusal('it is damaged, or no zip');
