// Everything that a stall can vary in its answers, one row each: the client refuses it in a sentence, and leaves the reader's
// folders as they are. Archives' names and bytes are `hostile-archive`, signatures `break-in`, folders `place`.
import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type } from '../../platform/cli/type.ts';
import { temporaryDirectory } from '../../helpers/harness.ts';
import { itemArchive } from './hostile-tar.ts';

const KEY = `svc_${'k'.repeat(38)}`;
type Answer = (request: Request) => Response | Promise<Response>;
type Answers = Readonly<Record<string, Answer>>;
type Files = Readonly<Record<string, string>>;
type Fields = Readonly<Record<string, unknown>>;

const SKILL: Files = { 'SKILL.md': 'New\n', 'a/b.md': 'New\n' };
const BOOK: Files = { '01.md': 'New\n', 'SKILL.md': 'Of the book\n', 'references/own.md': 'New\n' };
const TOME = { kind: 'book', id: 'tome-id' };

const send =
  (bytes: Uint8Array, init: ResponseInit = {}): Answer =>
  () =>
    new Response(Buffer.from(bytes), init);
const json =
  (value: unknown, init: ResponseInit = {}): Answer =>
  () =>
    Response.json(value, init);
const refuse = (status: number, code: string, headers: Record<string, string> = {}): Answer =>
  json({ error: 'Cannot do it', code }, { status, headers });
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const listed = (files: Files) =>
  Object.entries(files).map(([path, text]) => ({ path, sha256: sha256(text) }));
const trap = (record: Fields = {}, files = SKILL, slug = 'trap'): Buffer =>
  itemArchive({ slug, files, record });
const tome = (record: Fields = {}, files = BOOK): Buffer =>
  itemArchive({ slug: 'tome', files, record: { ...TOME, ...record } });

const WELL_KNOWN = '/books/tome/.well-known/agent-skills';
const INDEX = { skills: [{ files: ['SKILL.md', 'references/01.md', 'references/references/own.md'] }] };
const [TRAP, TOME_DOOR] = ['/api/install/trap', '/api/install/tome'];
const [TRAP_FILES, TOME_FILES] = ['/api/skills/trap/files', '/api/books/tome-id/files'];
const ITEMS = [
  { kind: 'skill', slug: 'trap', id: null, title: 'Trap' },
  { kind: 'book', slug: 'tome', id: 'tome-id', title: 'Tome' },
];
/** The honest answers: an edition that is newer than the installed one. */
const HONEST: Answers = {
  [TRAP]: send(trap()),
  [TOME_DOOR]: send(tome()),
  [TRAP_FILES]: json({ files: listed(SKILL) }),
  [TOME_FILES]: json({ files: listed(BOOK) }),
  '/api/items': json({ items: ITEMS, next: null }),
  '/api/holdings': json({ items: [] }),
  [`${WELL_KNOWN}/index.json`]: json(INDEX),
  [`${WELL_KNOWN}/tome/SKILL.md`]: () => new Response('# Tome\n'),
};

let answers: Answers = HONEST;
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: (request) => (answers[new URL(request.url).pathname] ?? refuse(404, 'NOT_FOUND'))(request),
});
afterAll(() => server.stop(true));

let home = '';
let say: (...words: readonly string[]) => ReturnType<typeof type>;

/** Every file below the reader's home, the program's own lists too, with its mode. */
const tree = (): Files =>
  Object.fromEntries(
    readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((file) => [file.slice(home.length), `${statSync(file).mode} ${readFileSync(file, 'utf8')}`]),
  );

