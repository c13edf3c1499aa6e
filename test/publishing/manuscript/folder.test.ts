import { describe, expect, test } from 'bun:test';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type Files, skillMd, writeFiles } from '../../helpers/harness.ts';
import { openImport } from './run-import.ts';

const chapters = (yaml: string) => parse(yaml).chapters;

test('a folder of Markdown becomes a book in natural order, with all other files', async () => {
  const { run, read, all } = openImport({
    'README.md': '# About\n',
    LICENSE: 'MIT',
    'ch10.md': '# Ten\n\n![a](img/a.png)\n',
    'ch2.md': 'Two\n===\n\n[ten](ch10.html)\n',
    'notes/b.txt': 'b',
    'notes/index.md': '# Notes\n',
    'empty.md': ' \n',
    'img/a.png': Buffer.from([0xff]),
    'data.csv': 'a',
    'run.sh': '#!/bin/sh\n',
    '.env': 'SECRET=1',
    '.git/config': 'x',
    id_rsa: 'x',
    'node_modules/x/y.md': 'x',
    'cover.jpg': Buffer.from([0xff]),
  });
  const { code, out } = await run(['--slug', 'marsh', '--price', '500', '--publisher', 'Ada']);
  expect(code).toBe(0);
  expect(chapters(read('books/marsh/item.yaml'))).toEqual([
    { path: 'ch2.md', title: 'Two' },
    { path: 'ch10.md', title: 'Ten' },
    { path: 'notes/index.md', title: 'Notes' },
    { path: 'notes/b.txt', title: 'B' },
  ]);
  expect(parse(read('books/marsh/item.yaml')).cover).toBe('cover.jpg');
  expect(read('books/marsh/ch2.md')).toContain('[ten](ch10.md)');
  const files = all().filter((path) => path.startsWith('books/marsh/'));
  expect(files.filter((path) => /env|git|rsa|node_modules/.test(path))).toEqual([]);
  for (const path of ['README.md', 'LICENSE', 'img/a.png', 'data.csv', 'run.sh'])
    expect(files).toContain(`books/marsh/${path}`);
  expect(out).toContain('Files that look like secrets: id_rsa');
});

test.each<[Files, boolean]>([
  [{ '1.md': '---\nmathjax: true\n---\n# One\n' }, true],
  [{ '1.md': '---\nhtml-math-method: katex\n---\n# One\n' }, true],
  [{ '1.md': '# One\n', '_config.yml': 'use_math: true\n' }, true],
  [{ '1.md': '---\nmath: false\n---\n# One\n\n$x$\n' }, false],
])('a folder says that it has formulas: %j', async (files, math) => {
  const { run, read } = openImport(files);
  await run(['--slug', 'b', '--free']);
  expect(read('books/b/item.yaml').includes('\nmath: true\n')).toBe(math);
});

test('a SUMMARY.md without book.toml gives the order, and one text is a book too', async () => {
  const { run, read } = openImport({
    'SUMMARY.md': '# Summary\n\n* [B](b.md)\n  * [A](a.md)\n',
    'a.md': '# a',
    'b.md': '# b',
  });
  expect((await run(['--slug', 'one', '--free'])).code).toBe(0);
  expect(chapters(read('books/one/item.yaml'))).toEqual([
    { path: 'b.md', title: 'B', number: 1 },
    { path: 'a.md', title: 'A', level: 2, number: 1.1 },
  ]);
  expect((await run(['--slug', 'two', '--free'], 'a.md')).code).toBe(0);
  expect(chapters(read('books/two/item.yaml'))).toEqual([{ path: 'a.md', title: 'a' }]);
});

test("a README's list, title, first words and picture lead a folder of Markdown", async () => {
  const heading = '# Herons of the Fen\n';
  const { run, read, all } = openImport({
    'README.md': `${heading}\n<img src="img/front.png">\n\nAll that is known of herons which stand on one leg, told by one who sat with them.\n\n[Contents](toc.md)\n\n* [Foreword](foreword.md)\n* [Preface](../preface.md)\n* [Legs](ch1.md)\n* [Nests](apA.md)\n`,
    'ch1.md': `${heading}# One leg\n\nText.`,
    'apA.md': `${heading}# Nests\n\nText.`,
    'foreword.md': `${heading}# Foreword\n\nText.`,
    'toc.md': '# Contents',
    'img/front.png': Buffer.from([0xff]),
  });
  const { out } = await run(['--slug', 'fen', '--free']);
  expect(parse(read('books/fen/item.yaml'))).toMatchObject({
    title: 'Herons of the Fen',
    description: 'All that is known of herons which stand on one leg, told by one who sat with them.',
    cover: 'img/front.png',
    chapters: [
      { path: 'foreword.md', title: 'Foreword' },
      { path: 'ch1.md', title: 'Legs' },
      { path: 'apA.md', title: 'Nests' },
    ],
  });
  expect(out).toContain('Texts that the list of chapters does not name: toc.md');
  expect(all()).not.toContain('books/fen/toc.md');
});

