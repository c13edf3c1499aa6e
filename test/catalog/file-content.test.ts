import { createFileReader } from '../../src/reading/ebook/ebook-job.ts';
import { expect, test } from 'bun:test';
import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { contentSlice, decodePieces } from '../../src/catalog/file-content.ts';
import { createFileJson } from '../../src/publishing/compile.ts';
import { temporaryDirectory } from '../helpers/harness.ts';
import { runs } from '../helpers/runs.ts';

const HASH = 'a'.repeat(64);

/** Writes one file into a file JSON, and reads it back in pieces of the given lengths. */
function thereAndBack(path: string, bytes: Buffer, lengths: readonly number[]): Buffer {
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
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const length of lengths) {
    pieces.push(slice.subarray(at, Math.min(at + length, slice.length)));
    at = Math.min(at + length, slice.length);
  }
  pieces.push(slice.subarray(at));
  return Buffer.concat([...decodePieces(pieces, { text })]);
}

const escapes = fc.array(fc.constantFrom('\\', '"', '\u0001', '\n', 'u', '005c', 'é', '狐', '🦊', '\ufeff'));
const content = fc.oneof(
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  fc.string({ unit: 'grapheme' }).map((text) => Buffer.from(text)),
  escapes.map((parts) => Buffer.from(parts.join(''))),
);

test('a file read back from the file JSON, in any pieces, has the same bytes', () => {
  fc.assert(
    fc.property(fc.string(), content, fc.array(fc.integer({ min: 1, max: 9 })), (path, bytes, lengths) => {
      expect(thereAndBack(path, bytes, lengths).equals(bytes)).toBeTrue();
    }),
    { numRuns: runs(3000) },
  );
});

test.each(['', '\\', '"\\"', '\\\\u005c\\', '\u0000'.repeat(4), '🦊'.repeat(3), '\ufeffx'])(
  '%j is read back one byte at a time',
  (text) => {
    const bytes = Buffer.from(text);
    expect(thereAndBack('a"b', bytes, Array<number>(100).fill(1)).equals(bytes)).toBeTrue();
  },
);

test.each([true, false])(
  'a file longer than a piece is read back through the reader of e-books: text %p',
  (text) => {
    const bytes = text ? Buffer.from('heron \n'.repeat(50_000)) : randomBytes(350_000);
    const artefact = join(temporaryDirectory(), 'files');
    const written: Buffer[] = [];
    const fileJson = createFileJson((part) => written.push(Buffer.from(part)));
    const file = { path: 'a', text, size: bytes.length, sha256: HASH, executable: false };
    const record = fileJson.addFile(file);
    record.content(bytes);
    const stamp = { inode: '', mtime: '', ctime: '', hashedAt: 0 };
    const place = { path: 'a', text, ...contentSlice({ ...file, json: record.end(), stamp }) };
    writeFileSync(artefact, Buffer.concat(written));
    writeFileSync(join(dirname(artefact), 'plain'), bytes);
    expect(createFileReader({ artefact, places: [place] })('a')?.equals(bytes)).toBeTrue();
    expect(createFileReader({ folder: dirname(artefact) })('plain')?.equals(bytes)).toBeTrue();
  },
);
