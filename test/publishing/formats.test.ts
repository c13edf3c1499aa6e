import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { crc32, deflateSync, inflateRawSync, inflateSync } from 'node:zlib';
import { unzipSync } from 'fflate';
import { itemYaml, openStall, until } from '../helpers/harness.ts';

/** A white picture of 600 x 900, as PNG. */
function whitePng(): Uint8Array {
  const chunk = (type: string, data: Uint8Array) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  const head = Buffer.from([0, 0, 2, 88, 0, 0, 3, 132, 8, 0, 0, 0, 0]);
  const rows = deflateSync(
    Buffer.concat(Array(900).fill(Buffer.concat([Buffer.of(0), Buffer.alloc(600, 255)]))),
  );
  const parts = [chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', new Uint8Array())];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts]);
}

const stall = await openStall({
  now: () => Date.UTC(2026, 10, 20),
  config: { baseUrl: 'https://stall.example' },
  files: {
    'books/golden/item.yaml': itemYaml({
      id: 'golden',
      language: 'en',
      cover: 'cover.png',
      sample: '[01.md]',
    }),
    'books/golden/01.md':
      '# One\n\nA heron stands on **one** leg.[^1]\n\n```js\nlet leg = 1;\n```\n\n[^1]: Mostly.\n',
    'books/golden/02.md': '# Two\n\nThe cold water would chill both.\n',
    'books/golden/cover.png': whitePng(),
    'books/golden/run.sh': '#!/bin/sh\necho 1\n',
  },
});
const get = (path: string) => fetch(`${stall.app.localOrigin}${path}`);
for (const path of ['/books/golden/read/01.md', '/api/books/golden/epub', '/api/books/golden/skill'])
  expect((await get(path)).status).toBe(200);
const [cover] = /\/covers\/golden-[^"]+\.webp/.exec(await (await get('/')).text()) ?? [''];
await get(cover);
const filesOf = () =>
  (readdirSync(stall.data, { recursive: true }) as string[]).map((path) => join(stall.data, path));
await until(() => filesOf().some((path) => path.endsWith('.webp')));

/** A value of a file that its bytes follow from, on every processor: one may deflate a text to other bytes than another. */
const READ: Readonly<Record<string, (file: Uint8Array, path: string) => unknown>> = {
  tar: (file) => inflateRawSync(file).toString('latin1'),
  zip: (file) =>
    Object.entries(unzipSync(file)).map(([path, bytes]) => [path, Buffer.from(bytes).toString('latin1')]),
  pack: readPack,
  index(_, path) {
    const db = new Database(path, { readonly: true });
    const rows = ['book', 'chapter', 'passage', 'word', 'place'].map((table) =>
      db.query(`SELECT * FROM ${table}`).values(),
    );
    db.close();
    return rows;
  },
};
const ALIKE: Readonly<Record<string, string>> = { epub: 'zip', skill: 'zip', sample: 'index' };

/** The objects of a pack's body, which is cut into lines of a side band. */
function readPack(file: Uint8Array): unknown {
  const lines: Uint8Array[] = [];
  for (let at = 0; at < file.length;) {
    const length = Number.parseInt(Buffer.from(file.subarray(at, at + 4)).toString(), 16);
    lines.push(file.subarray(at + 5, at + length));
    at += length;
  }
  const pack = Buffer.concat(lines);
  const objects: (readonly [type: number, content: string])[] = [];
  for (let at = 0; at < pack.length;) {
    const type = (pack[at]! >> 4) & 7;
    while (pack[at++]! & 128);
    const { buffer, engine } = inflateSync(pack.subarray(at), { info: true }) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    objects.push([type, buffer.toString('latin1')]);
    at += engine.bytesWritten;
  }
  return objects;
}

/**
 * Every file made of the book: its name, which follows from its FORMAT, and the hash of its content. If only
 * that changes, a stall that kept the file serves the old bytes: raise FORMAT, then write both here.
 */
const GOLDEN: readonly (readonly [kind: string, format: string, name: string, content: string])[] = [
  ['tar', 'FORMATS in src/catalog/artefact.ts', '064351d500d3', 'cc3239b25512'],
  ['zip', 'FORMATS in src/catalog/artefact.ts', '134f8b8028ef', '4c5397586fca'],
  ['files', 'FORMATS in src/catalog/artefact.ts', '9a5422c3256a', '6f6c2bc116c1'],
  ['pack', 'FORMATS in src/catalog/artefact.ts', 'd31c8f5b0636', '64b77a07df48'],
  [
    'index',
    'FORMATS in src/catalog/artefact.ts, and FORMAT in src/asking/search/index-file.sql.ts',
    '756934195c4a',
    '449a329ab1f0',
  ],
  [
    'sample',
    'FORMATS in src/catalog/artefact.ts, and FORMAT in src/asking/search/index-file.sql.ts',
    '668da917a789',
    '50864bf7c608',
  ],
  ['page', 'FORMAT in src/reading/page-file.ts', '8f12a317a77e', '8eb462010cf6'],
  ['epub', 'FORMAT in src/reading/epubs.ts', 'f659b1882e6a', '065eb7750135'],
  ['skill', 'FORMAT in src/catalog/skill-archive.ts', 'e66c513707e8', '87899db2ef61'],
  ['webp', 'FORMAT in src/catalog/small-covers.ts', '348cff13d8a1', 'f2d4a06e5204'],
];

test.each(GOLDEN)('the bytes of a kept %s change only with %s', (kind, format, name, content) => {
  const path = filesOf().find((file) => extname(file) === `.${kind}`) ?? '';
  const file = readFileSync(path);
  const read = READ[ALIKE[kind] ?? kind];
  const hash = createHash('sha256').update(read === undefined ? file : JSON.stringify(read(file, path)));
  const found = [basename(path).slice(0, 12), hash.digest('hex').slice(0, 12)];
  expect(found, found[0] === name ? `raise ${format}` : 'write these').toEqual([name, content]);
});