beforeEach(async () => {
  home = temporaryDirectory();
  mkdirSync(join(home, 'project'));
  const environment = {
    BOOKSTALL_URL: server.url.origin,
    BOOKSTALL_KEY: KEY,
    BOOKSTALL_HOME: join(home, 'state'),
    BOOKSTALL_TIMEOUT: '0.5',
    HOME: home,
  };
  say = async (...words) => {
    const said = await type(words, environment);
    // The random name of a temporary folder may look like a system's error.
    const shown = `${said.out}${said.err}`.replaceAll(home, '');
    expect(shown).not.toContain(KEY);
    expect(shown).not.toMatch(/Internal error|\bE[A-Z]{4,}\b|[^\P{Cc}\n\t]|\p{Bidi_Control}/u);
    return said;
  };
  const [skill, book] = [{ 'SKILL.md': 'Old\n' }, { '01.md': 'Old\n' }];
  answers = {
    ...HONEST,
    [TRAP]: send(trap({}, skill)),
    [TOME_DOOR]: send(tome({}, book)),
    [TRAP_FILES]: json({ files: listed(skill) }),
    [TOME_FILES]: json({ files: listed(book) }),
    [`${WELL_KNOWN}/index.json`]: json({ skills: [{ files: ['SKILL.md', 'references/01.md'] }] }),
  };
  expect((await say(...INSTALL_TRAP)).code).toBe(0);
  expect((await say(...INSTALL_TOME)).code).toBe(0);
});

const INSTALL_TRAP = ['install', 'trap', '--agent', 'claude', '-g'] as const;
const INSTALL_TOME = ['install', 'tome', '--agent', 'claude', '-g'] as const;
const UPDATE_TRAP = ['update', 'trap'] as const;
const UPDATE_TOME = ['update', 'tome'] as const;

type Row = readonly [name: string, answers: Answers, reason: string];

/** Refuses a row by both commands, forced or not. */
async function expectRefused(scripted: Answers, reason: string, ...lines: readonly (readonly string[])[]) {
  const before = tree();
  for (const words of lines)
    for (const forced of [[], ['--force']]) {
      answers = { ...HONEST, ...scripted };
      const { code, out, err } = await say(...words, ...forced);
      expect([code === 0, `${out}${err}`]).toEqual([false, expect.stringContaining(reason)]);
      expect(tree()).toEqual(before);
    }
}

test('an honest stall is believed', async () => {
  answers = HONEST;
  for (const words of [INSTALL_TRAP, INSTALL_TOME]) expect((await say(...words)).code).toBe(0);
  expect(JSON.stringify(tree())).not.toContain('Old');
});

const recordOf = (name: string, fields: Fields, reason: string): Row => [
  name,
  { [TRAP]: send(trap(fields)) },
  reason,
];
const UNREADABLE = 'its install record cannot be read';
const RECORDS: readonly Row[] = [
  recordOf('no kind', { kind: undefined }, UNREADABLE),
  recordOf('a kind that is none', { kind: 'plugin' }, UNREADABLE),
  recordOf('a kind that every object has', { kind: 'constructor' }, UNREADABLE),
  recordOf('a list of kinds', { kind: ['skill'] }, UNREADABLE),
  recordOf('another kind', { kind: 'book' }, 'in place of the skill "trap"'),
  recordOf('an id that a skill has not', { id: 'trap-id' }, 'in place of the skill "trap"'),
  recordOf('no digest', { digest: undefined }, UNREADABLE),
  recordOf('a digest without its kind', { digest: sha256('') }, UNREADABLE),
  recordOf('a digest in capitals', { digest: `sha256:${sha256('').toUpperCase()}` }, UNREADABLE),
  recordOf('a digest with a line below', { digest: `sha256:${sha256('')}\n` }, UNREADABLE),
  recordOf('a digest of other files', { digest: `sha256:${sha256('')}` }, 'do not have the digest'),
  recordOf('no slug', { slug: undefined }, UNREADABLE),
  recordOf('a slug that is not its folder', { slug: 'other' }, 'names "other"'),
  recordOf('a slug that steers the terminal', { slug: '\u001b[2J' }, 'names "\\u001b[2J"'),
  recordOf('a list of slugs', { slug: ['trap'] }, UNREADABLE),
  recordOf('a signer without a signature', { signer: `SHA256:${'A'.repeat(43)}` }, 'not of these files'),
  recordOf('a signer that is no key', { signer: '../../x' }, 'its signature is not of these files'),
  recordOf('a record of 70 KB', { more: 'x'.repeat(70_000) }, 'does not begin with an install record'),
  ['another folder', { [TRAP]: send(trap({ slug: 'other' }, SKILL, 'other')) }, 'something is there'],
];
// Where "other" would go, the honest item is free to be renamed: so that something is there.
describe('a record', () => {
  beforeEach(async () => {
    answers = { '/api/install/other': send(trap({}, SKILL, 'other')) };
    expect((await say('install', 'other', '--agent', 'claude', '-g')).code).toBe(0);
  });
  test.each(RECORDS)('%s', async (_, scripted, reason) =>
    expectRefused(scripted, reason, INSTALL_TRAP, UPDATE_TRAP),
  );

  test.each<[string, Fields, string]>([
    ['no id', { id: undefined }, 'in place of the book "tome" with the id "tome-id"'],
    ['an empty id', { id: '' }, 'in place of the book "tome" with the id "tome-id"'],
    ['an id that is a path', { id: '../tome-id' }, 'in place of the book "tome" with the id "tome-id"'],
    ['a list of ids', { id: ['tome-id'] }, 'in place of the book "tome" with the id "tome-id"'],
    ['another id', { id: 'other-id' }, 'in place of the book "tome" with the id "tome-id"'],
    ['another kind', { kind: 'skill', id: null }, 'in place of the book "tome"'],
  ])('of a book: %s', async (_, fields, reason) =>
    expectRefused({ [TOME_DOOR]: send(tome(fields)) }, reason, INSTALL_TOME, UPDATE_TOME),
  );

  test.each<[string, Fields]>([
    ['a version that is a number', { version: 7 }],
    ['a version that steers the terminal', { version: '\u001b[2J\u202e' }],
    ['unknown fields', { folder: '/etc', url: 'http://x', isBookSkill: true, files: [], __proto__: 1 }],
    ['a service that is no address', { service: '\u001b]0;gotcha' }],
    ['a subscriber that is none', { subscriberId: { a: 1 }, fetchId: 3 }],
  ])('with %s changes nothing else', async (_, fields) => {
    answers = { ...HONEST, [TRAP]: send(trap(fields)) };
    expect((await say(...INSTALL_TRAP)).code).toBe(0);
    const [row] = JSON.parse((await say('list', '--json')).out).filter(
      ({ slug }: { slug: string }) => slug === 'trap',
    );
    expect(row).toMatchObject({
      kind: 'skill',
      from: server.url.origin,
      folder: join(home, '.claude/skills/trap'),
    });
    expect((await say('verify')).code).toBe(0);
  });
});

