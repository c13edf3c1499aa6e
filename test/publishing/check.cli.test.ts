import { describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Files,
  itemYaml,
  openStall,
  SHELF,
  skillMd,
  temporaryDirectory,
  writeFiles,
} from '../helpers/harness.ts';
import { type } from '../platform/cli/type.ts';

function content(files: Files): string {
  const directory = temporaryDirectory();
  writeFiles(directory, files);
  return directory;
}

const check = (directory: string, ...flags: string[]) => type(['check', '--content', directory, ...flags]);
const book = (more = {}): Files => ({
  'books/b/item.yaml': itemYaml({ id: 'b', ...more }),
  'books/b/01.md': '# One\n',
});

test('a good shelf ends with 0 and a line an item', async () => {
  const { code, out, err } = await check(content(SHELF));
  expect(code).toBe(0);
  expect(out).toContain('books/free-book: 1 file, Free, whole as a skill\n');
  expect(out).toContain('skills/paid-skill: 2 files, $19\n');
  expect(err).toBe('8 items, all can be served\n');
});

test('stall.yaml has a line that says whether it is used', async () => {
  for (const [yaml, line] of [
    ['name: Herons\n', 'stall.yaml: used\n'],
    ['nome: Herons\n', 'stall.yaml: not used\n'],
  ] as const)
    expect((await check(content({ ...book(), 'stall.yaml': yaml }))).out).toStartWith(line);
});

test('an mdBook that was copied as it is gets a warning if a chapter has marks of mdBook', async () => {
  const chapter = { 'books/b/src/one.md': '# One\n\n{{#include ../code.rs:2:3}}\n' };
  const toml = { 'books/b/book.toml': '[book]\ntitle = "B"\n' };
  const { code, out } = await check(content({ ...book(), ...chapter, ...toml }));
  expect(code).toBe(0);
  expect(out).toContain('warning  src/one.md: "src/one.md" has marks of mdBook, such as "{{#include}}"');
  for (const files of [chapter, toml, { ...toml, 'books/b/src/one.md': '# One\n\n{{#template}}\n' }])
    expect((await check(content({ ...book(), ...files }))).out).not.toContain('marks of mdBook');
});

test('hidden characters are warned of with file and line', async () => {
  const { code, out } = await check(
    content({ ...book(), 'books/b/02.md': '# Two\n\nPay\u200Bment \u202E\n' }),
  );
  expect(code).toBe(0);
  expect(out).toContain('warning  02.md: 2 hidden characters: 02.md:3 (U+200B U+202E). Remove them');
  expect((await check(content(book()))).out).not.toContain('hidden');
});

test('--list shows hash, mode, size and path of each distributed file, and nothing else', async () => {
  const text = '#!/bin/sh\nexit 0\n';
  const sha256 = createHash('sha256').update(text).digest('hex');
  const directory = content({
    ...book(),
    'books/b/run.sh': text,
    'books/b/.DS_Store': 'x',
    'books/b/old.md~': 'x',
  });
  const { out } = await check(directory, '--list');
  expect(out).toContain(`  ${sha256}  0755  ${String(text.length).padStart(9)}  run.sh\n`);
  expect(out).not.toMatch(/item\.yaml|DS_Store|old\.md/);
  const [item] = JSON.parse((await check(directory, '--list', '--json')).out);
  expect(item.files).toContainEqual({ path: 'run.sh', size: text.length, sha256, executable: true });
  expect(JSON.parse((await check(directory, '--json')).out)[0]).not.toHaveProperty('files');
});

test('texts that are not chapters are listed, since they answer no questions', async () => {
  const files = {
    'books/b/README.md': 'x',
    'books/b/data.json': '{}',
    'books/b/photo.png': Buffer.from([0xff]),
  };
  const directory = content({ ...book(), ...files });
  const line =
    '  note  Not chapters, so they answer no questions: README.md, data.json. Name them in "chapters" if they should\n';
  const { code, out } = await check(directory);
  expect(code).toBe(0);
  expect(out).toContain(line);
  expect(JSON.parse((await check(directory, '--json')).out)[0].otherTexts).toEqual([
    'README.md',
    'data.json',
  ]);
  const many = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`books/b/${10 + i}.json`, '{}']));
  expect((await check(content({ ...book(), ...many }))).out).toContain('19.json, and 2 more. Name them');
  expect((await check(content(book()))).out).not.toContain('note');
});

