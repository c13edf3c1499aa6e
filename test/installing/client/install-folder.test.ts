// A hostile stall against a reader's folders: whatever it sends, with `--force` or not, it writes where the reader asked, and
// replaces nothing but what the same stall's same item installed there.
import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type } from '../../platform/cli/type.ts';
import { temporaryDirectory, writeFiles } from '../../helpers/harness.ts';
import { itemArchive, type SentItem } from './hostile-tar.ts';

type Answers = Readonly<Record<string, SentItem | ((request: Request) => Response | Promise<Response>)>>;

/** A stall whose answers the test writes: what it installs, by slug. */
function openScripted() {
  const script: { answers: Answers; onAsked: () => void } = { answers: {}, onAsked: () => {} };
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      const [, slug = ''] = /^\/api\/install\/([^/]+)$/.exec(new URL(request.url).pathname) ?? [];
      const answer = script.answers[slug];
      if (answer === undefined)
        return Response.json({ error: 'Cannot find it', code: 'NOT_FOUND' }, { status: 404 });
      script.onAsked();
      return typeof answer === 'function' ? answer(request) : new Response(Buffer.from(itemArchive(answer)));
    },
  });
  afterAll(() => server.stop(true));
  return { script, url: server.url.origin };
}

const stall = openScripted();
const other = openScripted();

const book = (slug: string, id: string | null = 'tome-id', text = 'Hello\n'): SentItem => ({
  slug,
  record: { kind: 'book', id },
  files: { '01.md': text },
});
const skill = (slug: string, record: Readonly<Record<string, unknown>> = {}): SentItem => ({
  slug,
  record,
  files: { 'SKILL.md': 'New\n' },
});

let home = '';
let project = '';
let say: (...words: readonly string[]) => ReturnType<typeof type>;

/** Everything below the reader's home but the program's own lists: what it is, and its content. */
function tree(): Readonly<Record<string, string>> {
  const names = readdirSync(home, { recursive: true }).map(String);
  const kept = names.filter((name) => !name.startsWith('state')).toSorted();
  return Object.fromEntries(
    kept.map((name) => {
      const status = lstatSync(join(home, name));
      if (status.isSymbolicLink()) return [name, `-> ${readlinkSync(join(home, name))}`];
      return [name, status.isFile() ? readFileSync(join(home, name), 'utf8') : '/'];
    }),
  );
}

// `good` and `tome` are the stall's, here and where Claude Code reads skills; `bar` is another stall's, in both places too.
beforeEach(async () => {
  home = temporaryDirectory();
  project = join(home, 'project');
  mkdirSync(project);
  const environment = { BOOKSTALL_URL: stall.url, BOOKSTALL_HOME: join(home, 'state'), HOME: home };
  say = (...words) => type(words, environment);
  stall.script.onAsked = () => {};
  stall.script.answers = { good: { slug: 'good' }, tome: book('tome') };
  other.script.answers = { bar: { slug: 'bar' } };
  for (const where of [
    ['--dir', project],
    ['--agent', 'claude', '-g'],
  ]) {
    expect((await say('install', 'good', ...where)).code).toBe(0);
    expect((await say('install', 'bar', '--url', other.url, ...where)).code).toBe(0);
  }
  expect((await say('install', 'tome', '--dir', project)).code).toBe(0);
  writeFiles(home, {
    'project/src/main.ts': 'mine\n',
    'project/TRAP/main.ts': 'mine\n',
    'project/notes': 'mine\n',
    'elsewhere/mine.txt': 'mine\n',
    'project/kept/.svc-install': JSON.stringify({
      service: other.url,
      kind: 'skill',
      id: null,
      slug: 'kept',
      digest: `sha256:${'0'.repeat(64)}`,
    }),
    // A whole copy of `good` under another name.
    'project/copied/.svc-install': readFileSync(join(project, 'good/.svc-install'), 'utf8').replace(
      'http://x',
      stall.url,
    ),
    'project/copied/SKILL.md': 'Hello\n',
  });
  // Anybody can write a record: the reader's own list says what was installed.
  for (const [slug, text] of Object.entries({ forged: 'Hello\n', altered: 'mine\n' }))
    writeFiles(project, {
      [`${slug}/.svc-install`]: readFileSync(join(project, 'copied/.svc-install'), 'utf8').replace(
        '"good"',
        `"${slug}"`,
      ),
      [`${slug}/SKILL.md`]: text,
    });
  symlinkSync('../elsewhere', join(project, 'link'));
  symlinkSync('nowhere', join(project, 'dangling'));
  symlinkSync('good', join(project, 'alias'));
});

const DID_NOT = `bookstall did not install it from ${stall.url}`;