test('without a list a foreword comes first, an appendix last, and their common heading is the title', async () => {
  const heading = '# Herons of the Fen\n';
  const { run, read } = openImport(
    Object.fromEntries(
      ['appendix-a', 'ch1', 'ch2', 'foreword', 'glossary'].map((name) => [
        `${name}.md`,
        `${heading}# On ${name}\n\nText.`,
      ]),
    ),
  );
  await run(['--slug', 'fen', '--free']);
  const { title, chapters: order } = parse(read('books/fen/item.yaml'));
  expect([title, order.map(({ path }: { path: string }) => path)]).toEqual([
    'Herons of the Fen',
    ['foreword.md', 'ch1.md', 'ch2.md', 'appendix-a.md', 'glossary.md'],
  ]);
});

test('private notes, notes of a day and templates are left out with what lies beside them, and named', async () => {
  const left = {
    '2026-03.md': 'Mine.',
    '2026-11-22.md': 'Mine.',
    '2026-W12.md': 'Mine.',
    'Areas/Journal/sad.md': 'Mine.',
    'Areas/mine.md': '---\ntitle: Mine\npublish: false\n---\nMine.',
    'Daily Notes/2026-11-23.md': 'Mine.',
    'Daily Notes/me.png': Buffer.from([0xff]),
    'Inbox/idea.md': 'Mine.',
    'Private/diary.txt': 'Mine.',
    'Templates/day.md': '# {{date}}',
  };
  const kept = {
    'Ideas/herons.md': '---\npublish: true\n---\n# Herons\n\n---\npublish: false\n---\n',
    'Ideas/journalism.md': '# Journalism',
    'fonts/LICENSE.txt': 'MIT',
  };
  const { run, all } = openImport({ ...left, ...kept, '.obsidian/app.json': '{}' });
  const { out } = await run(['--slug', 'vault', '--free']);
  expect(out).toContain(`Private notes, notes of a day and templates: ${Object.keys(left).join(', ')}\n`);
  expect(all().filter((path) => /^books.vault.*\.\w/.test(path))).toEqual([
    ...Object.keys(kept).map((path) => `books/vault/${path}`),
    'books/vault/item.yaml',
  ]);
});

test.each([
  ['2.3.2026.md', 'Mine.'],
  ['2026-11-21 Call with Ada.md', 'Mine.'],
  ['2026_11_20.md', 'Mine.'],
  ['2026-11-23.excalidraw.md', 'Mine.'],
  ['November 23rd, 2026.md', 'Mine.'],
  ['März 3, 2026.md', 'Mine.'],
  ['draft.md', '---\ndraft: true\n---\nMine.'],
  ['own.md', '---\nprivate: true\n---\nMine.'],
])('%p is a private note, and a post of a blog is none', async (path, text) => {
  const post = '2026-11-23-herons-again.md';
  const { run, read } = openImport({ [path]: text, [post]: '# Herons again' });
  expect((await run(['--slug', 'vault', '--free'])).out).toContain(`notes of a day and templates: ${path}\n`);
  expect(chapters(read('books/vault/item.yaml'))).toEqual([{ path: post, title: 'Herons again' }]);
});

test('pictures in a folder with a dot, such as those of GitBook, are delivered', async () => {
  const { run, read } = openImport({
    'SUMMARY.md': '- [One](one.md)\n',
    'one.md': '# One\n\n![a](.gitbook/assets/a.png) [b](.hidden/b.txt)\n',
    '.gitbook/assets/a.png': Buffer.from([0xff]),
    '.gitbook/assets/other.md': 'Other.',
    '.hidden/b.txt': 'Mine.',
  });
  const { out } = await run(['--slug', 'marsh', '--free']);
  expect(parse(read('books/marsh/item.yaml')).include).toEqual(['.gitbook/assets']);
  expect(out).not.toContain('Cannot distribute ".gitbook"');
  expect(out).toContain('Cannot distribute ".hidden"');
});