test('a book that is not whole as a skill says so', async () => {
  const pictures = Object.fromEntries(
    Array.from({ length: 501 }, (_, n) => [`books/b/${n}.png`, Buffer.from([0xff])]),
  );
  const texts = Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`books/b/${n}.md`, 'x']));
  const outOf = async (more: Files) => {
    const directory = content({ ...book(), ...more });
    const [item] = JSON.parse((await check(directory, '--json')).out);
    return [item.skillForm, (await check(directory)).out] as const;
  };
  expect(await outOf(pictures)).toEqual(['texts', expect.stringContaining('has its texts alone')]);
  expect(await outOf(texts)).toEqual(['thin', expect.stringContaining('has its contents alone')]);
});

describe('a problem is named with its path, and ends with 1', () => {
  test.each<[string, Files, string, RegExp]>([
    [
      'no price',
      { 'books/b/item.yaml': 'id: b\ntitle: T\ndescription: D\npublisher: P\n' },
      'item.yaml',
      /unitAmountCents/,
    ],
    ['an unknown key', book({ prize: 7 }), 'item.yaml', /prize/],
    ['a price with a sign', book({ unitAmountCents: '-5' }), 'item.yaml', /unitAmountCents/],
    ['no id', { 'books/b/item.yaml': itemYaml() }, 'item.yaml', /\bid\b/],
    ['a dot file', { ...book(), 'books/b/.env': 'A=1\n' }, '.env', /./],
    ['a private key', { ...book(), 'books/b/server.pem': 'x' }, 'server.pem', /./],
    [
      'a key in a text',
      { ...book(), 'books/b/notes.txt': '-----BEGIN RSA PRIVATE KEY-----\n' },
      'notes.txt',
      /./,
    ],
    ['an install record', { ...book(), 'books/b/.svc-install': '{}' }, '.svc-install', /./],
    ['two names of one spelling', { ...book(), 'books/b/a.md': 'x', 'books/b/A.md': 'x' }, 'a.md', /case/],
    [
      'a bare git repository',
      { ...book(), 'books/b/x/HEAD': 'x', 'books/b/x/objects/a': 'x', 'books/b/x/refs/a': 'x' },
      'x/HEAD',
      /git takes its folder for a repository/,
    ],
    ['a backslash', { ...book(), 'books/b/a\\b.md': 'x' }, 'a\\b.md', /./],
    [
      'a skill of another name',
      { 'skills/s/item.yaml': itemYaml(), 'skills/s/SKILL.md': skillMd('other') },
      'SKILL.md',
      /name/,
    ],
    ['no SKILL.md', { 'skills/s/item.yaml': itemYaml(), 'skills/s/a.md': 'x' }, 'SKILL.md', /./],
  ])('%s', async (_, files, path, sentence) => {
    const directory = content(files);
    const { code, out, err } = await check(directory);
    expect(code).toBe(1);
    expect(err).toEndWith('1 item, 1 cannot be served\n');
    expect(out).toContain(`  error  ${path}: `);
    const [{ problems }] = JSON.parse((await check(directory, '--json')).out);
    const named = problems.filter(
      (problem: { severity: string; path: string }) => problem.severity === 'error',
    );
    expect(named).toContainEqual(
      expect.objectContaining({ path, sentence: expect.stringMatching(sentence) }),
    );
    for (const { remedy } of named) expect(remedy).toBeString();
  });

  test('a link', async () => {
    const directory = content(book());
    symlinkSync('/etc/passwd', join(directory, 'books/b/passwd'));
    const { code, out } = await check(directory);
    expect(code).toBe(1);
    expect(out).toContain('  error  passwd: ');
    expect(out).not.toContain('root:');
  });

  test('every problem at once, and the good items beside them', async () => {
    const directory = content({ ...SHELF, ...book({ prize: 7, status: 'sold' }), 'books/b/.env': 'x' });
    const { code, out, err } = await check(directory);
    expect(code).toBe(1);
    expect(err).toBe('9 items, 1 cannot be served\n');
    for (const name of ['prize', 'status', '.env']) expect(out).toContain(name);
    expect(out).toContain('books/free-book: 1 file, Free, whole as a skill\n');
  });
});

