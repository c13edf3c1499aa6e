import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readFileRecord } from '../../src/catalog/file-record.ts';
import { createFileJson } from '../../src/publishing/compile.ts';
import { CHUNK_SIZE, hashFile } from '../../src/catalog/file-scan.ts';
import { temporaryDirectory } from '../helpers/harness.ts';
import { compile, makeItem } from './item-folder.ts';
import { runs } from '../helpers/runs.ts';

type Record = {
  readonly path: string;
  readonly content: string;
  readonly sha256: string;
  readonly encoding?: string;
};

/** The file JSON of files given in chunks of any sizes, and the records cut out of it. */
function write(files: readonly { path: string; bytes: Buffer; cuts: readonly number[] }[]) {
  const parts: Buffer[] = [];
  const json = createFileJson((bytes) => parts.push(Buffer.from(bytes)));
  const places = files.map(({ path, bytes, cuts }) => {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const record = json.addFile({ path, size: bytes.length, sha256, executable: false, text: isUtf8(bytes) });
    const borders = [
      0,
      ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b),
      bytes.length,
    ];
    borders.slice(1).forEach((end, n) => record.content(bytes.subarray(borders[n], end)));
    return record.end();
  });
  json.finish();
  const whole = Buffer.concat(parts);
  return {
    records: (JSON.parse(whole.toString()) as { files: Record[] }).files,
    cut: places.map(({ start, end }) => JSON.parse(whole.toString('utf8', start, end)) as Record),
  };
}

function bytesOf({ content, encoding }: Record): Buffer {
  return encoding === 'base64' ? Buffer.from(content, 'base64') : Buffer.from(content);
}

const texts = fc
  .string({ unit: 'binary', maxLength: 60 })
  .filter((text) => text.isWellFormed())
  .map((text) => Buffer.from(text));
const anyBytes = fc.oneof(
  texts,
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
);
const file = fc.record({
  path: fc.string({ unit: 'binary' }).filter((path) => path.isWellFormed()),
  bytes: anyBytes,
  cuts: fc.array(fc.nat(60), { maxLength: 8 }),
});

test('any bytes in any chunks come back as exactly those bytes, as text if they are UTF-8', () => {
  fc.assert(
    fc.property(fc.array(file, { maxLength: 5 }), (files) => {
      const { records, cut } = write(files);
      expect(cut).toEqual(records);
      expect(records.map(bytesOf)).toEqual(files.map(({ bytes }) => bytes));
      expect(records.map(({ path }) => path)).toEqual(files.map(({ path }) => path));
      expect(records.map(({ encoding }) => encoding === undefined)).toEqual(
        files.map(({ bytes }) => isUtf8(bytes)),
      );
    }),
    { numRuns: runs(500) },
  );
});

test.each([
  ['a BOM', '\ufefftext'],
  ['NUL and control characters', '\u0000\u0001\u007f\u0085'],
  ['line separators and quotation marks', '\u2028\u2029"\\</script>'],
  ['nothing', ''],
])('%s is kept', (_, text) => {
  const [record] = write([{ path: 'a', bytes: Buffer.from(text), cuts: [] }]).records;
  expect(record).toEqual({
    path: 'a',
    content: text,
    sha256: createHash('sha256').update(text).digest('hex'),
  });
});

test.each(['é', '€', '😀'])('%s cut anywhere by the border of two chunks is text', (character) => {
  const width = Buffer.byteLength(character);
  const directory = temporaryDirectory();
  for (let cut = 0; cut <= width; cut++) {
    const bytes = Buffer.from(`${'x'.repeat(CHUNK_SIZE - cut)}${character}end`);
    writeFileSync(join(directory, 'text'), bytes);
    expect(hashFile(join(directory, 'text')).text).toBe(true);
    writeFileSync(join(directory, 'cut'), bytes.subarray(0, CHUNK_SIZE - cut + width - 1));
    expect(hashFile(join(directory, 'cut')).text).toBe(false);
  }
});

test('a compiled item has every record at the byte range in its edition', () => {
  const border = Buffer.from(`${'x'.repeat(CHUNK_SIZE - 2)}€ and on`);
  const binary = Buffer.concat([border, Buffer.from([0xff])]);
  const files = { '01.md': '\ufeffone\r\n', 'a.txt': border, 'b.bin': binary, 'c.empty': '' };
  const data = temporaryDirectory();
  const edition = compile(makeItem(files), data);
  for (const one of edition.files) {
    const record = readFileRecord(data, edition, one);
    expect(bytesOf(record).equals(Buffer.from(files[one.path as keyof typeof files]))).toBe(true);
    expect({ path: record.path, sha256: record.sha256 }).toEqual({ path: one.path, sha256: one.sha256 });
  }
  expect(edition.files.map(({ text }) => text)).toEqual([true, true, false, true]);
});
