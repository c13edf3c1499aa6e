// The whole way of a reader, by the binary and by the package for Node, against a real stall.
import { afterAll, describe, expect, test } from 'bun:test';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { keyVariable } from '../../../src/catalog/marketplace.rule.ts';
import { buildProgram, PROGRAM, run } from '../../binary/program.ts';
import { openStall, SHELF, temporaryDirectory } from '../../helpers/harness.ts';
import { unpackClient } from './node-package.ts';

// A busy machine starts programs slowly.

await buildProgram();

const stall = await openStall();
const reader = await stall.reader('ann@example.org', 'paid-book', 'paid-skill', 'free-book');
const stranger = await stall.reader('bob@example.org');

const unpacked = await unpackClient(stall);

const PROGRAMS = [
  { name: 'the binary', program: [PROGRAM] },
  { name: 'the package under Node', program: ['node', join(unpacked, 'package/bookstall.mjs')] },
];

type Refused = readonly [
  name: string,
  env: Readonly<Record<string, string>>,
  words: readonly string[],
  code: number,
  sentence: string,
];

describe.each(PROGRAMS)('$name', ({ program }) => {
  const home = temporaryDirectory();
  const project = join(home, 'project');
  mkdirSync(project);
  const env = { HOME: home, BOOKSTALL_URL: stall.url };
  const signedIn = { ...env, BOOKSTALL_KEY: reader.key };
  const say = (words: readonly string[], more: Readonly<Record<string, string>> = signedIn) =>
    run(words, { cwd: project, env: more, program });

  test('signs in by standard input, lists, installs, updates, verifies, uninstalls and signs out', async () => {
    const keyFile = join(home, 'key');
    writeFileSync(keyFile, `${reader.key}\n`);
    const login = await run(
      ['-c', `"$@" login --url ${stall.url} --key-stdin < "${keyFile}"`, 'sh', ...program],
      { cwd: project, env: { HOME: home }, program: ['sh'] },
    );
    expect(login).toMatchObject({ code: 0, err: '' });
    expect(login.out).toContain('ann@example.org');
    const file = join(home, '.config/bookstall/stalls.json');
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    const bare = (...words: string[]) => say(words, { HOME: home });
    const { slug, ...who } = { slug: 'paid-skill', ...JSON.parse((await bare('whoami', '--json')).out) };
    expect(who).toEqual({
      url: stall.url,
      email: 'ann@example.org',
      subscriberId: reader.account.id,
      key: reader.key.slice(0, 8),
      from: 'file',
    });
    expect((await bare('library')).out).toContain('paid-book');

    const installed = await bare('install', slug, '--agent', 'claude');
    expect(installed).toMatchObject({ code: 0 });
    expect(installed.err).toContain(
      '"paid-skill" holds 2 files, 89 B (1 markdown, 1 script); scripts: 1 Shell; 1 executable file: "scripts/run.sh"; no binary programs\n' +
        '"paid-skill" names no hosts; no allowed tools; no hidden characters\n',
    );
    const folder = join(project, '.claude/skills', slug);
    expect(statSync(join(folder, 'scripts/run.sh')).mode & 0o111).toBe(0o111);
    expect((await bare('list', '--json')).out).toContain(folder);
    expect((await bare('verify')).code).toBe(0);
    expect((await bare('update')).out).toContain('Up to date: paid-skill');

    appendFileSync(join(folder, 'SKILL.md'), 'mine\n');
    chmodSync(join(folder, 'scripts/run.sh'), 0o644);
    writeFileSync(join(folder, 'notes.md'), 'mine\n');
    const verified = await bare('verify');
    expect(verified.code).toBe(1);
    for (const words of [
      '"SKILL.md" was changed',
      '"scripts/run.sh" has another mode',
      '"notes.md" was added',
    ])
      expect(verified.out).toContain(words);
    const refused = await bare('update');
    expect(refused.code).toBe(1);
    expect(refused.out).toContain('"SKILL.md" was changed');
    expect((await bare('update', slug, '--diff')).out).toContain('-mine');
    expect((await bare('install', slug, '--agent', 'claude')).code).toBe(1);
    expect((await bare('uninstall', slug)).code).toBe(1);
    expect(readFileSync(join(folder, 'SKILL.md'), 'utf8')).toEndWith('mine\n');
    expect((await bare('update', '--force')).out).toContain('Restored paid-skill');
    expect(existsSync(join(folder, 'notes.md'))).toBeFalse();
    expect((await bare('verify')).code).toBe(0);

    expect((await bare('logout')).code).toBe(0);
    expect(existsSync(file)).toBeFalse();
    expect((await bare('whoami')).code).toBe(4);
    const keyless = await bare('update');
    expect(keyless).toMatchObject({
      code: 4,
      err: expect.stringMatching(/without a key.*\nNot updated: paid-skill\n$/),
    });
    expect(await bare('uninstall', slug)).toMatchObject({ code: 0 });
    expect(existsSync(folder)).toBeFalse();
    expect(existsSync(join(project, '.claude/skills'))).toBeTrue();
  });

  test('keeps a lock, brings what it names, moves and removes it', async () => {
    const folder = join(project, '.claude/skills/paid-book');
    const lock = join(project, 'bookstall.lock');
    expect(await say(['install', 'paid-book', '--agent', 'claude', '--save'])).toMatchObject({ code: 0 });
    rmSync(folder, { recursive: true });
    const elsewhere = { ...signedIn, HOME: temporaryDirectory() };
    expect(await say(['install', '--frozen'], elsewhere)).toMatchObject({ code: 0 });
    expect(existsSync(join(folder, 'SKILL.md'))).toBeTrue();
    appendFileSync(join(folder, 'SKILL.md'), 'mine\n');
    expect((await say(['install', '--frozen'], elsewhere)).code).toBe(1);
    expect((await say(['update', '--force'], elsewhere)).code).toBe(0);
    expect((await say(['install', '--frozen'], elsewhere)).out).toContain('As bookstall.lock names');
    expect(readFileSync(lock, 'utf8')).not.toContain(reader.key);
    expect((await say(['uninstall', 'paid-book'], elsewhere)).code).toBe(0);
    expect(JSON.parse(readFileSync(lock, 'utf8'))).toEqual({ lock: 1, items: {} });
    rmSync(lock);
    expect((await say(['install'], elsewhere)).code).toBe(2);
  });

  test('says what is inside a folder, and an item: counts alone to those who may not read it', async () => {
    const folder = join(home, 'kit');
    mkdirSync(folder);
    writeFileSync(join(folder, 'SKILL.md'), '---\nallowed-tools: Read\n---\n\na\u202Eb https://b.example/\n');
    const local = await say(['inspect', folder]);
    expect(local).toMatchObject({ code: 0, err: '' });
    expect(local.out).toEndWith(
      '1 host: b.example; 1 allowed tool: Read; 1 hidden character: "SKILL.md:5" (U+202E)\n' +
        'host        "SKILL.md:5" (b.example)\ntool        "SKILL.md" (Read)\nhidden      "SKILL.md:5" (U+202E)\n',
    );
    const whole = await say(['inspect', 'paid-skill']);
    expect(whole.out).toContain('1 executable file: "scripts/run.sh"; no binary programs\n');
    const counts = await say(['inspect', 'paid-skill'], { ...env, BOOKSTALL_KEY: stranger.key });
    expect(counts.out).toContain('scripts: 1 Shell; 1 executable file; no binary programs\n');
    expect(counts.out).not.toContain('run.sh');
    expect(JSON.parse((await say(['inspect', 'paid-skill', '--json'])).out).counts.executable).toBe(1);
    expect((await say(['inspect', 'no-such-skill'])).code).toBe(1);
  });

  test('asks a book, with footnotes, and reads one file', async () => {
    const { code, out, err } = await say([
      'ask',
      'paid-book',
      'Why',
      'does',
      'the',
      'grey',
      'heron',
      'stand',
      'on',
      'one',
      'leg?',
    ]);
    expect({ code, err }).toEqual({ code: 0, err: 'Quoted from the book; no model wrote this\n' });
    expect(out).toMatch(/\[1\] 01\.md, The heron\n/);
    expect((await say(['files', 'paid-id', '01.md'])).out).toBe(String(SHELF['books/paid-book/01.md']));
    expect(JSON.parse((await say(['files', 'paid-book', '--json'])).out)).toEqual([
      { path: '01.md', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
  });

  test('installs several side by side; one that fails does not stop the others', async () => {
    const target = join(home, 'many');
    const { code, out, err } = await say([
      'install',
      'paid-book',
      'free-book',
      'free-skil',
      'draft-book',
      'free-skill',
      '--dir',
      target,
      '--json',
    ]);
    expect(code).toBe(1);
    const installed = JSON.parse(out) as { slug: string; checkedBy: string }[];
    expect(installed.map(({ slug, checkedBy }) => `${slug} ${checkedBy}`)).toEqual([
      'paid-book files',
      'free-book files',
      'free-skill digest',
    ]);
    expect(err).toContain('Did you mean "free-skill"?');
    expect(err).toContain('Cannot find "draft-book"');
  });

  const refusals: readonly Refused[] = [
    ['without a key', env, ['install', 'paid-book'], 4, 'key'],
    ['with a wrong key', { ...env, BOOKSTALL_KEY: 'svc_short' }, ['whoami'], 4, 'copy it whole'],
    ['with an unknown key', { ...env, BOOKSTALL_KEY: `svc_${'0'.repeat(38)}` }, ['whoami'], 4, 'Cannot'],
    [
      'without a grant',
      { ...env, BOOKSTALL_KEY: stranger.key },
      ['install', 'paid-book'],
      1,
      'no live grant',
    ],
    ['without a stall', { HOME: '/nonexistent' }, ['library'], 4, 'login --url'],
    [
      'of an unknown agent',
      signedIn,
      ['install', 'paid-skill', '--agent', 'claud'],
      2,
      'Did you mean "claude"?',
    ],
    ['with -g alone', signedIn, ['install', 'paid-skill', '-g'], 2, 'add --agent'],
    ['of what is no slug', signedIn, ['install', '../x'], 1, 'a slug has'],
    ['of what is not installed', signedIn, ['update', 'nothing-here'], 1, 'not installed'],
    [
      'with a key in the address',
      { ...env, BOOKSTALL_URL: `http://x/?k=svc_${'a'.repeat(38)}` },
      ['library'],
      1,
      'it holds a key',
    ],
    [
      'with a password in an address that is none',
      { ...env, BOOKSTALL_URL: 'https://ann:secret@ex ample' },
      ['library'],
      1,
      'Cannot use an address with a name or password as a stall',
    ],
    [
      'with a path in the address',
      { ...env, BOOKSTALL_URL: `${stall.url}/shop` },
      ['library'],
      1,
      'leave out everything after the host',
    ],
    ['to open another site', env, ['open', 'https://evil.example/books/x'], 1, 'it is no page of http://127'],
    ['to open a file', env, ['open', 'file:///etc/passwd'], 1, 'it is no page of'],
    ['to open a script', env, ['open', 'javascript://x/%0aalert(1)'], 1, 'it is no page of'],
    ['to open a password', env, ['open', stall.url.replace('//', '//a:svc_aaaa@')], 1, 'it is no page of'],
    ['with a mistyped flag', env, ['install', 'x', '--forc'], 2, 'Did you mean "--force"?'],
    ['with a mistyped command', env, ['instal', 'x'], 2, 'bookstall install'],
    ['of a sign-in without a terminal', env, ['login'], 2, '--key-stdin'],
  ];
  // The package is made of the same source, so a few say that it refuses as the binary does.
  test.each(program[0] === PROGRAM ? refusals : refusals.slice(0, 4))(
    'refuses %s',
    async (_, more, words, expected, sentence) => {
      const target = temporaryDirectory();
      const { code, out, err } = await run(words, {
        cwd: target,
        env: more,
        program,
      });
      expect(err).toContain(sentence);
      expect({ code, out }).toEqual({ code: expected, out: '' });
      expect(err).not.toContain('svc_aaaa');
    },
  );

  test('does not touch a folder it did not install, and takes over one that tar unpacked', async () => {
    const target = temporaryDirectory();
    mkdirSync(join(target, 'free-skill'));
    writeFileSync(join(target, 'free-skill/mine.txt'), 'x');
    expect((await say(['install', 'free-skill', '--dir', target])).err).toContain(
      'bookstall did not install it',
    );
    expect(readFileSync(join(target, 'free-skill/mine.txt'), 'utf8')).toBe('x');
    rmSync(join(target, 'free-skill'), { recursive: true });
    const unpack = await run(['-c', `curl -fsS ${stall.url}/api/install/free-skill | tar -xz`], {
      cwd: target,
      program: ['sh'],
    });
    expect(unpack.code).toBe(0);
    expect((await say(['verify', join(target, 'free-skill')])).code).toBe(0);
    expect((await say(['install', 'free-skill', '--dir', target])).code).toBe(0);
  });

  test("updates to a newer edition, and lists the stall's items", async () => {
    const target = temporaryDirectory();
    const file = join(stall.content, 'skills/free-skill/fresh.md');
    expect((await say(['install', 'free-skill', '--dir', target])).code).toBe(0);
    writeFileSync(file, 'new\n');
    await stall.app.publish();
    const { out } = await say(['update', 'free-skill', '--dir', target]);
    expect(out).toContain('Updated free-skill');
    expect(readFileSync(join(target, 'free-skill/fresh.md'), 'utf8')).toBe('new\n');
    rmSync(file);
    await stall.app.publish();
    expect((await say(['update', 'free-skill', '--dir', target])).code).toBe(0);
    expect(existsSync(join(target, 'free-skill/fresh.md'))).toBeFalse();
    expect((await say(['library', '--all'], env)).out).toMatch(/paid-book .*\$19/);
  });

  test('completes commands in bash, zsh and fish', async () => {
    for (const shell of ['bash', 'zsh', 'fish'])
      expect((await say(['completion', shell])).out).toContain('uninstall');
    const script =
      'eval "$("$@" completion bash)"; COMP_WORDS=(bookstall install --a); COMP_CWORD=2; _bookstall; echo "${COMPREPLY[*]}"; COMP_WORDS=(bookstall ver); COMP_CWORD=1; _bookstall; echo "${COMPREPLY[*]}"';
    const { out } = await run(['-c', script, 'bash', ...program], { program: ['bash'] });
    expect(out).toBe('--agent\nverify\n');
  });
});

test('the package is small, names its stall, and answers HEAD and 304', async () => {
  const first = await stall.fetch('/client.tgz');
  const bytes = await first.bytes();
  const etag = first.headers.get('etag') ?? '';
  expect(bytes.length).toBeLessThan(200_000);
  const again = await openStall({ config: { baseUrl: stall.url } });
  expect(await (await again.fetch('/client.tgz')).bytes()).toEqual(bytes);
  expect((await stall.fetch('/client.tgz', { headers: { 'If-None-Match': etag } })).status).toBe(304);
  const head = await stall.fetch('/client.tgz', { method: 'HEAD' });
  expect(head.headers.get('content-length')).toBe(String(bytes.length));
  const listed = await run(['-tzf', join(unpacked, 'client.tgz')], { program: ['tar'] });
  expect(listed.out).toBe('package/package.json\npackage/stall.json\npackage/bookstall.mjs\n');
  expect(JSON.parse(readFileSync(join(unpacked, 'package/stall.json'), 'utf8'))).toEqual({ url: stall.url });
  expect(readFileSync(join(unpacked, 'package/bookstall.mjs'), 'utf8')).not.toMatch(/\bBun\s*\.|from"bun/);
});

describe('the package', () => {
  const script = join(unpacked, 'package/bookstall.mjs');
  const open = (words: readonly string[], env: Readonly<Record<string, string>>) =>
    run([script, ...words], { cwd: unpacked, env: { HOME: unpacked, ...env }, program: ['node'] });

  test('installs a free item of the stall that served it: no address, no sign-in', async () => {
    const { code, err } = await open(['install', 'free-skill', '--agent', 'claude'], {
      HOME: temporaryDirectory(),
    });
    expect({ code, refusal: /Cannot/.test(err) }).toEqual({ code: 0, refusal: false });
    expect(existsSync(join(unpacked, '.claude/skills/free-skill/SKILL.md'))).toBeTrue();
  });

  test.each<[string, readonly string[], Readonly<Record<string, string>>]>([
    ['--url', ['--url', 'http://127.0.0.1:9'], {}],
    ['BOOKSTALL_URL', [], { BOOKSTALL_URL: 'http://127.0.0.1:9' }],
  ])('uses another stall with %s', async (_, words, env) => {
    const { code, err } = await open(['install', 'free-skill', ...words], env);
    expect([code, err]).toEqual([1, expect.stringContaining('Cannot reach http://127.0.0.1:9')]);
  });

  test('sends the key of its own stall from the environment, and else says how to start it with npx', async () => {
    const { out } = await open(['whoami', '--json'], { [keyVariable(stall.url)]: reader.key });
    expect(JSON.parse(out)).toMatchObject({ url: stall.url, email: 'ann@example.org' });
    const { code, err } = await open(['install', 'paid-skill'], { BOOKSTALL_KEY: reader.key });
    expect([code, err]).toEqual([
      4,
      expect.stringContaining(`run "npx --yes ${stall.url}/client.tgz login --url ${stall.url}", or set`),
    ]);
  });
});

test('npx runs the package from the stall', async () => {
  const cache = temporaryDirectory();
  afterAll(() => rmSync(cache, { recursive: true, force: true }));
  const env = {
    HOME: cache,
    [keyVariable(stall.url)]: reader.key,
    npm_config_cache: cache,
    npm_config_offline: 'false',
  };
  const { code, out } = await run(['-y', `${stall.url}/client.tgz`, 'whoami', '--json'], {
    cwd: cache,
    env,
    program: ['npx'],
  });
  expect({ code, email: JSON.parse(out || '{}').email }).toEqual({ code: 0, email: 'ann@example.org' });
});
