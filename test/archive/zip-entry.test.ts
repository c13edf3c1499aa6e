import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { unzipSync } from 'fflate';
import {
  END_LENGTH,
  readZipEnd,
  readZipEntries,
  zipDirectory,
  zipHeader,
} from '../../src/archive/zip-entry.ts';
import { zipOf } from './tree.ts';
import { runs } from '../runs.ts';

const path = fc.stringMatching(/^[a-zé🦉]{1,20}$/u);
const tree = fc.uniqueArray(
  fc.record({ path, bytes: fc.uint8Array({ maxLength: 5000 }), executable: fc.boolean() }),
  { selector: (file) => file.path, maxLength: 8 },
);

test('the files of a zip come back under other paths, with their modes', () => {
  fc.assert(
    fc.property(tree, (files) => {
      const zip = zipOf(files);
      const { start, end } = readZipEnd(zip.subarray(-END_LENGTH));
      const parts: Uint8Array[] = [];
      const length = () => parts.reduce((sum, part) => sum + part.length, 0);
      const written = readZipEntries(zip.subarray(start, end)).map((entry) => {
        const moved = { ...entry, path: `below/${entry.path}` };
        parts.push(zipHeader(moved));
        const at = length();
        parts.push(zip.subarray(entry.start, entry.start + entry.deflated));
        return { ...moved, start: at };
      });
      parts.push(zipDirectory(written, length()));
      const made = Buffer.concat(parts);
      const read = Object.entries(unzipSync(made)).map(([path, bytes]) => [path, [...bytes]]);
      const own = Object.entries(unzipSync(zip)).map(([path, bytes]) => [`below/${path}`, [...bytes]]);
      expect(read).toEqual(own);
      const again = readZipEnd(made.subarray(-END_LENGTH));
      expect(readZipEntries(made.subarray(again.start, again.end))).toEqual(written);
    }),
    { numRuns: runs(200) },
  );
});

test.each([
  ['no end record', () => readZipEnd(new Uint8Array(END_LENGTH))],
  ['a damaged directory', () => readZipEntries(new Uint8Array(46))],
])('%s is an error', (_, act) => {
  expect(act).toThrow();
});
