// An edition keeps the contents of its files in one JSON file. This code turns a file's record there back into its bytes.
import type { EditionFile } from './catalog.ts';
import { wholeCodePoints } from './file-scan.ts';

export function contentSlice({ path, text, json }: EditionFile): {
  readonly start: number;
  readonly end: number;
} {
  const before = `{"path":${JSON.stringify(path)},"content":"`;
  const after = `","sha256":"${'0'.repeat(64)}"${text ? '' : ',"encoding":"base64"'}}`;
  return { start: json.start + Buffer.byteLength(before), end: json.end - after.length };
}

/**
 * Decodes a file's content from pieces of its record in the edition's JSON file. Each yielded piece is a new buffer, which
 * the caller may keep.
 */
export function* decodePieces(
  pieces: Iterable<Uint8Array>,
  file: Pick<EditionFile, 'text'>,
): Generator<Uint8Array, void> {
  // A text is stored with JSON's escapes, any other file in base64.
  const decode = file.text ? createDecoder(wholeEscapes, unescape) : createDecoder(wholeGroups, fromBase64);
  for (const piece of pieces) yield decode(piece, false);
  yield decode(new Uint8Array(0), true);
}

/** Makes a decoder that decodes the whole characters of each piece, and keeps an incomplete one for the next. */
function createDecoder(
  wholeLength: (bytes: Buffer) => number,
  decode: (bytes: Buffer) => Uint8Array<ArrayBuffer>,
) {
  let rest: Buffer = Buffer.alloc(0);
  return (part: Uint8Array, isLast: boolean) => {
    const view = Buffer.from(part.buffer, part.byteOffset, part.length);
    const joined = rest.length === 0 ? view : Buffer.concat([rest, view]);
    const whole = isLast ? joined.length : wholeLength(joined);
    rest = Buffer.from(joined.subarray(whole));
    return decode(joined.subarray(0, whole));
  };
}

const BACKSLASH = 0x5c;
const U = 0x75;

/** Returns the length of the longest prefix that ends in the middle of neither an escape nor a UTF-8 sequence. */
export function wholeEscapes(bytes: Buffer): number {
  const end = wholeCodePoints(bytes);
  const last = bytes.lastIndexOf(BACKSLASH, end - 1);
  if (last === -1 || last < end - 6) return end;
  const length = bytes[last + 1] === U ? 6 : 2;
  return isEscaped(bytes, last) || last + length <= end ? end : last;
}

/** Whether the byte at `at` is escaped: whether an odd number of backslashes comes before it. */
export function isEscaped(bytes: Buffer, at: number): boolean {
  let first = at;
  while (bytes[first - 1] === BACKSLASH) first--;
  return (at - first) % 2 === 1;
}

const unescape = (json: Buffer): Buffer<ArrayBuffer> =>
  Buffer.from(JSON.parse(`"${json.toString()}"`) as string);

const wholeGroups = (bytes: Buffer): number => bytes.length - (bytes.length % 4);

const fromBase64 = (base64: Buffer): Buffer<ArrayBuffer> => Buffer.from(base64.toString('latin1'), 'base64');