test('a list of chapters may name a folder of private notes, and no text that is not to be published', async () => {
  const { run, read, all } = openImport({
    'SUMMARY.md': '- [One](Journal/one.md)\n- [Two](two.md)\n',
    'Journal/one.md': '# One',
    'Journal/me.png': Buffer.from([0xff]),
    'two.md': '\uFEFF---\npublish: false\n---\nMine.',
  });
  const { out } = await run(['--slug', 'vault', '--free']);
  expect(chapters(read('books/vault/item.yaml'))).toEqual([
    { path: 'Journal/one.md', title: 'One', number: 1 },
  ]);
  expect(out).toContain('Private notes, notes of a day and templates: Journal/me.png, two.md\n');
  expect(all()).not.toContain('books/vault/two.md');
});

test('a series is in the order of its folders: lists of contents are no chapters, appendices come last', async () => {
  const { run, read } = openImport({
    'PULL_REQUEST_TEMPLATE.md': '# Please',
    'README.md': '# Herons',
    'preface.md': '# Preface',
    'legs/README.md': '# Legs\n\n* [Foreword](foreword.md)\n* [One](ch1.md)\n',
    'legs/apA.md': '# A',
    'legs/ch1.md': '# One',
    'legs/foreword.md': '# Foreword',
    'legs/toc.md': '# Contents',
    'wings/Appendix-B.md': '# B',
    'wings/README.md': '# Wings\n\nThey carry it.',
    'wings/SUMMARY.md': '- [Two](ch2.md)',
    'wings/ch2.md': '# Two',
    'anhang/quellen.md': '# Sources',
  });
  await run(['--slug', 'herons', '--free']);
  expect(chapters(read('books/herons/item.yaml')).map(({ path }: { path: string }) => path)).toEqual([
    'preface.md',
    'legs/foreword.md',
    'legs/ch1.md',
    'legs/apA.md',
    'wings/README.md',
    'wings/ch2.md',
    'wings/Appendix-B.md',
    'anhang/quellen.md',
  ]);
});

test('chapters are named by their front matter, and not by the title of the book above their own', async () => {
  const { run, read } = openImport({
    'README.md': '# The Marsh\n',
    'CONTRIBUTING.md':
      '# Contributing\n\nThank you for mending this book, which is a fine thing to do for us all.\n',
    'CODE_OF_CONDUCT.md': '# Conduct\n',
    'SUPPORT.md': '# Support\n',
    'ch1.md':
      '# The Marsh: A Guide\n# Chapter 1: Reeds\n\nReeds are the tall plants at the edge of the water.\n',
    'ch2.md': '# The Marsh: A Guide\n\n## Chapter 2: Water\n\nText.\n',
    'security.md': '---\ntitle: "Safe: in the marsh"\ndate: 2026-01-01\n---\n## Ingredients\n\n- a boat\n',
    'ch4.md': '# Water\n\nText.\n',
  });
  const { code, out } = await run(['--slug', 'marsh', '--free']);
  expect(code).toBe(0);
  const item = parse(read('books/marsh/item.yaml'));
  expect(item.chapters).toEqual([
    { path: 'ch1.md', title: 'Chapter 1: Reeds' },
    { path: 'ch2.md', title: 'Chapter 2: Water' },
    { path: 'ch4.md', title: 'Water' },
    { path: 'security.md', title: 'Safe: in the marsh' },
  ]);
  expect(item.description).toStartWith('Reeds are the tall plants');
  expect(out).toContain('chapters named by the heading below the title of the book: 2');
});

test('recipes that all begin with the same heading are named by their files, and chapters of one name are said', async () => {
  const recipe = '## Ingredients\n\n- flour\n\n## Directions\n\nBake.\n';
  const named = (name: string) => `---\ntitle: ${name}\n---\n${recipe}`;
  const { run, read } = openImport({
    'apple-pie.md': recipe,
    'bread.md': recipe,
    'cake.md': recipe,
    'd.md': named('Soup'),
    'e.md': named('Soup'),
    'f.md': named('Soup'),
  });
  const { out } = await run(['--slug', 'food', '--free']);
  const titles = chapters(read('books/food/item.yaml')).map(({ title }: { title: string }) => title);
  expect(titles).toEqual(['Apple pie', 'Bread', 'Cake', 'Soup', 'Soup', 'Soup']);
  expect(out).toContain('Titles that several chapters have: Soup');
  expect(out).toContain('The description only holds a place');
  expect(out).not.toContain('is a first paragraph');
});

