import { describe, expect, test } from 'bun:test';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { watchContent } from '../../src/catalog/watch.ts';
import type { LogEntry } from '../../src/log.ts';
import { openStall, temporaryDirectory, until, writeFiles } from '../harness.ts';

const QUIET = 120;
const root = temporaryDirectory();
const newDirectory = () => mkdtempSync(join(root, 'watch-'));

/** Long enough for what was stirred to be taken up, and for what was not to show. */
const settle = () => Bun.sleep(QUIET * 3);

/** A watched content directory with one book; `taken` counts how often it came to rest after a change. */
async function watched({ data = 'data', answer = (): boolean => true } = {}) {
  const content = join(newDirectory(), 'content');
  writeFiles(content, { 'books/heron/01.md': '# The heron\n', 'books/heron/a/b/02.md': 'two' });
  const log: LogEntry[] = [];
  let taken = 0;
  const watcher = watchContent(
    content,
    join(content, data),
    () => {
      taken++;
      return Promise.resolve(answer());
    },
    (entry) => log.push(entry),
    QUIET,
  );
  await settle();
  const rounds = async (): Promise<number> => {
    const before = taken;
    await settle();
    return taken - before;
  };
  return { content, folder: join(content, 'books/heron'), watcher, log, rounds, taken: () => taken };
}

const CHANGES: readonly [string, (folder: string) => void][] = [
  ['a written file', (folder) => writeFileSync(join(folder, '01.md'), 'new')],
  ['a written file deep down', (folder) => writeFileSync(join(folder, 'a/b/02.md'), 'new')],
  ['a new file', (folder) => writeFileSync(join(folder, '03.md'), 'new')],
  ['a renamed file', (folder) => renameSync(join(folder, '01.md'), join(folder, 'one.md'))],
  ['a file put in the place of another', (folder) => replace(join(folder, '01.md'))],
  ['a removed file', (folder) => rmSync(join(folder, '01.md'))],
  ['an executable bit', (folder) => chmodSync(join(folder, '01.md'), 0o755)],
  ['a removed folder', (folder) => rmSync(join(folder, 'a'), { recursive: true })],
  ['a renamed item', (folder) => renameSync(folder, `${folder}s`)],
  ['a new empty folder', (folder) => mkdirSync(join(folder, 'empty'))],
];

function replace(file: string): void {
  writeFileSync(`${file}.new`, 'new');
  renameSync(`${file}.new`, file);
}