type Row = readonly [name: string, words: readonly string[], answers: Answers, reason: string];
const INSTALL: readonly Row[] = [
  ['a folder of the reader, by the name they gave', ['src'], { src: skill('src') }, DID_NOT],
  ['the same with a book', ['src'], { src: book('src') }, DID_NOT],
  ['a file of the reader', ['notes'], { notes: skill('notes') }, DID_NOT],
  ['a link out of the project', ['link'], { link: skill('link') }, DID_NOT],
  ['a link that leads nowhere', ['dangling'], { dangling: skill('dangling') }, DID_NOT],
  ['a link to its own folder', ['alias'], { alias: skill('alias') }, DID_NOT],
  ["a folder of another stall's", ['bar'], { bar: skill('bar') }, DID_NOT],
  ["a folder that tar unpacked from another stall's", ['kept'], { kept: skill('kept') }, DID_NOT],
  ['a folder with a forged record of its files', ['forged'], { forged: skill('forged') }, DID_NOT],
  ['a folder with a forged record and other files', ['altered'], { altered: skill('altered') }, DID_NOT],
  ['a folder with the record of another item', ['copied'], { copied: skill('copied') }, DID_NOT],
  ['a name in capitals', ['TRAP'], { TRAP: skill('trap') }, 'a slug has'],
  ['a name that is a path', ['../elsewhere'], { '..%2felsewhere': skill('src') }, 'a slug has'],
  ...['src', 'notes', 'link', 'dangling', 'bar', 'good', 'tome', 'bin'].flatMap((slug): Row[] => [
    [`"${slug}" in place of a new skill`, ['foo'], { foo: skill(slug) }, `install "${slug}" by its name`],
    [`"${slug}" in place of a new book`, ['foo'], { foo: book(slug) }, `install "${slug}" by its name`],
    [`"${slug}" as an edition`, ['foo@1'], { foo: skill(slug) }, `install "${slug}" by its name`],
  ]),
];
const BOTH: readonly Row[] = [
  ...['src', 'notes', 'link', 'dangling', 'bar', 'tome'].map((slug): Row => [
    `a skill that is now "${slug}"`,
    ['good'],
    { good: skill(slug) },
    'something is there',
  ]),
  ...['src', 'notes', 'link', 'dangling', 'bar', 'good'].map((slug): Row => [
    `a book that is now "${slug}"`,
    ['tome'],
    { tome: book(slug) },
    'something is there',
  ]),
  ['a book in place of a skill', ['good'], { good: book('good') }, 'in place of the skill "good"'],
  ['a book without an id in place of it', ['good'], { good: book('good', null) }, 'in place of the skill'],
  ['a book "src" in place of it', ['good'], { good: book('src') }, 'in place of the skill "good"'],
  [
    'a book "bin", which is nowhere, in place of it',
    ['good'],
    { good: book('bin') },
    'in place of the skill',
  ],
  ['a skill with an id', ['good'], { good: skill('good', { id: 'x' }) }, 'in place of the skill "good"'],
  ['a skill in place of a book', ['tome'], { tome: skill('tome') }, 'in place of the book "tome"'],
  ['a skill "src" in place of it', ['tome'], { tome: skill('src') }, 'in place of the book "tome"'],
  ['a skill with its id', ['tome'], { tome: skill('tome', { id: 'tome-id' }) }, 'in place of the book'],
  ['another book', ['tome'], { tome: book('tome', 'other-id') }, 'in place of the book "tome" with the id'],
  ['another book "bin"', ['tome'], { tome: book('bin', 'other-id') }, 'in place of the book "tome"'],
  ['a book without an id', ['tome'], { tome: book('tome', null) }, 'in place of the book "tome"'],
  ['a book whose id is in capitals', ['tome'], { tome: book('tome', 'TOME-ID') }, 'in place of the book'],
  [
    'a new name in a header, and a book below it',
    ['good'],
    {
      good: (request) =>
        request.headers.has('if-none-match')
          ? new Response(null, {
              status: 304,
              headers: { 'Content-Disposition': 'attachment; filename="src.tar.gz"' },
            })
          : new Response(Buffer.from(itemArchive(book('src')))),
    },
    'in place of the skill "good"',
  ],
];

