import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { containsKey } from '../platform/base/key.ts';
import { LONGEST_TEXT } from './chapter-limit.rule.ts';

/** Bytes read at a time, so that a file of any size needs constant memory. */
export const CHUNK_SIZE = 1 << 20;

/**
 * Reads a file once and returns its size, its SHA-256, whether it is text in UTF-8, and the kind of secret that it holds.
 * Passes each chunk to `also`. Throws system errors.
 */
export function hashFile(file: string, also?: (chunk: Buffer) => void) {
  const hasher = new Bun.CryptoHasher('sha256');
  let size = 0;
  let text = true;
  let secret: ReturnType<typeof findSecret> = null;
  let rest: Buffer = Buffer.alloc(0);
  let reach: Buffer = Buffer.alloc(0);
  readChunks(file, (chunk) => {
    hasher.update(chunk);
    also?.(chunk);
    size += chunk.length;
    // Searches the seam of two chunks apart: joining whole chunks would leave copies as large as the file as garbage.
    secret ??= findSecret(Buffer.concat([reach, chunk.subarray(0, 2 * SECRET_REACH)])) ?? findSecret(chunk);
    reach = Buffer.from(chunk.subarray(-SECRET_REACH));
    if (!text) return;
    const joined = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const whole = wholeCodePoints(joined);
    text = isUtf8(joined.subarray(0, whole));
    rest = Buffer.from(joined.subarray(whole));
  });
  return { size, sha256: hasher.digest('hex'), text: text && rest.length === 0, secret };
}

// One buffer for all files: allocating one for each costs more, in page faults, than reading.
let chunkBuffer: Buffer | null = null;

/**
 * Calls back with the bytes of a regular file, `CHUNK_SIZE` at a time; throws for anything else. All calls share one
 * buffer, so the callback must not call `readChunks` itself.
 */
export function readChunks(file: string, onChunk: (chunk: Buffer) => void): void {
  // The path may have become a link or a pipe since the folder was listed. With these flags a link is refused, and
  // opening a pipe does not block.
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!fstatSync(descriptor).isFile()) throw new Error(`"${file}" is not a regular file`);
    const buffer = (chunkBuffer ??= Buffer.allocUnsafeSlow(CHUNK_SIZE));
    for (;;) {
      const length = fill(descriptor, buffer);
      if (length === 0) return;
      onChunk(buffer.subarray(0, length));
      if (length < buffer.length) return;
    }
  } finally {
    closeSync(descriptor);
  }
}

function fill(descriptor: number, buffer: Buffer): number {
  let length = 0;
  while (length < buffer.length) {
    const read = readSync(descriptor, buffer, length, buffer.length - length, null);
    if (read === 0) break;
    length += read;
  }
  return length;
}

/** Returns the length of the longest prefix that does not cut a UTF-8 sequence: at most three bytes less than all. */
export function wholeCodePoints(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return needed > back ? bytes.length - back : bytes.length;
    }
  }
  return bytes.length;
}

/**
 * How many bytes are searched on each side of a text that is typical of a secret, such as "PRIVATE KEY". The end of each chunk
 * is searched again with the next, since a secret may begin in one and end in the other.
 */
const SECRET_REACH = 128;

const PRIVATE_KEY = /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/;
const MARKS = ['PRIVATE KEY', 'svc_', 'svi_', 'svp_'] as const;

/**
 * Returns the kind of secret in these bytes: 'private-key' for a private key's header, 'api-key' for a stall's key with a valid
 * checksum; else null.
 */
function findSecret(bytes: Buffer): 'private-key' | 'api-key' | null {
  for (const mark of MARKS) {
    for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + 1)) {
      const around = bytes.toString('latin1', Math.max(0, at - SECRET_REACH), at + SECRET_REACH);
      if (mark === 'PRIVATE KEY' ? PRIVATE_KEY.test(around) : containsKey(around)) {
        return mark === 'PRIVATE KEY' ? 'private-key' : 'api-key';
      }
    }
  }
  return null;
}

/** Reads a text of an item's folder, at most its first `LONGEST_TEXT` bytes; null if the path is no regular file. */
export function readText(folder: string, path: string): string | null {
  const file = join(folder, path);
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (stat?.isFile() !== true) return null;
  if (stat.size <= LONGEST_TEXT) return readFileSync(file, 'utf8');
  const [descriptor, bytes] = [openSync(file, 'r'), Buffer.alloc(LONGEST_TEXT)];
  try {
    return bytes.toString('utf8', 0, readSync(descriptor, bytes));
  } finally {
    closeSync(descriptor);
  }
}