const bare = (...paths: string[]): Row[1] => ({
  [TRAP]: send(trap({}, { ...SKILL, ...Object.fromEntries(paths.map((path) => [path, 'ref: refs/x\n'])) })),
  // The stall sends exactly what it lists.
  [TRAP_FILES]: refuse(403, 'ACCESS_DENIED'),
});
const GIT = 'git takes its folder for a repository';

describe('an answer of the install door', () => {
  const whole = trap();
  test.each<Row>([
    ['a bare git repository', bare('HEAD', 'config', 'objects/x', 'refs/x'), GIT],
    ['one in a folder', bare('a/b/HEAD', 'a/b/objects/x', 'a/b/refs/x'), GIT],
    ['one in small letters', bare('docs/head', 'docs/Objects/x', 'docs/rEFS/x'), GIT],
    ['one whose objects and refs are files', bare('HEAD', 'objects', 'refs'), GIT],
    ['a worktree of one', bare('HEAD', 'commondir', 'c/config', 'c/objects/x', 'c/refs/x'), GIT],
    ['a ".git"', bare('.git'), '".git"'],
    ['a ".GIT" in a folder', bare('a/.GIT/config'), '".git"'],
    ['no body', { [TRAP]: () => new Response(null) }, 'Cannot'],
    ['a page', { [TRAP]: () => new Response('<h1>Hello</h1>') }, 'not gzip'],
    ['its head alone', { [TRAP]: send(whole.subarray(0, 100)) }, 'cut short'],
    [
      'less than it named',
      { [TRAP]: send(whole, { headers: { 'X-Archive-Length': '99999' } }) },
      'connection',
    ],
    ['more than it named', { [TRAP]: send(whole, { headers: { 'X-Archive-Length': '9' } }) }, 'longer than'],
    [
      'bytes that a header calls gzip once more',
      { [TRAP]: send(Buffer.from('Hello'), { headers: { 'Content-Encoding': 'gzip' } }) },
      'Cannot',
    ],
    ['silence', { [TRAP]: () => new Promise(() => {}) }, 'has sent nothing'],
    ...[201, 202, 204, 205, 206].map((status): Row => [
      `status ${status}`,
      {
        [TRAP]: () => new Response(status === 204 || status === 205 ? null : Buffer.from(whole), { status }),
      },
      `answered ${status}`,
    ]),
    ...[300, 301, 302, 303, 307, 308].map((status): Row => [
      `status ${status} to a good archive`,
      {
        [TRAP]: () => new Response(null, { status, headers: { Location: '/again' } }),
        '/again': send(whole),
      },
      'Cannot follow',
    ]),
    ...[400, 402, 404, 409, 418, 500, 502].map((status): Row => [
      `status ${status} with a good archive`,
      { [TRAP]: send(whole, { status }) },
      `answered ${status}`,
    ]),
    ...(
      [
        [401, 'UNAUTHENTICATED'],
        [403, 'ACCESS_DENIED'],
        [404, 'NOT_FOUND'],
        [410, 'GONE'],
        [429, 'RATE_LIMITED'],
        [503, 'constructor'],
      ] as const
    ).map(([status, code]): Row => [`a refusal ${status}`, { [TRAP]: refuse(status, code) }, 'Cannot do it']),
    [
      'a refusal that says to wait a day',
      { [TRAP]: refuse(429, 'X', { 'Retry-After': '86400' }) },
      'Cannot do',
    ],
    [
      'a refusal with the key and terminal codes',
      { [TRAP]: json({ error: `No ${KEY}\u001b[2J\u202e`, code: 'X' }, { status: 403 }) },
      'No svc_…?[2J?',
    ],
    [
      'a refusal without end',
      { [TRAP]: () => new Response('x'.repeat(70_000), { status: 500 }) },
      'more than',
    ],
  ])('%s', async (_, scripted, reason) => expectRefused(scripted, reason, INSTALL_TRAP, UPDATE_TRAP));

  test('304 to who has nothing', async () => {
    const before = tree();
    answers = { ...HONEST, [TRAP]: () => new Response(null, { status: 304 }) };
    expect((await say(...INSTALL_TRAP)).err).toContain('the stall sent nothing');
    expect(tree()).toEqual(before);
  });

  test.each(['src.tar.gz', '../x.tar.gz', 'TRAP.tar.gz', '', '\u00ff'])(
    '304 with the name %j leads to nothing but the item itself',
    async (name) => {
      const before = tree();
      const headers = { 'Content-Disposition': `attachment; filename="${name}"` };
      answers = {
        ...HONEST,
        [TRAP]: ({ headers: sent }) =>
          sent.has('if-none-match') ? new Response(null, { status: 304, headers }) : new Response('x'),
      };
      await say('update', 'trap');
      expect(tree()).toEqual(before);
    },
  );

  test('a SKILL.md beside the name that it has until it is verified', async () => {
    const files = { ...SKILL, 'SKILL.md.unverified': 'x', 'a/skill.md': 'y', 'a/skill.md.unverified': 'z' };
    answers = { ...HONEST, [TRAP]: send(trap({}, files)), [TRAP_FILES]: json({ files: listed(files) }) };
    expect(await say(...INSTALL_TRAP)).toMatchObject({ code: 0 });
    expect((await say('verify')).code).toBe(0);
    expect(tree()['/.claude/skills/trap/SKILL.md.unverified']).toEndWith(' x');
  });
});

