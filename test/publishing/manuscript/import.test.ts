import { describe, expect, test } from 'bun:test';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type Files, writeFiles } from '../../helpers/harness.ts';
import { type } from '../../platform/cli/type.ts';
import { openImport } from './run-import.ts';

const BOOK: Files = {
  'book.toml': '[book]\ntitle = "Marsh"\n',
  'src/SUMMARY.md': '- [One](one.md)\n- [Two](two.md)\n',
  'src/one.md': '# One\n\nThe first paragraph is long enough to describe this book well.\n',
  'src/two.md': '# Two\n',
};

test('a draft without price and publisher is a warning, and exits with 0', async () => {
  const { run, read } = openImport(BOOK);
  const { code, out, err } = await run();
  expect(code).toBe(0);
  expect(out).toContain('books/marsh: 2 files, No price yet, whole as a skill');
  expect(out).toContain('warning  item.yaml: The draft has no "publisher" yet');
  expect(out).toContain(
    'The description is a first paragraph of the book, write one that sells it in item.yaml: The first paragraph is long enough to describe this book well.\n',
  );
  expect(parse(read('books/marsh/item.yaml'))).toMatchObject({
    title: 'Marsh',
    description: 'The first paragraph is long enough to describe this book well.',
  });
  expect(parse(read('books/marsh/item.yaml'))).not.toHaveProperty('unitAmountCents');
  expect(err).toContain('write "status: published" in its item.yaml');
});

test("the stall's defaults count for a draft", async () => {
  const { run, content } = openImport(BOOK);
  writeFiles(content, { 'stall.yaml': 'defaults: {publisher: Quince, currency: jpy}\n' });
  const { out } = await run(['--price', '500']);
  expect(out).toContain('books/marsh: 2 files, ¥500, whole as a skill');
  expect(out).not.toContain('warning');
});

test('an item that is there is never overwritten', async () => {
  const { run, content, read, all } = openImport(BOOK);
  writeFiles(content, { 'books/marsh/item.yaml': 'mine', 'skills/tide/SKILL.md': 'mine' });
  const before = all();
  const { code, err } = await run();
  expect([code, err]).toEqual([
    1,
    expect.stringContaining('exists already; bring it up to date with --update'),
  ]);
  expect((await run(['--slug', 'tide'])).err).toContain('a skill has this slug already');
  expect([read('books/marsh/item.yaml'), all()]).toEqual(['mine', before]);
});

