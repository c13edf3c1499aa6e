// Reads the directory of zip archives, and copies the compressed files of those by `createZip` into new archives under other
// paths: PKWARE APPNOTE 6.3.10 without ZIP64.
import { Refusal } from '../../platform/base/refusal.ts';

export type ZipEntry = {
  readonly path: string;
  readonly executable: boolean;
  readonly crc32: number;
  readonly size: number;
  readonly deflated: number;
  readonly start: number;
  readonly isStored?: boolean;
};

const LOCAL = { signature: 0x04034b50, length: 30 } as const;
const CENTRAL = { signature: 0x02014b50, length: 46 } as const;
/** The length of the end record of an archive without a comment. */
export const END_LENGTH = 22;
const END = 0x06054b50;
export const SIZE_LIMIT = 0xffffffff;
const UTF8 = 0x800;
export const DEFLATE = 8;
const VERSION = 20;
export const UNIX = 3;
export const REGULAR_FILE = 0o100000;
const [TIME, DATE] = [12 << 11, ((2000 - 1980) << 9) | (1 << 5) | 1];

export function readZipEnd(end: Uint8Array): { readonly start: number; readonly end: number } {
  const view = viewOf(end);
  if (view.getUint32(0, true) !== END) throw new Error('The zip has no end record');
  const start = view.getUint32(16, true);
  return { start, end: start + view.getUint32(12, true) };
}

/**
 * Reads the entries of an archive's directory. `start` is right only if the local headers have no extra fields, as in archives
 * by `createZip`: it is computed from the lengths of the names alone.
 */
export function readZipEntries(directory: Uint8Array): readonly ZipEntry[] {
  const view = viewOf(directory);
  const entries: ZipEntry[] = [];
  for (let at = 0; at < directory.length;) {
    if (view.getUint32(at, true) !== CENTRAL.signature) throw new Error('The zip has a damaged directory');
    const nameLength = view.getUint16(at + 28, true);
    const name = directory.subarray(at + CENTRAL.length, at + CENTRAL.length + nameLength);
    entries.push({
      path: Buffer.from(name).toString(),
      executable: ((view.getUint32(at + 38, true) >>> 16) & 0o100) !== 0,
      crc32: view.getUint32(at + 16, true),
      size: view.getUint32(at + 24, true),
      deflated: view.getUint32(at + 20, true),
      start: view.getUint32(at + 42, true) + LOCAL.length + nameLength,
    });
    at += CENTRAL.length + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

export function zipHeader(entry: ZipEntry): Uint8Array {
  const name = Buffer.from(entry.path);
  const header = Buffer.alloc(LOCAL.length + name.length);
  header.writeUInt32LE(LOCAL.signature, 0);
  writeCommon(header, 4, entry, name.length);
  name.copy(header, LOCAL.length);
  return header;
}

/**
 * Writes the directory and end record of an archive, which follow its files from offset `at` on. The `start` of each
 * entry is its offset in this archive. Refuses an archive of 4 GiB or more, or with more than 65,535 files.
 */
export function zipDirectory(entries: readonly ZipEntry[], at: number): Uint8Array {
  const records = entries.map(centralRecord);
  const size = records.reduce((sum, { length }) => sum + length, 0);
  if (at + size > SIZE_LIMIT || entries.length > 0xffff)
    throw new Refusal('payload-too-large', 'Cannot make a zip of 4 GiB or more: install the item instead');
  const end = Buffer.alloc(END_LENGTH);
  end.writeUInt32LE(END, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...records, end]);
}

function centralRecord(entry: ZipEntry): Uint8Array {
  const name = Buffer.from(entry.path);
  const record = Buffer.alloc(CENTRAL.length + name.length);
  record.writeUInt32LE(CENTRAL.signature, 0);
  record.writeUInt16LE((UNIX << 8) | VERSION, 4);
  writeCommon(record, 6, entry, name.length);
  const mode = REGULAR_FILE | (entry.executable ? 0o755 : 0o644);
  record.writeUInt32LE((mode << 16) >>> 0, 38);
  record.writeUInt32LE(entry.start - LOCAL.length - name.length, 42);
  name.copy(record, CENTRAL.length);
  return record;
}

function writeCommon(
  record: Buffer,
  at: number,
  { path, crc32, size, deflated, isStored = false }: ZipEntry,
  nameLength: number,
): void {
  record.writeUInt16LE(VERSION, at);
  record.writeUInt16LE(/^[\x20-\x7e]*$/.test(path) ? 0 : UTF8, at + 2);
  record.writeUInt16LE(isStored ? 0 : DEFLATE, at + 4);
  record.writeUInt16LE(TIME, at + 6);
  record.writeUInt16LE(DATE, at + 8);
  record.writeUInt32LE(crc32, at + 10);
  record.writeUInt32LE(deflated, at + 14);
  record.writeUInt32LE(size, at + 18);
  record.writeUInt16LE(nameLength, at + 22);
}

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