describe('an edition that was named', () => {
  test.each<[string, string, Fields]>([
    ['another version', 'trap@1.0', { version: '2.0' }],
    ['no version', 'trap@1.0', { version: null }],
    ['a version that is a number', 'trap@1', { version: 1 }],
    ['a version that only looks like it', 'trap@1.0', { version: '1.0 ' }],
    ['another digest', `trap@sha256:${'0'.repeat(64)}`, {}],
    ['a digest as a version', `trap@sha256:${'0'.repeat(64)}`, { digest: `sha256:${'0'.repeat(64)}` }],
  ])('%s', async (_, word, fields) => {
    const reason =
      fields['digest'] === undefined ? 'the stall sent another edition' : 'do not have the digest';
    const words = ['install', word, '--agent', 'claude', '-g'];
    await expectRefused({ [TRAP]: send(trap(fields)) }, reason, words);
    expect((await say('list')).out).not.toContain('2.0');
  });
});

describe('the list of files', () => {
  const UNLIKE = 'is not what the stall lists';
  test.each<[string, unknown, string]>([
    ['lacks one', [listed(SKILL)[0]], `"a/b.md" ${UNLIKE}`],
    ['is empty', [], UNLIKE],
    ['has one more', [...listed(SKILL), { path: 'c.md', sha256: sha256('') }], 'file is missing'],
    ['has another hash', [listed(SKILL)[0], { path: 'a/b.md', sha256: sha256('') }], `"a/b.md" ${UNLIKE}`],
    ['has no hash', [{ path: 'SKILL.md' }], 'Cannot read the files'],
    ['has a path that is none', [{ path: 1, sha256: sha256('') }], 'Cannot read the files'],
    ['is no list', { 'SKILL.md': sha256('New\n') }, 'Cannot read the files'],
    ['is null', null, 'Cannot read the files'],
    ['holds null', [null], 'Cannot read the files'],
  ])('%s', async (_, files, reason) =>
    expectRefused({ [TRAP_FILES]: json({ files }) }, reason, INSTALL_TRAP, UPDATE_TRAP),
  );

  test.each<[string, Answer, string]>([
    ['a page', () => new Response('<h1>Hello</h1>'), 'Cannot read the answer'],
    ['an error', () => new Response('', { status: 500 }), 'answered 500'],
    ['a redirect', () => Response.redirect('http://127.0.0.1:9/x', 302), 'Cannot follow'],
    ['silence', () => new Promise(() => {}), 'has sent nothing'],
  ])('is %s', async (_, answer, reason) =>
    expectRefused({ [TRAP_FILES]: answer }, reason, INSTALL_TRAP, UPDATE_TRAP),
  );
});