describe('--update', () => {
  test('replaces the files, with --chapters keeps item.yaml but those, and shows what differs', async () => {
    const { run, from, content, read, has } = openImport(BOOK);
    await run(['--publisher', 'Ada', '--price', '900']);
    const mine = `${read('books/marsh/item.yaml').replace('status: draft', 'status: published # at last')}cover: own.png\n`;
    writeFiles(content, {
      'books/marsh/item.yaml': mine,
      'books/marsh/own.png': Buffer.from([1]),
      'books/marsh/CHANGELOG.md': '# 1.0',
      'books/marsh/.bookstallignore': 'x',
      'books/marsh/stray.md': 'x',
    });
    rmSync(join(from, 'src/two.md'));
    writeFiles(from, {
      'src/SUMMARY.md': '# Summary\n\n# Birds\n\n- [First](one.md)\n  - [Three](three.md)\n',
      'src/one.md': '# One, again\n',
      'src/three.md': '# Three\n',
    });
    const dry = await run(['--update', '--chapters', '--dry-run']);
    expect([dry.code, read('books/marsh/item.yaml'), has('books/marsh/two.md')]).toEqual([0, mine, true]);
    const { code, out, err } = await run(['--update', '--chapters']);
    expect(code).toBe(0);
    for (const said of [dry.out, out])
      expect(said).toContain(
        '  added: three.md\n  changed: item.yaml, one.md\n  removed: stray.md, two.md\n',
      );
    expect(err).toBe('Next: run "bookstall serve", or "bookstall reindex" if it runs\n');
    expect(read('books/marsh/item.yaml')).toContain('status: published # at last');
    expect(parse(read('books/marsh/item.yaml'))).toMatchObject({
      id: 'bk_marsh',
      publisher: 'Ada',
      unitAmountCents: 900,
      cover: 'own.png',
      chapters: [
        { part: 'Birds' },
        { path: 'one.md', title: 'First' },
        { path: 'three.md', title: 'Three', level: 2 },
      ],
    });
    expect(readdirSync(join(content, 'books/marsh')).toSorted()).toEqual([
      '.bookstallignore',
      'CHANGELOG.md',
      'item.yaml',
      'one.md',
      'own.png',
      'three.md',
    ]);
    expect((await run(['--update'])).out).toContain('  no file differs\n');
  });

  test.each([
    [['--update'], 1, 'there is no such book to update'],
    [['--update', '--price', '5'], 2, 'it keeps item.yaml; edit that'],
    [['--update', '--publisher', 'A'], 2, 'it keeps item.yaml; edit that'],
    [['--update', '--publish'], 2, 'it keeps item.yaml; edit that'],
    [['--publish'], 2, 'Cannot publish without a price: give --price or --free'],
    [['--price', '1.50'], 2, 'give whole minor units, as in --price 1900 for 19.00'],
    [['--price', '5', '--free'], 2, 'Cannot use --price and --free together'],
    [['--as', 'song'], 2, 'give --as book or --as skill'],
    [['--slug', 'Not A Slug'], 1, 'neither its title nor its folder makes a slug'],
    [['--content', '/nowhere/at/all'], 1, 'Cannot find the content directory "/nowhere/at/all"'],
  ])('%p is refused with %d', async (flags, exit, sentence) => {
    const { run, all } = openImport(BOOK);
    const { code, err } = await run(flags);
    expect([code, err, all()]).toEqual([exit, expect.stringContaining(sentence), []]);
  });
});

test('--dry-run prints the same and writes nothing', async () => {
  const { run, all } = openImport(BOOK);
  const dry = await run(['--dry-run', '--free', '--publisher', 'A']);
  expect([dry.code, all()]).toEqual([0, []]);
  expect(dry.err).toBe('Nothing was written: run it without --dry-run\n');
  const { out } = await run(['--free', '--publisher', 'A']);
  expect(dry.out.replace('Would make', 'Made')).toBe(out);
});

test('--json prints one value', async () => {
  const { run } = openImport(BOOK);
  const { out } = await run(['--json', '--free']);
  expect(JSON.parse(out)).toMatchObject({
    dryRun: false,
    items: [{ kind: 'book', slug: 'marsh', format: 'mdBook', chapters: 2, files: 2, differences: null }],
    done: [],
    check: [{ kind: 'book', slug: 'marsh', price: 'Free' }],
  });
});