const SKILLS: Files = {
  'README.md': '# Skills',
  'skills/alpha/SKILL.md': skillMd('alpha'),
  'skills/alpha/scripts/run.sh': '#!/bin/sh\n',
  'skills/alpha/examples/inner/SKILL.md': skillMd('inner'),
  'skills/alpha/credentials.json': '{}',
  '.claude/skills/folder-of-beta/SKILL.md': skillMd('beta'),
  '.claude/skills/folder-of-beta/.hidden': 'x',
};

describe('a repository of skills', () => {
  test('becomes a skill for each SKILL.md, with one publisher and one price', async () => {
    const { run, read, has, all } = openImport(SKILLS);
    const { code, out } = await run(['--publisher', 'Ada', '--price', '300']);
    expect([code, out]).toEqual([0, expect.stringContaining('Made skills/alpha as a draft: 3 files')]);
    for (const slug of ['alpha', 'beta'])
      expect(parse(read(`skills/${slug}/item.yaml`))).toEqual({
        publisher: 'Ada',
        unitAmountCents: 300,
        status: 'draft',
      });
    expect(read('skills/alpha/SKILL.md')).toBe(skillMd('alpha'));
    expect(has('skills/alpha/examples/inner/SKILL.md')).toBe(true);
    expect(all().filter((path) => /inner$|hidden|credentials/.test(path))).toEqual([
      'skills/alpha/examples/inner',
    ]);
    expect(out).toContain('skills/beta: 1 file, $3');
  });

  test('is published at once with --publish', async () => {
    const { run, read } = openImport(SKILLS);
    const { code, out, err } = await run(['--publisher', 'Ada', '--free', '--publish']);
    expect([code, err]).toEqual([0, 'Next: run "bookstall serve", or "bookstall reindex" if it runs\n']);
    expect(out).toContain('Made skills/alpha: 3 files');
    for (const slug of ['alpha', 'beta'])
      expect(parse(read(`skills/${slug}/item.yaml`)).status).toBe('published');
  });

  test('whose description is too long is made, and said to be of no use yet', async () => {
    const { run } = openImport({
      'a/SKILL.md': skillMd('a').replace(/description: .*/, `description: ${'x'.repeat(1025)}`),
      'skills/nameless/SKILL.md': 'No front matter.\n',
    });
    const { code, out } = await run(['--publisher', 'Ada', '--free']);
    expect([code, out]).toEqual([
      1,
      expect.stringContaining('Skills whose SKILL.md cannot be used: a/SKILL.md, skills/nameless/SKILL.md\n'),
    ]);
    expect(out).toContain('skills/nameless: 1 file');
    expect(out).toContain('Cannot use 1025 characters as "description"');
  });

  test.each<[string, Files, string[], string]>([
    [
      'two of one name',
      { 'a/SKILL.md': skillMd('same'), 'b/SKILL.md': skillMd('same') },
      [],
      'another skill in the folder is named "same" too',
    ],
    [
      '--slug for several',
      { 'a/SKILL.md': skillMd('a'), 'b/SKILL.md': skillMd('b') },
      ['--slug', 'x'],
      'it holds 2 skills, and --slug names one',
    ],
    [
      'no skill',
      { 'a.md': '# A' },
      ['--as', 'skill'],
      'it holds no SKILL.md; name an EPUB, a Word document (.docx), or a folder with',
    ],
  ])('is refused for %s, and nothing is written', async (_, files, flags, sentence) => {
    const { run, all } = openImport(files);
    const { code, err } = await run(flags);
    expect([code, err]).toEqual([1, expect.stringContaining(sentence)]);
    expect(all()).toEqual([]);
  });

  test('is a book if --as says so', async () => {
    const { run, has } = openImport({ 'a/SKILL.md': skillMd('a') });
    expect((await run(['--as', 'book', '--slug', 'b', '--free'])).code).toBe(0);
    expect(has('books/b/a/SKILL.md')).toBe(true);
  });

  test('with an error of its own is written, and the exit code says that it cannot be served', async () => {
    const { run, has } = openImport({ 'a/SKILL.md': '---\nname: a\n---\n' });
    const { code, out, err } = await run(['--free', '--publisher', 'Ada']);
    expect([code, has('skills/a/SKILL.md')]).toEqual([1, true]);
    expect(out).toContain('error  SKILL.md: Cannot find the key "description"');
    expect(err).toContain('Next: mend what check names above');
  });
});