describe.each([[[]], [['--force']]])('nothing of the reader changes, by %p', (forced) => {
  test.each([...INSTALL, ...BOTH])('install: %s', async (_, words, answers, reason) => {
    stall.script.answers = answers;
    const before = tree();
    const { code, err } = await say('install', ...words, '--dir', project, ...forced);
    expect([code, err]).toEqual([1, expect.stringContaining(reason)]);
    expect(tree()).toEqual(before);
  });

  test.each(BOTH)('update: %s', async (_, words, answers, reason) => {
    stall.script.answers = answers;
    const before = tree();
    const { code, err } = await say('update', ...words, '--dir', project, ...forced);
    expect([code, err]).toEqual([1, expect.stringContaining(reason)]);
    expect(tree()).toEqual(before);
    expect((await say('verify')).code).toBe(0);
  });

  test("in an agent's folder", async () => {
    const skills = join(home, '.claude/skills');
    for (const [slug, sent] of Object.entries({
      bar: skill('bar'),
      foo: skill('good'),
      good: skill('bar'),
    })) {
      stall.script.answers = { [slug]: sent };
      const before = tree();
      expect((await say('install', slug, '--agent', 'claude', '-g', ...forced)).code).toBe(1);
      expect(tree()).toEqual(before);
    }
    // Another agent's folder is a link to the first one's: the same rules hold there.
    symlinkSync('.claude', join(home, '.gemini'));
    const before = tree();
    expect((await say('install', 'foo', '--agent', 'gemini', '-g', ...forced)).code).toBe(1);
    expect(tree()).toEqual(before);
    expect(readdirSync(skills).toSorted()).toEqual(['bar', 'good']);
  });

  test('if a folder appears during the download', async () => {
    stall.script.answers = { foo: skill('foo'), good: skill('fine') };
    for (const [slug, taken] of [
      ['foo', 'foo'],
      ['good', 'fine'],
    ] as const) {
      stall.script.onAsked = () => writeFiles(project, { [`${taken}/mine.txt`]: 'mine\n' });
      const before = { ...tree(), [`project/${taken}`]: '/', [`project/${taken}/mine.txt`]: 'mine\n' };
      expect((await say('install', slug, '--dir', project, ...forced)).code).toBe(1);
      expect(tree()).toEqual(before);
    }
  });

  test('if the folder is another one by now, that took the name', async () => {
    rmSync(join(project, 'good'), { recursive: true });
    writeFiles(project, { 'good/main.ts': 'mine\n' });
    stall.script.answers = { good: skill('good') };
    const before = tree();
    for (const words of [
      ['install', 'good', '--dir', project],
      ['update', 'good', '--dir', project],
    ])
      expect((await say(...words, ...forced)).code).toBe(1);
    expect(tree()).toEqual(before);
  });
});

test('asks the stall nothing about a folder that is not its item’s', async () => {
  let asked = 0;
  stall.script.answers = { src: skill('src'), bar: skill('bar') };
  stall.script.onAsked = () => asked++;
  for (const slug of ['src', 'bar', 'link', 'notes']) await say('install', slug, '--dir', project, '--force');
  expect(asked).toBe(0);
});

describe('the reader gets', () => {
  const read = (path: string): string => readFileSync(join(project, path), 'utf8');

  test('a new edition in the same folder', async () => {
    stall.script.answers = { good: skill('good'), tome: book('tome', 'tome-id', 'New\n') };
    expect((await say('install', 'good', 'tome', '--dir', project)).code).toBe(0);
    expect([read('good/SKILL.md'), read('tome/01.md')]).toEqual(['New\n', 'New\n']);
  });

  test('a renamed item beside its folder, in each of several', async () => {
    stall.script.answers = { good: skill('fine'), tome: book('volume') };
    expect((await say('update', 'good')).code).toBe(0);
    expect((await say('update', 'tome')).code).toBe(0);
    expect([read('fine/SKILL.md'), read('volume/01.md')]).toEqual(['New\n', 'Hello\n']);
    expect(readdirSync(project)).not.toContain('good');
    expect(readdirSync(join(home, '.claude/skills')).toSorted()).toEqual(['bar', 'fine']);
  });

  test('a renamed item where its name is free, though not where it is taken', async () => {
    writeFiles(home, { '.claude/skills/fine/SKILL.md': 'mine\n' });
    stall.script.answers = { good: skill('fine') };
    expect((await say('update', 'good', '--force')).code).toBe(1);
    expect(read('fine/SKILL.md')).toBe('New\n');
    const skills = join(home, '.claude/skills');
    expect(readFileSync(join(skills, 'fine/SKILL.md'), 'utf8')).toBe('mine\n');
    expect(readFileSync(join(skills, 'good/SKILL.md'), 'utf8')).toBe('Hello\n');
  });

  test('a changed file replaced with --force alone', async () => {
    writeFiles(project, { 'good/SKILL.md': 'mine\n' });
    stall.script.answers = { good: skill('good') };
    expect((await say('install', 'good', '--dir', project)).err).toContain('use --force to lose that');
    expect(read('good/SKILL.md')).toBe('mine\n');
    expect((await say('install', 'good', '--dir', project, '--force')).code).toBe(0);
    expect(read('good/SKILL.md')).toBe('New\n');
  });

  test('its item from the same stall under another name of this machine', async () => {
    stall.script.answers = { good: skill('good') };
    const url = stall.url.replace('127.0.0.1', 'localhost');
    expect((await say('install', 'good', '--dir', project, '--url', url)).code).toBe(0);
    expect(read('good/SKILL.md')).toBe('New\n');
  });
});