describe("a book's skill", () => {
  const index = (files: unknown): Answers => ({
    [`${WELL_KNOWN}/index.json`]: json({ skills: [{ files }] }),
  });
  const UNMATCHED = 'its skill and its files do not belong together';
  test.each<Row>([
    ['lists a SKILL.md of the book', index(['SKILL.md', 'references/SKILL.md']), UNMATCHED],
    ['lists it in other letters', index(['references/01.md', 'references/skill.md']), UNMATCHED],
    ['lists what is not in the book', index(['references/01.md', 'references/02.md']), UNMATCHED],
    ['lists a path that leaves it', index(['references/../../x']), UNMATCHED],
    ['lists a path outside of references', index(['01.md']), UNMATCHED],
    ['lists a path of the root', index(['/etc/passwd']), UNMATCHED],
    ['has no list', index(undefined), UNMATCHED],
    ['has an object for a list', index({ 0: 'references/01.md' }), UNMATCHED],
    ['has no index', { [`${WELL_KNOWN}/index.json`]: json([]) }, UNMATCHED],
    ['has a page for an index', { [`${WELL_KNOWN}/index.json`]: () => new Response('<h1>') }, 'Cannot read'],
    ['has no text', { [`${WELL_KNOWN}/tome/SKILL.md`]: refuse(404, 'NOT_FOUND') }, 'Cannot do it'],
    [
      'has a text without end',
      { [`${WELL_KNOWN}/tome/SKILL.md`]: () => new Response('x'.repeat(70_000)) },
      'more than 65536 bytes',
    ],
    [
      'is elsewhere',
      { [`${WELL_KNOWN}/tome/SKILL.md`]: () => Response.redirect('http://127.0.0.1:9/x', 302) },
      'Cannot follow',
    ],
  ])('%s', async (_, scripted, reason) => expectRefused(scripted, reason, INSTALL_TOME, UPDATE_TOME));
});

