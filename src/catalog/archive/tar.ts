// The ustar interchange format and the pax extended header, POSIX.1-2017 (IEEE Std 1003.1), utility `pax`,
// "ustar Interchange Format" and "pax Header Block".
export const BLOCK = 512;
const NAME_MAX = 100;
const PREFIX_MAX = 155;
const SIZE_MAX = 0o77777777777;

// The time of every file is fixed, so that the same files always give the same bytes. It is not in 1970: GNU tar would warn
// of an "implausibly old time stamp", and zip, which uses the same day, has no time before 1980.
const MTIME = octal(Date.UTC(2000, 0, 1, 12) / 1000, 11);

const ZERO_ID = `${octal(0, 7)}\0`;
const NO_LINK = '\0'.repeat(100);
const NO_OWNER_NAMES = '\0'.repeat(64);

const encoder = new TextEncoder();
const zeros = new Uint8Array(BLOCK);

export const TAR_END: Uint8Array<ArrayBuffer> = new Uint8Array(2 * BLOCK);

/** Returns the 0 to 511 zero bytes that follow a file of `size` bytes; do not write to them. */
export const tarPadding = (size: number): Uint8Array<ArrayBuffer> =>
  zeros.subarray(0, (BLOCK - (size % BLOCK)) % BLOCK);

interface Name {
  readonly prefix: string;
  readonly name: string;
}

function splitName(path: string): Name | undefined {
  if (!/^[\x20-\x7e]*$/.test(path)) return undefined;
  if (path.length <= NAME_MAX) return { prefix: '', name: path };
  const slash = path.indexOf('/', path.length - NAME_MAX - 1);
  if (slash < 1 || slash > PREFIX_MAX) return undefined;
  return { prefix: path.slice(0, slash), name: path.slice(slash + 1) };
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0');
}

interface Header extends Name {
  readonly mode: number;
  readonly size: number;
  readonly typeflag: '0' | '5' | 'x';
}

// The checksum is computed with its own eight bytes as spaces
function writeHeader(block: Uint8Array, { prefix, name, mode, size, typeflag }: Header): void {
  const fields =
    `${name.padEnd(NAME_MAX, '\0')}${octal(mode, 7)}\0${ZERO_ID}${ZERO_ID}${octal(size, 11)}\0${MTIME}\0        ` +
    `${typeflag}${NO_LINK}ustar\x0000${NO_OWNER_NAMES}${ZERO_ID}${ZERO_ID}${prefix}`;
  encoder.encodeInto(fields, block);
  let sum = 0;
  for (let i = 0; i < BLOCK; i++) sum += block[i] ?? 0;
  encoder.encodeInto(`${octal(sum, 6)}\0`, block.subarray(148));
}

// A record is "%d %s=%s\n", and its length includes the digits of the length itself.
function paxRecord(keyword: string, value: string): string {
  const rest = encoder.encode(` ${keyword}=${value}\n`).length;
  let length = rest + String(rest).length;
  length = rest + String(length).length;
  return `${length} ${keyword}=${value}\n`;
}

function paxEntry(records: string): Uint8Array<ArrayBuffer> {
  const content = encoder.encode(records);
  const entry = new Uint8Array(BLOCK + content.length + tarPadding(content.length).length);
  writeHeader(entry, { prefix: '', name: 'PaxHeaders', mode: 0o644, size: content.length, typeflag: 'x' });
  entry.set(content, BLOCK);
  return entry;
}

/**
 * Makes the header of a regular file of `size` bytes (up to 2^53 - 1), or of a folder if the path ends in a slash; the
 * mode is 0644 or 0755. Before its ustar block there is a pax entry if the path is not printable ASCII or does not fit
 * into a name of 100 and a prefix of 155 bytes, or if the size is 8 GiB or more. Behind the header come the file's bytes
 * and `tarPadding(size)`.
 */
export function tarHeader(path: string, size: number, executable: boolean): Uint8Array<ArrayBuffer> {
  const split = splitName(path);
  const records =
    (split ? '' : paxRecord('path', path)) + (size > SIZE_MAX ? paxRecord('size', String(size)) : '');
  const pax = records ? paxEntry(records) : zeros.subarray(0, 0);
  const header = new Uint8Array(pax.length + BLOCK);
  header.set(pax);
  writeHeader(header.subarray(pax.length), {
    // The name that programs without support for pax headers read.
    ...(split ?? { prefix: '', name: path.replace(/[^\x20-\x7e]/g, '_').slice(-NAME_MAX) }),
    mode: executable ? 0o755 : 0o644,
    size: size > SIZE_MAX ? 0 : size,
    typeflag: path.endsWith('/') ? '5' : '0',
  });
  return header;
}
