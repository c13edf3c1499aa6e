import { expect, test } from 'bun:test';
import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { decodeInReusedMemory } from '../../src/catalog/base64.ts';
import {
  contentSlice,
  createContentDecoder,
  createTransientDecoder,
} from '../../src/catalog/file-content.ts';
import { createFileJson } from '../../src/catalog/file-json.ts';
import { runs } from '../runs.ts';

const HASH = 'a'.repeat(64);

/** Writes one file into a file JSON, and reads it back in pieces of the given lengths. */
function thereAndBack(
  path: string,
  bytes: Buffer,
  lengths: readonly number[],
  createDecoder = createContentDecoder,
): Buffer {
  const text = isUtf8(bytes);
  const written: Buffer[] = [];
  const fileJson = createFileJson((part) => written.push(Buffer.from(part)));
  const file = { path, text, size: bytes.length, sha256: HASH, executable: false };
  const record = fileJson.addFile(file);
  record.content(bytes);
  const json = record.end();
  fileJson.finish();
  const stamp = { inode: '', mtime: '', ctime: '', hashedAt: 0 };
  const { start, end } = contentSlice({ ...file, json, stamp });
  const slice = Buffer.concat(written).subarray(start, end);
  const decode = createDecoder({ text });
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const length of lengths) {
    parts.push(decode(slice.subarray(at, Math.min(at + length, slice.length)), false).slice());
    at = Math.min(at + length, slice.length);
  }
  parts.push(decode(slice.subarray(at), true));
  return Buffer.concat(parts);
}

const escapes = fc.array(fc.constantFrom('\\', '"', '\u0001', '\n', 'u', '005c', 'é', '狐', '🦊', '\ufeff'));
const content = fc.oneof(
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  fc.string({ unit: 'grapheme' }).map((text) => Buffer.from(text)),
  escapes.map((parts) => Buffer.from(parts.join(''))),
);

test.each([
  ['as bytes to keep', createContentDecoder],
  ['as bytes to send at once', createTransientDecoder],
])('a file read back from the file JSON, in any pieces, %s, has the same bytes', (_, createDecoder) => {
  fc.assert(
    fc.property(fc.string(), content, fc.array(fc.integer({ min: 1, max: 9 })), (path, bytes, lengths) => {
      expect(thereAndBack(path, bytes, lengths, createDecoder).equals(bytes)).toBeTrue();
    }),
    { numRuns: runs(3000) },
  );
});

test('base64 of any length is decoded as the runtime does', () => {
  for (const length of [0, 1, 2, 3, 255, 49_152, 49_153, 200_000]) {
    const bytes = randomBytes(length);
    const decoded = decodeInReusedMemory(Buffer.from(bytes.toString('base64')));
    expect(bytes.equals(decoded)).toBeTrue();
  }
});

test.each(['', '\\', '"\\"', '\\\\u005c\\', '\u0000'.repeat(4), '🦊'.repeat(3), '\ufeffx'])(
  '%j is read back one byte at a time',
  (text) => {
    const bytes = Buffer.from(text);
    expect(thereAndBack('a"b', bytes, Array<number>(100).fill(1)).equals(bytes)).toBeTrue();
  },
);