describe('watch', () => {
  test.concurrent.each(CHANGES)('takes up %s once', async (_, change) => {
    const { folder, watcher, rounds, taken } = await watched();
    expect(taken()).toBe(0);
    change(folder);
    expect([await rounds(), await rounds()]).toEqual([1, 0]);
    watcher.close();
  });

  test.concurrent('takes up a burst of edits once, after the last', async () => {
    const { folder, watcher, rounds, taken } = await watched();
    let before = taken();
    for (let edit = 0; edit < 20; edit++) {
      const began = performance.now();
      writeFileSync(join(folder, `${edit % 3}.md`), String(edit));
      await Bun.sleep(QUIET / 5);
      if (performance.now() - began < QUIET / 2) expect(taken()).toBe(before);
      else {
        // The machine paused, which is a rest: the burst begins again.
        await rounds();
        [edit, before] = [-1, taken()];
      }
    }
    expect([await rounds(), await rounds()]).toEqual([1, 0]);
    watcher.close();
  });

  test.concurrent('hears of what happens in folders made a moment ago, and in renamed ones', async () => {
    const { content, folder, watcher, rounds } = await watched();
    const deep = join(folder, 'x/y/z/u/v/w');
    mkdirSync(deep, { recursive: true });
    writeFileSync(join(deep, 'now.md'), 'now');
    expect(await rounds()).toBe(1);
    writeFileSync(join(deep, 'later.md'), 'later');
    expect(await rounds()).toBe(1);
    writeFileSync(join(deep, 'later.md'), 'latest');
    expect(await rounds()).toBe(1);
    renameSync(folder, join(content, 'books/egret'));
    expect(await rounds()).toBe(1);
    writeFileSync(join(content, 'books/egret/x/y/z/u/v/w/later.md'), 'renamed');
    expect(await rounds()).toBe(1);
    watcher.close();
  });

  test.concurrent('hears of what happens in a folder moved in from elsewhere', async () => {
    const { content, watcher, rounds } = await watched();
    const outside = join(newDirectory(), 'egret');
    writeFiles(outside, { 'a/b/c.md': 'c' });
    renameSync(outside, join(content, 'books/egret'));
    expect(await rounds()).toBe(1);
    writeFileSync(join(content, 'books/egret/a/b/c.md'), 'changed');
    expect(await rounds()).toBe(1);
    watcher.close();
  });

  test.concurrent('does not take up a tree that never rests', async () => {
    const { folder, watcher, rounds, taken } = await watched();
    for (const end = performance.now() + QUIET * 8; performance.now() < end; await Bun.sleep(QUIET / 6))
      writeFileSync(join(folder, 'busy.log'), String(performance.now()));
    expect(taken()).toBe(0);
    expect(await rounds()).toBe(1);
    watcher.close();
  });

  test.concurrent('goes on when the content directory is taken away and put back', async () => {
    const { content, watcher, rounds } = await watched();
    renameSync(content, `${content}.away`);
    expect(await rounds()).toBeGreaterThanOrEqual(1);
    renameSync(`${content}.away`, content);
    for (let tries = 0; tries < 5 && (await rounds()) > 0; tries++);
    expect(await rounds()).toBe(0);
    writeFileSync(join(content, 'books/heron/a/b/02.md'), 'after');
    expect(await rounds()).toBe(1);
    rmSync(content, { recursive: true });
    await rounds();
    await rounds();
    writeFiles(content, { 'books/heron/01.md': 'another directory' });
    await rounds();
    await rounds();
    writeFileSync(join(content, 'books/heron/01.md'), 'and an edit in it');
    expect(await rounds()).toBe(1);
    watcher.close();
  });

  test.concurrent('hears of what happens behind a shelf that is a link, and of the link', async () => {
    const { content, watcher, rounds } = await watched();
    const shelf = join(newDirectory(), 'skills');
    writeFiles(shelf, { 'fly/SKILL.md': 'one' });
    symlinkSync(shelf, join(content, 'skills'));
    expect(await rounds()).toBeGreaterThanOrEqual(1);
    await rounds();
    writeFileSync(join(shelf, 'fly/SKILL.md'), 'two');
    expect(await rounds()).toBe(1);
    watcher.close();
  });

  test.concurrent('is not stirred by reading', async () => {
    const { folder, watcher, rounds } = await watched();
    for (let round = 0; round < 10; round++) readFileSync(join(folder, 'a/b/02.md'));
    expect(await rounds()).toBe(0);
    watcher.close();
  });

  test.concurrent('stops when closed, also with a change under way', async () => {
    const { folder, watcher, rounds } = await watched();
    writeFileSync(join(folder, '01.md'), 'new');
    await Bun.sleep(QUIET / 4);
    watcher.close();
    writeFileSync(join(folder, '01.md'), 'newer');
    expect([await rounds(), await rounds()]).toEqual([0, 0]);
  });

  test.concurrent('ignores a data directory inside it', async () => {
    const { content, watcher, rounds } = await watched({ data: 'books/heron/data' });
    writeFiles(content, { 'books/heron/data/editions/book/heron.json': '{}' });
    await settle();
    await settle();
    expect(await rounds()).toBe(0);
    writeFiles(content, { 'books/heron/database/notes.md': 'beside it, not in it' });
    expect(await rounds()).toBe(1);
    watcher.close();
  });

  test.concurrent.each([
    'books/heron/.git/log',
    '.git/index',
    'books/heron/node_modules/a/b.js',
    'books/heron/build/out.html',
    'books/heron/notes.tmp',
    'books/heron/01.md~',
    'books/heron/.01.md.swp',
    'books/.trash/01.md',
    'books/notes.txt',
    'README.md',
    'drafts/heron/01.md',
  ])('ignores %s, which is not distributed, even if it is written all the time', async (path) => {
    const { content, folder, watcher, rounds, taken } = await watched();
    writeFiles(folder, { '.bookstallignore': 'build/\n*.tmp\n' });
    expect(await rounds()).toBe(1);
    writeFiles(content, { [path]: 'first' });
    await settle();
    const before = taken();
    writeFileSync(join(folder, '01.md'), 'an edit');
    for (const end = performance.now() + QUIET * 4; performance.now() < end; await Bun.sleep(QUIET / 6))
      writeFileSync(join(content, path), String(performance.now()));
    expect(taken() - before).toBe(1);
    rmSync(join(content, path));
    // A name beside the items that is gone may have been an item.
    expect(await rounds()).toBe(path === 'books/notes.txt' ? 1 : 0);
    watcher.close();
  });

  test.concurrent.each([
    ['item.yaml', 'books/heron/item.yaml'],
    ['.bookstallignore', 'books/heron/.bookstallignore'],
    ['stall.yaml', 'stall.yaml'],
    ['the terms that stall.yaml names', 'stall/terms.md'],
  ])('publishes a change of %s, which is read but not distributed', async (_, path) => {
    const { content, watcher, rounds } = await watched();
    writeFiles(content, { 'stall.yaml': 'terms: stall/terms.md\n', 'stall/terms.md': 'Be kind.\n' });
    expect(await rounds()).toBe(1);
    writeFiles(content, { [path]: 'name: Another\nterms: stall/terms.md\n' });
    expect(await rounds()).toBe(1);
    watcher.close();
  });

  test.concurrent('follows a .bookstallignore that changes', async () => {
    const { folder, watcher, rounds } = await watched();
    writeFiles(folder, { '.bookstallignore': '*.tmp\n' });
    expect(await rounds()).toBe(1);
    writeFiles(folder, { 'a.tmp': 'ignored' });
    expect(await rounds()).toBe(0);
    writeFiles(folder, { '.bookstallignore': '*.bak\n' });
    expect(await rounds()).toBe(1);
    writeFiles(folder, { 'a.tmp': 'distributed' });
    expect(await rounds()).toBe(1);
    watcher.close();
  });

  test.concurrent('asks again after the next quiet time if the tree was still being edited', async () => {
    let refusals = 2;
    const { folder, watcher, taken } = await watched({ answer: () => refusals-- <= 0 });
    writeFileSync(join(folder, '01.md'), 'new');
    for (let wait = 0; wait < 4; wait++) await settle();
    expect(taken()).toBe(3);
    watcher.close();
  });

  test.concurrent('of a directory that is not there yet waits for it', async () => {
    const content = join(newDirectory(), 'content');
    const log: LogEntry[] = [];
    let taken = 0;
    const watcher = watchContent(
      content,
      join(content, 'data'),
      () => Promise.resolve(++taken > 0),
      (entry) => log.push(entry),
      QUIET,
    );
    await settle();
    writeFiles(content, { 'books/heron/01.md': 'here' });
    await settle();
    await settle();
    expect([taken > 0, log]).toEqual([true, []]);
    watcher.close();
  });
});

test('serve --watch publishes an edit by itself, and its own writes do not trigger it', async () => {
  const stall = await openStall({ config: { watch: true }, quiet: QUIET });
  const isServed = async (text: string): Promise<boolean> => {
    const archive = await (await stall.fetch('/api/install/free-book')).arrayBuffer();
    return Buffer.from(Bun.gunzipSync(archive)).includes(text);
  };
  const publishes = (): number => stall.log.filter(({ event }) => event === 'ready').length;
  await settle();
  const before = publishes();
  writeFiles(stall.content, {
    'books/free-book/01.md': '# The egret\n',
    'books/free-book/x/y/02.md': 'deep',
  });
  await until(() => isServed('The egret'));
  expect([await isServed('The egret'), await isServed('deep')]).toEqual([true, true]);
  await settle();
  await settle();
  expect(publishes() - before).toBe(1);
  await stall.close();
});