test('a book with a long list of chapters is imported, and read again', async () => {
  const { run, read } = openImport(
    Object.fromEntries(
      Array.from({ length: 700 }, (_, n) => [
        `part-${n % 50}-of-the-long-book/chapter-${n}.md`,
        `# Chapter ${n}: ${'how it went on and on '.repeat(8)}\n\nText.\n`,
      ]),
    ),
  );
  const { code, err } = await run(['--slug', 'long', '--free']);
  expect([code, err]).toEqual([0, expect.stringContaining('Next: look it over')]);
  expect(read('books/long/item.yaml').length).toBeGreaterThan(150_000);
});

test('100,000 files are refused by the first of them that is too many', async () => {
  const { run, all } = openImport(
    Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`${n}.md`, '# x'])),
  );
  const { code, err } = await run(['--slug', 'b', '--max-files', '20']);
  expect([code, err]).toEqual([1, expect.stringMatching(/it has 30 files, more than 20; split it/)]);
  expect(all()).toEqual([]);
});

test.each([
  ['a file of another kind', { 'a.bin': 'x' }, 'a.bin', 'it is no manuscript that this program reads'],
  ['a PDF', { 'a.pdf': '%PDF' }, 'a.pdf', 'such as a .docx or an EPUB, and name the PDF under "formats"'],
  ['a text of an older Word', { 'a.doc': 'x' }, 'a.doc', 'save it there as a Word document (.docx)'],
  [
    'a folder of a licence alone',
    { 'LICENSE.md': 'Do as you like.' },
    '',
    'it holds no text that is meant for readers',
  ],
  [
    'a folder of notes of a day and templates',
    { 'Daily Notes/2026-11-23.md': 'Sad.', 'Templates/day.md': '# Day', '2026-11-24.md': 'Glad.' },
    '',
    'it holds no text that is meant for readers',
  ],
  ['a folder without text', { 'a.bin': 'x' }, '', 'it holds no manuscript that this program reads'],
  ['a path that is not there', {}, 'gone', 'there is no such file or folder'],
])('%s is refused', async (_, files, path, sentence) => {
  const { run } = openImport(files);
  const { code, err } = await run([], path);
  expect([code, err]).toEqual([1, expect.stringContaining(sentence)]);
});

test.each<Files>([
  { 'a.md': '# A', 'notes.txt': '-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n' },
  { 'SKILL.md': skillMd('a'), 'scripts/run.sh': '#!/bin/sh\n# -----BEGIN RSA PRIVATE KEY-----\n' },
])('a folder with a private key leaves nothing behind: %p', async (files) => {
  const { run, all, content } = openImport(files);
  for (const flags of [['--dry-run'], ['--publish']]) {
    const { code, out, err } = await run(['--slug', 'a', '--free', '--publisher', 'A', ...flags]);
    expect([code, out, err]).toEqual([1, '', expect.stringMatching(/notes.txt|run.sh/)]);
    expect(all()).toEqual([]);
  }
  writeFiles(content, { 'books/other/1.md': '# Other' });
  await run(['--slug', 'a', '--free', '--publish']);
  expect(all()).toEqual(['books', 'books/other', 'books/other/1.md']);
});

test('links out of a folder are refused if they are in what is imported, and only then', async () => {
  const { from, run, has, all } = openImport({ 'skills/a/SKILL.md': skillMd('a'), 'docs/x.md': 'x' });
  symlinkSync('/etc/passwd', join(from, 'docs/out'));
  symlinkSync('nowhere', join(from, 'docs/dangling'));
  symlinkSync('..', join(from, 'docs/up'));
  expect((await run(['--free', '--publisher', 'Ada'])).code).toBe(0);
  expect(has('skills/a/SKILL.md')).toBe(true);
  const book = await run(['--as', 'book', '--slug', 'b', '--free']);
  expect([book.code, book.err]).toEqual([
    1,
    expect.stringMatching(/"docs\/dangling": it is a link that leads to no file/),
  ]);
  symlinkSync('/etc/passwd', join(from, 'skills/a/out'));
  const again = await run(['--update']);
  expect([again.code, again.err]).toEqual([
    1,
    expect.stringContaining('"skills/a/out": it is a link that leads out of its folder'),
  ]);
  expect(all().filter((path) => path.includes('.import') || path.startsWith('books'))).toEqual([]);
});
