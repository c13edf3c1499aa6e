import { expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createPageCache } from '../../src/reading/reading-pages.ts';
import { encodePage } from '../../src/reading/page-file.ts';
import { temporaryDirectory } from '../helpers/harness.ts';

const page = (html: string) =>
  encodePage(
    {
      html,
      headings: [{ level: 1, id: 'a', title: 'A' }],
      runs: [0, 1, 2, 0],
      blocks: [0, 4, 0, 3],
      unplaced: [7, 9],
    },
    false,
  );

function put(file: string, bytes: Uint8Array, age = 0): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
  const time = new Date(Date.now() - age);
  utimesSync(file, time, time);
}

test('a page is read as it was written, and found in memory afterwards', async () => {
  const shelf = createPageCache(temporaryDirectory());
  put(shelf.fileOf('ab1'), page('<p>é漢😀</p>'));
  expect(shelf.peek('ab1')).toBeNull();
  const read = await shelf.read('ab1');
  expect(new TextDecoder().decode(read!.html)).toBe('<p>é漢😀</p>');
  expect(read!.headings).toEqual([{ level: 1, id: 'a', title: 'A' }]);
  expect(read!.readTables()).toEqual({
    runs: Int32Array.of(0, 1, 2, 0),
    blocks: Int32Array.of(0, 4, 0, 3),
    unplaced: Int32Array.of(7, 9),
  });
  expect(shelf.peek('ab1')).toBe(read);
});

test.each([
  ['missing', null],
  ['empty', new Uint8Array()],
  ['cut', page('<p>a</p>').slice(0, -3)],
  ['changed', page('<p>a</p>').map((byte, n, all) => (n === all.length - 40 ? byte ^ 1 : byte))],
  ['no page', new TextEncoder().encode('nothing\nat all')],
])('a page whose file is %s is none', async (_, bytes) => {
  const shelf = createPageCache(temporaryDirectory());
  if (bytes !== null) put(shelf.fileOf('ab1'), bytes);
  expect(await shelf.read('ab1')).toBeNull();
});

test('beyond its size on disk the pages go that were not read for longest', async () => {
  const directory = temporaryDirectory();
  const bytes = page('x'.repeat(1000));
  const shelf = createPageCache(directory, { disk: bytes.length * 4.5, memory: 0 });
  for (const [name, age] of [
    ['aa1', 9000],
    ['bb2', 8000],
    ['cc3', 7000],
    ['dd4', 6000],
  ] as const) {
    put(shelf.fileOf(name), bytes, age);
    await shelf.added(name);
  }
  await shelf.read('aa1');
  put(shelf.fileOf('ee5'), bytes);
  await shelf.added('ee5');
  const left = (readdirSync(join(directory, 'pages'), { recursive: true }) as string[]).filter((name) =>
    name.endsWith('.page'),
  );
  expect(left.toSorted()).toEqual(
    ['aa/aa1.page', 'cc/cc3.page', 'dd/dd4.page', 'ee/ee5.page'].filter((name) =>
      existsSync(join(directory, 'pages', name)),
    ),
  );
  expect(left).toContain('aa/aa1.page');
  expect(left).toContain('ee/ee5.page');
  expect(left).not.toContain('bb/bb2.page');
  expect(left.length).toBeLessThanOrEqual(4);
});

test('beyond its size in memory a page is read from its file again', async () => {
  const shelf = createPageCache(temporaryDirectory(), { disk: 1e9, memory: 1500 });
  for (const name of ['aa1', 'bb2']) {
    put(shelf.fileOf(name), page('x'.repeat(1000)));
    await shelf.read(name);
  }
  expect(shelf.peek('aa1')).toBeNull();
  expect(shelf.peek('bb2')).not.toBeNull();
  expect(await shelf.read('aa1')).not.toBeNull();
});