describe('a book that is gone, and of which the catalog says', () => {
  const gone = {
    [TOME_DOOR]: refuse(404, 'NOT_FOUND'),
    '/books/trap/.well-known/agent-skills/trap/SKILL.md': () => new Response('# Trap'),
  };
  const catalog = (...items: unknown[]): Answers => ({ ...gone, '/api/items': json({ items, next: null }) });
  const item = (slug: unknown, id: unknown = 'tome-id') => ({ kind: 'book', slug, id, title: 'x' });
  test.each<Row>([
    ['nothing', catalog(), 'Cannot do it'],
    ['the same again', catalog(item('tome')), 'Cannot do it'],
    ['that it is another of its items', catalog(item('trap')), 'in place of the book "tome"'],
    ['that it is a path', catalog(item('../trap')), 'Cannot do it'],
    ['that it is in capitals', catalog(item('TRAP')), 'Cannot do it'],
    ['that its slug is a number', catalog(item(7)), 'Cannot do it'],
    ['that another has its id in capitals', catalog(item('trap', 'TOME-ID')), 'Cannot do it'],
    ['that its id is a list', catalog(item('trap', ['tome-id'])), 'Cannot do it'],
    ['no end', { ...gone, '/api/items': json({ items: ITEMS, next: 'more' }) }, 'Cannot do it'],
    ['an error', { ...gone, '/api/items': refuse(500, 'X') }, 'Cannot do it'],
    [
      'nothing, but the holdings that it is another',
      { ...catalog(), '/api/holdings': json({ items: [item('trap')] }) },
      'in place of the book "tome"',
    ],
    [
      'nothing, and the holdings nonsense',
      { ...catalog(), '/api/holdings': json({ items: 7 }) },
      'Cannot do it',
    ],
  ])('%s', async (_, scripted, reason) => expectRefused(scripted, reason, UPDATE_TOME));
});

describe('the list of editions', () => {
  const EDITIONS = '/api/items/trap/editions';
  const good = { digest: `sha256:${sha256('x')}`, version: '2', state: 'served', notes: null };
  test.each<[string, unknown]>([
    ['no list', { editions: {} }],
    ['null in it', { editions: [null] }],
    ['no digest', { editions: [{ ...good, digest: undefined }] }],
    ['a digest in capitals', { editions: [{ ...good, digest: good.digest.toUpperCase() }] }],
    ['a list of digests', { editions: [{ ...good, digest: [good.digest] }] }],
  ])('with %s is refused by outdated; update goes on without notes', async (_, value) => {
    answers = { ...HONEST, [EDITIONS]: json(value) };
    const before = tree();
    expect((await say('outdated')).err).toContain('Cannot read the editions of "trap"');
    expect(tree()).toEqual(before);
    expect(await say('update', 'trap')).toMatchObject({
      code: 0,
      out: expect.stringContaining('Updated trap'),
    });
  });

  test('steers no terminal, and shows no key', async () => {
    const notes = `${KEY}\u001b[2J\r\u202e`;
    answers = { ...HONEST, [EDITIONS]: json({ editions: [{ ...good, version: '\u009b', notes }] }) };
    expect((await say('outdated')).out).toContain('?');
    expect((await say('outdated', '--json')).code).toBe(0);
    expect((await say('update', 'trap')).code).toBe(0);
  });
});

test.each<[string, unknown]>([
  ['no list', { notes: {} }],
  ['none', {}],
  ['text', 'hello'],
])('notes that are %s are refused', async (_, value) => {
  answers = { ...HONEST, '/api/notes': json(value) };
  expect(await say('notes')).toMatchObject({
    code: 1,
    err: expect.stringContaining('Cannot read the notes'),
  });
});

test('notes, files and libraries steer no terminal', async () => {
  const evil = '\u001b[2J\u202e';
  const item = { kind: 'book', slug: 'tome', id: 'tome-id', title: evil, publisher: evil, version: evil };
  answers = {
    ...HONEST,
    '/api/notes': json({ notes: [{ path: evil, state: evil, exact: evil, text: evil }, null, 7] }),
    '/api/items': json({ items: [{ ...item, currency: evil, digest: evil }], next: null }),
    '/api/cli/library': json({ account: { email: evil, subscriberId: evil }, items: [item] }),
    [TOME_FILES]: json({ files: [{ path: evil, sha256: evil, content: evil }] }),
  };
  for (const words of [
    ['notes'],
    ['notes', '--json'],
    ['library'],
    ['library', '--all'],
    ['library', '--json'],
    ['whoami'],
    ['files', 'tome'],
    ['files', 'tome', 'x'],
    ['files', 'tome', '--json'],
  ])
    await say(...words);
});