test('two items of one id are both named, and both refused', async () => {
  const twin = { 'books/c/item.yaml': itemYaml({ id: 'b' }), 'books/c/01.md': '# Two\n' };
  const { code, err } = await check(content({ ...book(), ...twin }));
  expect({ code, err }).toEqual({ code: 1, err: '2 items, 2 cannot be served\n' });
});

test('a warning alone ends with 0', async () => {
  const skill = {
    'skills/s/item.yaml': itemYaml(),
    'skills/s/SKILL.md': skillMd('s').replace('\n---\n', '\ncolour: red\n---\n'),
  };
  const { code, out } = await check(content(skill));
  expect(code).toBe(0);
  expect(out).toContain('  warning  SKILL.md [spec]: ');
});

test('a missing and an empty content directory have different messages', async () => {
  const directory = temporaryDirectory();
  const missing = await check(join(directory, 'nowhere'));
  expect(missing.code).toBe(1);
  expect(missing.err).toContain('nowhere');
  mkdirSync(join(directory, 'empty'));
  expect(await check(join(directory, 'empty'))).toEqual({
    code: 0,
    out: '',
    err: '0 items, all can be served\n',
  });
});

test('control characters of a name never reach the terminal', async () => {
  const { out } = await check(content({ ...book(), 'books/b/red\u001b[31m.md': 'x' }), '--list');
  expect(out).not.toContain('\u001b');
});

test('a content directory that cannot be read is refused in a sentence', async () => {
  const directory = temporaryDirectory();
  symlinkSync('books', join(directory, 'books'));
  const { code, err } = await type(['check', '--content', directory]);
  expect(code).toBe(1);
  expect(err).toStartWith(`Cannot read the content directory "${directory}": `);
});

test('two items that claim one former slug are both errors, and each names the other', async () => {
  const skill = (slug: string, formerly: string): Files => ({
    [`skills/${slug}/item.yaml`]: itemYaml({ formerly }),
    [`skills/${slug}/SKILL.md`]: skillMd(slug),
  });
  const { code, out, err } = await check(
    content({ ...skill('one', 'kit'), ...skill('two', '[kit, set]'), ...skill('three', 'one') }),
  );
  expect([code, err]).toEqual([1, '3 items, 2 cannot be served\n']);
  expect(out).toContain('Cannot take "kit" as a former slug: skills/two/item.yaml names it too');
  expect(out).toContain('Cannot take "kit" as a former slug: skills/one/item.yaml names it too');
  expect(out).toContain('warning  item.yaml: "formerly" names "one", but skills/one has that slug now');
});

test('a draft that was sold is named with the number of its holders, by check and by reindex', async () => {
  const files = book({ unitAmountCents: 500 });
  const stall = await openStall({ files });
  await stall.reader('ann@example.org', 'b');
  writeFiles(stall.content, book({ unitAmountCents: 500, status: 'draft' }));
  await stall.app.publish();
  await stall.close();
  const said =
    'books/b: This draft was sold: 1 account that holds it can still get its last published edition';
  const directories = ['--content', stall.content, '--data', stall.data];
  for (const command of ['check', 'reindex']) {
    const { code, err } = await type([command, ...directories]);
    expect([code, err]).toEqual([0, expect.stringContaining(said)]);
  }
});