describe('--update of a book whose chapters a person edited', () => {
  const EDITED = [
    { part: 'Before' },
    { path: 'two.md', title: 'My own title', number: '7' },
    { part: 'Appendices' },
    { path: 'one.md', level: '2' },
  ];
  const openEdited = async () => {
    const opened = openImport(BOOK);
    await opened.run(['--publisher', 'Ada', '--price', '900']);
    const file = join(opened.content, 'books/marsh/item.yaml');
    const before = opened.read('books/marsh/item.yaml').split('chapters:')[0] ?? '';
    writeFileSync(
      file,
      `${before}# By hand.\nchapters:\n${EDITED.map((one) => `  - ${JSON.stringify(one)}\n`).join('')}`,
    );
    const chapters = () => parse(opened.read('books/marsh/item.yaml')).chapters;
    return { ...opened, chapters };
  };

  test('keeps them, and names a flag that takes the source’s', async () => {
    const { run, read, chapters, from } = await openEdited();
    const yaml = read('books/marsh/item.yaml');
    writeFiles(from, { 'src/one.md': '# One\n\nAnother text.\n' });
    const dry = await run(['--update', '--dry-run']);
    expect(dry.out).toContain('keeps its own order, titles and parts');
    const { code, out } = await run(['--update']);
    expect([code, read('books/marsh/item.yaml')]).toEqual([0, yaml]);
    expect(out).toMatch(/changed: one\.md[^]*--chapters takes the source's/);
    const both = [await run(['--update', '--chapters', '--dry-run']), await run(['--update', '--chapters'])];
    for (const said of both)
      expect([said.code, said.out]).toEqual([0, expect.stringContaining('changed: item.yaml\n')]);
    expect(JSON.stringify(chapters())).not.toMatch(/Appendices|My own title/);
    expect((await run(['--update'])).out).not.toContain('keeps its own');
  });

  test('adds and names new ones, takes out those that are gone, and brings back none that was taken out', async () => {
    const { run, chapters, from } = await openEdited();
    const summary = readFileSync(join(from, 'src/SUMMARY.md'), 'utf8');
    writeFiles(from, { 'src/three.md': '# Three\n', 'src/SUMMARY.md': `${summary}- [Three](three.md)\n` });
    const { out } = await run(['--update']);
    expect(out).toMatch(/New chapters of "marsh"[^\n]*: three\.md/);
    expect(chapters()).toEqual([
      ...EDITED.slice(0, 2),
      { path: 'three.md', title: 'Three' },
      ...EDITED.slice(2),
    ]);
    rmSync(join(from, 'src/one.md'));
    writeFiles(from, { 'src/SUMMARY.md': '# Summary\n\n- [Two](two.md)\n- [Three](three.md)\n' });
    const gone = await run(['--update']);
    expect(gone.out).toMatch(/has no more[^\n]*: one\.md/);
    expect(chapters()).toEqual([...EDITED.slice(0, 2), { path: 'three.md', title: 'Three' }, EDITED[2]]);
  });

  test('puts a new first one first', async () => {
    const { run, chapters, from } = await openEdited();
    const summary = '# Summary\n\n- [Zero](zero.md)\n- [One](one.md)\n- [Two](two.md)\n';
    writeFiles(from, { 'src/zero.md': '# Zero\n', 'src/SUMMARY.md': summary });
    await run(['--update']);
    expect(chapters()).toEqual([{ path: 'zero.md', title: 'Zero' }, ...EDITED]);
  });

  test('puts a chapter that was gone for one update back into its part', async () => {
    const { run, from, read } = openImport(BOOK);
    const summary =
      '# Summary\n\n- [One](one.md)\n\n# Water\n\n- [Two](two.md)\n\n# Land\n\n- [Three](three.md)\n';
    const three = { 'src/three.md': '# Three\n' };
    writeFiles(from, { ...three, 'src/SUMMARY.md': summary });
    await run(['--publisher', 'Ada', '--free']);
    const before = parse(read('books/marsh/item.yaml')).chapters;
    for (const [path, gone] of [
      ['src/two.md', '- [Two](two.md)'],
      ['src/three.md', '- [Three](three.md)'],
    ] as const) {
      rmSync(join(from, path));
      writeFiles(from, { 'src/SUMMARY.md': summary.replace(gone, '') });
      expect((await run(['--update'])).out).toMatch(/has no more[^\n]*: t/);
      writeFiles(from, { ...BOOK, ...three, 'src/SUMMARY.md': summary });
      await run(['--update']);
      const bare = (list: readonly Record<string, string>[]) => list.map(({ number: _, ...rest }) => rest);
      expect(bare(parse(read('books/marsh/item.yaml')).chapters)).toEqual(bare(before));
    }
  });

  test('--chapters is refused without --update', async () => {
    expect((await openImport(BOOK).run(['--chapters'])).code).toBe(2);
  });
});

/** No process has this id. */
const DEAD = 2 ** 30;

test('the next import removes what a killed one left, and nothing of one that runs', async () => {
  const { run, content, has, all } = openImport(BOOK);
  writeFiles(content, {
    [`books/.import-${DEAD}-abc/books/marsh/one.md`]: 'x',
    [`skills/.replaced-${DEAD}-tide/SKILL.md`]: 'before',
    'skills/tide/SKILL.md': 'after',
    [`books/.import-${process.pid}-abc/a`]: 'x',
  });
  expect((await run()).err).toContain('Next: look it over');
  expect(has('books/marsh/one.md')).toBe(true);
  expect(all().filter((path) => path.includes(String(DEAD)))).toEqual([]);
  expect(has(`books/.import-${process.pid}-abc/a`)).toBe(true);
});

describe('an item whose update was killed between its two renames', () => {
  const killedUpdate = async () => {
    const { run, content, ...rest } = openImport(BOOK);
    await run(['--publisher', 'Ada', '--price', '900']);
    renameSync(join(content, 'books/marsh'), join(content, `books/.replaced-${DEAD}-marsh`));
    return { run, content, ...rest };
  };

  test('is brought up to date by the next --update, with its own item.yaml', async () => {
    const { run, all, read } = await killedUpdate();
    const { code, out } = await run(['--update']);
    expect([code, out]).toEqual([0, expect.stringContaining('Updated books/marsh')]);
    expect(parse(read('books/marsh/item.yaml'))).toMatchObject({ publisher: 'Ada', unitAmountCents: 900 });
    expect(all().filter((path) => path.includes(String(DEAD)))).toEqual([]);
  });

  test('is not replaced by a new draft', async () => {
    const { run, read } = await killedUpdate();
    expect(await run()).toMatchObject({ code: 1, err: expect.stringContaining('exists already') });
    expect(parse(read('books/marsh/item.yaml'))).toMatchObject({ publisher: 'Ada' });
  });

  test('is found by check, which says to import again', async () => {
    const { content } = await killedUpdate();
    const { code, out } = await type(['check', '--content', content]);
    expect(code).toBe(0);
    expect(out).toContain('books/marsh: 2 files');
    expect(out).toContain('An import ended before it could replace this item');
    renameSync(join(content, `books/.replaced-${DEAD}-marsh`), join(content, 'books/marsh'));
    expect((await type(['check', '--content', content])).out).not.toContain('import');
  });
});

test('an import that is killed leaves nothing half written', async () => {
  const { from, content } = openImport(BOOK);
  const many = Array.from({ length: 2000 }, (_, n) => `c${n}.md`);
  writeFiles(from, Object.fromEntries(many.map((path) => [`src/${path}`, `# ${path}\n`])));
  writeFileSync(join(from, 'src/SUMMARY.md'), many.map((path) => `- [${path}](${path})`).join('\n'));
  mkdirSync(join(content, 'books'));
  const child = Bun.spawn([process.execPath, 'src/main.ts', 'import', from, '--content', content], {
    stdout: 'ignore',
    stderr: 'ignore',
  });
  const isUnfinished = (): boolean =>
    readdirSync(join(content, 'books')).some((name) => name.startsWith('.import-'));
  while (!isUnfinished() && child.exitCode === null) await Bun.sleep(1);
  child.kill('SIGKILL');
  await child.exited;
  const names = readdirSync(join(content, 'books'));
  const whole = names.filter((name) => !name.startsWith('.'));
  for (const name of whole) expect(readdirSync(join(content, 'books', name))).toHaveLength(many.length + 1);
  expect(whole.length === 1 || names.some((name) => name.startsWith('.import-'))).toBe(true);
});

test.each([
  [
    'One sentence of many words that says what it is. '.repeat(10),
    /^(?:One sentence of many words that says what it is\. ?){6}$/,
  ],
  [`${'word '.repeat(100)}.`, /^(?:word )+word…$/],
  [
    '![a picture](a.png)\n\n_by the author and others_\n\n> a quotation\n\nIt *begins* with [a link](two.md) to the marsh and ends here.',
    /^It begins with a link to the marsh and ends here\.$/,
  ],
])('a description is whole sentences, or whole words, of a first paragraph', async (text, wanted) => {
  const { run, read } = openImport({ ...BOOK, 'src/one.md': `# One\n\n${text}\n` });
  await run();
  expect(parse(read('books/marsh/item.yaml')).description).toMatch(wanted);
});
