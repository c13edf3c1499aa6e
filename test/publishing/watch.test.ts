import { describe, expect, test } from 'bun:test';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStall, temporaryDirectory, until, writeFiles } from '../helpers/harness.ts';
import { watchContent, watchSystem } from '../../src/publishing/watch.ts';
import type { LogEntry } from '../../src/platform/base/log.ts';
import { QUIET, watchedTree } from './watched-tree.ts';

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
  test.each(CHANGES)('publishes %s once', async (_, change) => {
    const { folder, watcher, rounds, taken } = watchedTree();
    expect(taken()).toBe(0);
    change(folder);
    expect([await rounds(), await rounds()]).toEqual([1, 0]);
    watcher.close();
  });

  test('publishes a burst of edits once, after the last', async () => {
    const { folder, watcher, clock, heard, rounds, taken } = watchedTree();
    for (let edit = 0; edit < 20; edit++) {
      writeFileSync(join(folder, `${edit % 3}.md`), String(edit));
      await heard();
      await clock.pass(QUIET - 1);
      expect(taken()).toBe(0);
    }
    expect([await rounds(), await rounds()]).toEqual([1, 0]);
    watcher.close();
  });

  test('says so if the system ends it', () => {
    const log: LogEntry[] = [];
    const watchers: ReturnType<typeof watchSystem.watch>[] = [];
    const system: typeof watchSystem = {
      ...watchSystem,
      watch(...of) {
        const watcher = watchSystem.watch(...of);
        watchers.push(watcher);
        return watcher;
      },
    };
    const content = temporaryDirectory();
    const { close } = watchContent(
      { content, except: join(content, 'data') },
      async () => true,
      (entry) => void log.push(entry),
      system,
    );
    watchers[0]?.emit('error', new Error('no inotify watch is left'));
    close();
    expect(log).toMatchObject([
      {
        event: 'watch-failed',
        message: expect.stringContaining('no inotify watch is left; run "bookstall reindex"'),
      },
    ]);
  });

  test('hears of what happens in folders made a moment ago, and in renamed ones', async () => {
    const { content, folder, watcher, rounds } = watchedTree();
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

  test('hears of what happens in a folder moved in from elsewhere', async () => {
    const { content, watcher, rounds } = watchedTree();
    const outside = join(temporaryDirectory(), 'egret');
    writeFiles(outside, { 'a/b/c.md': 'c' });
    renameSync(outside, join(content, 'books/egret'));
    expect(await rounds()).toBe(1);
    writeFileSync(join(content, 'books/egret/a/b/c.md'), 'changed');
    expect(await rounds()).toBe(1);
    watcher.close();
  });

  test('does not publish a tree that never rests', async () => {
    const { folder, watcher, clock, heard, rounds, taken } = watchedTree();
    for (const end = clock.now() + QUIET * 8; clock.now() < end; await clock.pass(QUIET / 6)) {
      writeFileSync(join(folder, 'busy.log'), String(clock.now()));
      await heard();
    }
    expect(taken()).toBe(0);
    expect(await rounds()).toBe(1);
    watcher.close();
  });

  test('hears events that waited behind a late timer before it publishes the tree', async () => {
    const { folder, watcher, clock, heard, rounds, taken } = watchedTree();
    await clock.pass(QUIET / 2);
    writeFileSync(join(folder, '01.md'), 'one');
    await heard();
    let isLate = false;
    await clock.pass(QUIET, async () => {
      if (isLate || clock.now() < QUIET * 1.5) return;
      isLate = true;
      writeFileSync(join(folder, '01.md'), 'two');
      await heard();
    });
    expect([isLate, taken()]).toEqual([true, 0]);
    expect(await rounds()).toBe(1);
    watcher.close();
  });

  test('goes on when the content directory is taken away and put back', async () => {
    const { content, watcher, rounds, fill } = watchedTree();
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
    fill();
    await rounds();
    await rounds();
    writeFileSync(join(content, 'books/heron/01.md'), 'and an edit in it');
    expect(await rounds()).toBe(1);
    watcher.close();
  });

  test('hears of what happens behind a shelf that is a link, and of the link', async () => {
    const { content, watcher, rounds } = watchedTree();
    const shelf = join(temporaryDirectory(), 'skills');
    writeFiles(shelf, { 'fly/SKILL.md': 'one', '.probe/0': '' });
    symlinkSync(shelf, join(content, 'skills'));
    await until(async () => (await rounds()) > 0);
    await rounds();
    writeFileSync(join(shelf, 'fly/SKILL.md'), 'two');
    expect(await rounds()).toBe(1);
    watcher.close();
  });

  test('is not stirred by reading', async () => {
    const { folder, watcher, rounds } = watchedTree();
    for (let round = 0; round < 10; round++) readFileSync(join(folder, 'a/b/02.md'));
    expect(await rounds()).toBe(0);
    watcher.close();
  });

  test('stops when closed, also with a change under way', async () => {
    const { folder, watcher, clock, heard, taken } = watchedTree();
    writeFileSync(join(folder, '01.md'), 'new');
    await heard();
    await clock.pass(QUIET / 4);
    watcher.close();
    writeFileSync(join(folder, '01.md'), 'newer');
    // Nothing is heard any more that could be waited for.
    await Bun.sleep(QUIET);
    await clock.pass(QUIET * 6);
    expect(taken()).toBe(0);
  });

  test('ignores a data directory inside it', async () => {
    const { content, watcher, rounds } = watchedTree({ data: 'books/heron/data' });
    writeFiles(content, { 'books/heron/data/editions/book/heron.json': '{}' });
    expect(await rounds()).toBe(0);
    writeFiles(content, { 'books/heron/database/notes.md': 'beside it, not in it' });
    expect(await rounds()).toBe(1);
    watcher.close();
  });

  test.each([
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
    const { content, folder, watcher, clock, heard, rounds, taken } = watchedTree();
    writeFiles(folder, { '.bookstallignore': 'build/\n*.tmp\n' });
    expect(await rounds()).toBe(1);
    writeFiles(content, { [path]: 'first' });
    await rounds();
    const before = taken();
    writeFileSync(join(folder, '01.md'), 'an edit');
    for (const end = clock.now() + QUIET * 4; clock.now() < end; await clock.pass(QUIET / 6)) {
      writeFileSync(join(content, path), String(clock.now()));
      await heard();
    }
    expect(taken() - before).toBe(1);
    rmSync(join(content, path));
    // A name beside the items that is gone may have been an item.
    expect(await rounds()).toBe(path === 'books/notes.txt' ? 1 : 0);
    watcher.close();
  });

  test.each([
    ['item.yaml', 'books/heron/item.yaml'],
    ['.bookstallignore', 'books/heron/.bookstallignore'],
    ['a signature', 'books/heron/item.sig'],
    ['the text that was signed', 'books/heron/item.signed'],
    ['stall.yaml', 'stall.yaml'],
    ['the terms that stall.yaml names', 'stall/terms.md'],
    ['the words of a mail', 'mails/claim.md'],
  ])('publishes a change of %s, which is read but not distributed', async (_, path) => {
    const { content, watcher, rounds } = watchedTree();
    writeFiles(content, { 'stall.yaml': 'terms: stall/terms.md\n', 'stall/terms.md': 'Be kind.\n' });
    expect(await rounds()).toBe(1);
    writeFiles(content, { [path]: 'name: Another\nterms: stall/terms.md\n' });
    expect(await rounds()).toBe(1);
    watcher.close();
  });

  test('follows a .bookstallignore that changes', async () => {
    const { folder, watcher, rounds } = watchedTree();
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

  test('asks again after the next quiet time if the tree was still being edited', async () => {
    let refusals = 2;
    const { folder, watcher, rounds } = watchedTree({ answer: () => refusals-- <= 0 });
    writeFileSync(join(folder, '01.md'), 'new');
    expect([await rounds(), await rounds()]).toEqual([3, 0]);
    watcher.close();
  });

  test('of a directory that is not there yet waits for it', async () => {
    const { watcher, log, rounds, fill, taken } = watchedTree({ isThere: false });
    expect(await rounds()).toBe(0);
    fill();
    await rounds();
    expect([taken() > 0, log]).toEqual([true, []]);
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
  const before = publishes();
  // One event each: a busy machine could pause between two.
  const outside = temporaryDirectory();
  writeFiles(outside, { '01.md': '# The egret\n', 'x/y/02.md': 'deep' });
  renameSync(join(outside, '01.md'), join(stall.content, 'books/free-book/01.md'));
  await until(() => isServed('The egret'));
  renameSync(join(outside, 'x'), join(stall.content, 'books/free-book/x'));
  await until(() => isServed('deep'));
  expect(await isServed('The egret')).toBe(true);
  await Bun.sleep(QUIET * 6);
  expect(publishes() - before).toBe(2);
  await stall.close();
});