test('a book whose texts have markup of other programs gets one warning that counts it', async () => {
  const text =
    '# One\n\n> [!NOTE]\n> Grey.\n\nIt is $a_1 + b$ and $$x = 2$$, for $5 or $6, `==code==`.\n\n' +
    '```mermaid\ngraph TD\n```\n\n[[The marsh]] ![[fen.png]] ==one== leg %%not for you%% and 50%% off.\n\n' +
    '[[02#One]] [[Fen|fens]] \\(x\\)\n\n:::note\nWet.\n:::\n\n!!! tip "Dry"\n    So.\n\n' +
    '[[Prototype]] if [[ -f x ]] a[[0]] 50%% and 60%% cost $5$, [[1, 2]] `[[A b]]` <code>$x$</code>\n\n' +
    '```sh\n:::note\n!!! tip\n[[ -f "$a" ]] && echo \\(x\\)\n```\n\n<pre>\n!!! tip\n</pre>\n';
  const { code, out } = await check(
    content({
      ...book(),
      'books/b/01.md': text,
      'books/b/02.md': '==two==\n',
      'books/math/item.yaml': itemYaml({ id: 'math', math: 'true' }),
      'books/math/01.md': '# One\n\n$x$ $\\no$ $\\no$ \\(\\href{x}{y}\\) ==three==\n',
    }),
  );
  expect([code, out]).toEqual([
    0,
    expect.stringContaining(
      'warning  Readers see as it is typed: 1 diagram, 3 formulas, 2 alerts, 1 embedded file, 3 [[link]]s, 2 ==mark==s and 1 comment (%%…%%).',
    ),
  ]);
  for (const line of [
    '01.md: Cannot read the formula \\no and 1 more: Unsupported function name: \\no.',
    '01.md: Cannot read the formula \\href{x}{y}: Unsupported function name: \\href.',
    'Readers see as it is typed: 1 ==mark==.',
  ])
    expect(out).toContain(line);
});

test('a backup brings along what is served from its last good edition, and another directory serves it', async () => {
  const skill = { 'skills/k/item.yaml': itemYaml({}), 'skills/k/SKILL.md': skillMd('k') };
  const stall = await openStall({ files: { ...book(), ...skill } });
  writeFiles(stall.content, { 'skills/k/item.yaml': 'status: no such thing\n' });
  await stall.app.publish();
  const [where, data] = [stall.content, stall.data];
  const archive = async ({ fetch }: typeof stall) => (await fetch('/api/skills/k/download')).bytes();
  const served = await archive(stall);
  const file = join(temporaryDirectory(), 'one.db');
  const backup = await type(['backup', file, '--data', data]);
  expect([backup.code, backup.out]).toEqual([
    0,
    expect.stringContaining('last good editions of 1 item whose'),
  ]);
  await stall.close();
  const other = temporaryDirectory();
  writeFiles(`${file}.files`, { '../evil.json': 'x', 'editions/skill/..%2f.json': 'x', 'bookstall.db': 'x' });
  expect((await type(['restore', file, '--data', other])).code).toBe(0);
  const restored = await openStall({ files: {}, config: { content: where, data: other } });
  expect(await archive(restored)).toEqual(served);
  await restored.close();
});

test('files that changed under the same version are named by reindex, and by check from then on', async () => {
  const stall = await openStall({ files: { ...book({ version: '1.0' }), ...SHELF } });
  const [where, data] = [stall.content, stall.data];
  await stall.close();
  writeFiles(where, { 'books/b/01.md': '# Another\n' });
  const told = 'books/b: Files changed, but the version is still "1.0". Raise "version"';
  expect((await type(['reindex', '--content', where, '--data', data])).err).toContain(told);
  expect((await check(where, '--data', data)).err).toContain(told);
  expect((await check(where, 'b', '--data', data)).err).toContain(told);
  expect((await check(where, 'free-book', '--data', data)).err).not.toContain('books/b');
  writeFiles(where, book({ version: '1.1' }));
  writeFiles(where, { 'books/b/01.md': '# Another\n' });
  expect((await type(['reindex', '--content', where, '--data', data])).err).not.toContain('version');
});
