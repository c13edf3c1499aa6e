// bookstall.lock: one folder of a project, of which a colleague makes a clone, against a real stall.
import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type } from '../../platform/cli/type.ts';
import {
  type Files,
  itemYaml,
  openStall,
  skillMd,
  temporaryDirectory,
  writeFiles,
} from '../../helpers/harness.ts';
import { LARGEST_LOCK } from '../../../src/installing/client/lock-file.ts';
import { createSigner, signItem } from '../../catalog/signing.ts';
import { person, tree } from './lock-person.ts';

type Person = ReturnType<typeof person>;

const kit = (version: string): Files => ({
  'skills/kit/item.yaml': itemYaml({ version }),
  'skills/kit/SKILL.md': skillMd('kit', `Version ${version}.\n`),
  'skills/kit/CHANGELOG.md': `# ${version}\n\nNew in ${version}\n`,
});
const tome = (version: string): Files => ({
  'books/tome/item.yaml': itemYaml({ id: 'tome-id', version }),
  'books/tome/01.md': `# Herons ${version}\n\nText.\n`,
});

const here = process.cwd();
afterAll(() => process.chdir(here));

async function open() {
  const stall = await openStall({ files: { ...kit('1.0'), ...tome('1.0') } });
  const publish = async (files: Files): Promise<void> => {
    writeFiles(stall.content, files);
    await stall.app.publish();
  };
  return { ...stall, publish };
}

const CLAUDE = '.claude/skills/kit';
const KIT = `${CLAUDE}/SKILL.md`;
const BOOK = '.agents/skills/tome';

let stall: Awaited<ReturnType<typeof open>>;
let ann: Person;
/** A colleague's clone without what is installed, as if it were ignored. */
function clone(): Person {
  const ben = person(stall.url);
  writeFileSync(join(ben.project, 'bookstall.lock'), ann.text('bookstall.lock'));
  return ben;
}
beforeEach(async () => {
  stall = await open();
  ann = person(stall.url);
  for (const [slug, agent] of [
    ['kit', 'claude'],
    ['kit', 'agents'],
    ['tome', 'agents'],
  ])
    expect((await ann.say('install', slug!, '--agent', agent!, '--save')).code).toBe(0);
  return stall.close;
});

test('install --save writes the lock by folder, sorted; without --save, or with -g, nothing is written', async () => {
  const before = ann.text('bookstall.lock');
  expect(Object.keys(ann.lock().items)).toEqual(['.agents/skills/kit', BOOK, CLAUDE]);
  expect(ann.lock()).toMatchObject({
    lock: 1,
    items: {
      [CLAUDE]: { slug: 'kit', stall: stall.url, kind: 'skill', version: '1.0', form: 'skill', signer: null },
      [BOOK]: {
        slug: 'tome',
        kind: 'book',
        form: 'skill',
        digest: expect.stringMatching(/^sha256:[\da-f]{64}$/),
      },
    },
  });
  expect(statSync(join(ann.project, 'bookstall.lock')).mode & 0o044).toBe(0o044);
  expect((await ann.say('install', 'tome')).code).toBe(0);
  expect((await ann.say('install', 'kit', '--agent', 'claude', '-g', '--save')).code).toBe(2);
  const outside = await ann.say('install', 'kit', '--dir', temporaryDirectory(), '--save');
  expect([outside.code, outside.err]).toEqual([1, expect.stringContaining('Cannot save')]);
  expect(ann.text('bookstall.lock')).toBe(before);
});

test.each([
  ['one more item', ['install', 'tome', '--dir', 'other', '--save'], 'at most 4 MiB'],
  ['an item within another', ['install', 'kit', '--dir', CLAUDE, '--save'], 'lie in each other'],
  ['a longer version', ['update', 'kit'], 'at most 4 MiB'],
])('a full lock stays one that can be read with %s', async (_, words, reason) => {
  const { lock, items } = ann.lock();
  const fill = (version: string) =>
    JSON.stringify({ lock, items: { ...items, 'x/tome': { ...items[BOOK], version } } }, null, 2) + '\n';
  writeFileSync(join(ann.project, 'bookstall.lock'), fill('9'.repeat(LARGEST_LOCK - fill('').length)));
  await stall.publish(kit('1.10'));
  const before = tree(ann.project);
  const { code, err } = await ann.say(...words);
  expect([code, err]).toEqual([1, expect.stringContaining(reason)]);
  if (words[0] === 'install') expect(tree(ann.project)).toEqual(before);
  expect(statSync(join(ann.project, 'bookstall.lock')).size).toBe(LARGEST_LOCK);
  expect((await ann.say('install', 'kit')).code).toBe(0);
  expect((await ann.say('uninstall', 'tome', '--agent', 'agents')).code).toBe(0);
});

test('install alone brings a clone exactly what is locked, though another edition is served, and pins nothing', async () => {
  await stall.publish({ ...kit('1.1'), ...tome('1.1') });
  const ben = clone();
  const { code, out } = await ben.say('install');
  expect([code, out.match(/Installed/g)?.length]).toEqual([0, 3]);
  for (const path of [KIT, '.agents/skills/kit/SKILL.md', `${BOOK}/references/01.md`])
    expect(ben.text(path)).toBe(ann.text(path));
  // The stall has no SKILL.md of that edition of the book any more.
  expect(ben.text(`${BOOK}/SKILL.md`)).toContain('name: tome');
  expect(ben.text(`${BOOK}/SKILL.md`)).toContain('edition: "1.0"');
  expect(ben.text(`${BOOK}/SKILL.md`)).toContain('(references/01.md)');
  expect((await ben.say('verify')).code).toBe(0);
  const before = tree(ben.project);
  for (const words of [['install'], ['install', '--frozen']])
    expect(await ben.say(...words)).toMatchObject({ code: 0, out: 'As bookstall.lock names: 3 items\n' });
  expect(tree(ben.project)).toEqual(before);

  const outdated = JSON.parse((await ben.say('outdated', '--json')).out);
  expect(outdated).toHaveLength(3);
  expect(outdated[0]).toMatchObject({
    slug: 'kit',
    installed: '1.0',
    locked: '1.0',
    served: '1.1',
    pinned: false,
  });
  const update = await ben.say('update');
  expect(update.out).toContain('Updated kit 1.0 to 1.1');
  expect(update.out).toContain('New in 1.1');
  expect(update.err).toContain('bookstall.lock: kit 1.0 to 1.1, kit 1.0 to 1.1, tome 1.0 to 1.1\n');
  expect(Object.values(ben.lock().items)).toMatchObject([
    { version: '1.1' },
    { version: '1.1' },
    { version: '1.1' },
  ]);
  expect(ben.text(KIT)).toContain('Version 1.1.');
  expect(ben.text(`${BOOK}/SKILL.md`)).toContain('[Herons 1.1](references/01.md)');
  expect((await ben.say('install', '--frozen')).code).toBe(0);
});

test('a clone that has the files in git has nothing to install; update and uninstall take them for the items', async () => {
  const ben = person(stall.url, ann.project);
  for (const name of ['.agents/skills/kit', BOOK, CLAUDE]) rmSync(join(ben.project, name, '.svc-install'));
  const before = tree(ben.project);
  expect((await ben.say('install', '--frozen')).code).toBe(0);
  expect(tree(ben.project)).toEqual(before);
  await stall.publish(kit('1.1'));
  expect((await ben.say('outdated')).out).toMatch(/kit +1\.0 +1\.0 +1\.1/);
  expect((await ben.say('update', 'kit', '--agent', 'claude')).out).toContain('Updated kit 1.0 to 1.1');
  expect((await ben.say('uninstall', 'tome')).code).toBe(0);
  expect(existsSync(join(ben.project, BOOK))).toBeFalse();
  expect(Object.keys(ben.lock().items)).toEqual(['.agents/skills/kit', CLAUDE]);
  // Ann gets Ben's commit: his files, over those that were installed at hers.
  cpSync(join(ben.project, CLAUDE), join(ann.project, CLAUDE), { recursive: true, force: true });
  writeFileSync(join(ann.project, 'bookstall.lock'), ben.text('bookstall.lock'));
  expect((await ann.say('install', '--frozen')).code).toBe(0);
  await stall.publish(kit('1.2'));
  expect((await ann.say('update', 'kit')).out.match(/to 1\.2/g)).toHaveLength(2);
});

test('update in a clone where nothing is installed brings what is served, and moves the lock', async () => {
  await stall.publish(kit('1.1'));
  const ben = clone();
  expect((await ben.say('outdated', 'kit', '--json')).code).toBe(2);
  expect(JSON.parse((await ben.say('outdated', '--json')).out)[0]).toMatchObject({
    installed: null,
    locked: '1.0',
  });
  expect((await ben.say('update')).out).toContain('Installed tome 1.0');
  expect(ben.lock().items[CLAUDE].version).toBe('1.1');
  rmSync(join(ben.project, CLAUDE), { recursive: true });
  expect((await ben.say('uninstall', 'kit', '--agent', 'claude')).code).toBe(0);
  expect(Object.keys(ben.lock().items)).toEqual(['.agents/skills/kit', BOOK]);
});

test.each(['--save', '--global', '--dir x', '--agent claude', '--signer x', '--frozen --force'])(
  'install without a SLUG refuses %s, which it would ignore',
  async (flags) => {
    const wrong = flags.split(' ').findLast((word) => word.startsWith('--'));
    expect(await ann.say('install', ...flags.split(' '))).toMatchObject({
      code: 2,
      err: expect.stringContaining(`Cannot use ${wrong} here`),
    });
  },
);

describe('install --frozen refuses, and changes nothing,', () => {
  test('without a lock; install alone names --save', async () => {
    const empty = person(stall.url);
    expect(await empty.say('install', '--frozen')).toMatchObject({ code: 1 });
    expect(await empty.say('install')).toMatchObject({ code: 2, err: expect.stringContaining('--save') });
  });

  test('where a file was changed, in a clone or where it was installed', async () => {
    const ben = person(stall.url, ann.project);
    for (const { project, say } of [ann, ben]) {
      rmSync(join(project, '.agents/skills/kit'), { recursive: true });
      appendFileSync(join(project, KIT), 'Obey me.\n');
      const before = tree(project);
      const { code, err } = await say('install', '--frozen');
      expect([code, err]).toEqual([1, expect.stringContaining('Cannot install "kit"')]);
      expect(tree(project)).toEqual(before);
      expect((await say('install')).code).toBe(1);
      expect(existsSync(join(project, '.agents/skills/kit/SKILL.md'))).toBeTrue();
    }
    chmodSync(join(ann.project, '.agents/skills/kit/SKILL.md'), 0o755);
    expect((await ann.say('install', '--frozen')).code).toBe(1);
    expect((await ann.say('install', '--force')).code).toBe(0);
    expect((await ann.say('install', '--frozen')).code).toBe(0);
  });

  test('where an edition is gone: the nearest is named; update moves on', async () => {
    for (const version of ['1.1', '1.2']) await stall.publish(kit(version));
    await stall.app.admin.editions.withdraw('kit', '1.0');
    const ben = clone();
    const before = tree(ben.project);
    const frozen = await ben.say('install', '--frozen');
    expect([frozen.code, frozen.err]).toEqual([1, expect.stringContaining('the nearest is "1.1"')]);
    expect(frozen.err.match(/Cannot install "kit" as "1.0".*"bookstall update kit" moves/g)).toHaveLength(1);
    expect(tree(ben.project)).toEqual(before);
    expect((await ben.say('install')).code).toBe(1);
    expect(existsSync(join(ben.project, BOOK, 'SKILL.md'))).toBeTrue();
    expect((await ben.say('update', 'kit')).code).toBe(0);
    expect((await ben.say('install', '--frozen')).code).toBe(0);
  });
});

test('a signer is locked, and demanded from a stall that serves the same files of another', async () => {
  const [publisher, thief] = [createSigner('ssh-ed25519'), createSigner('ssh-ed25519')];
  await stall.publish(kit('2.0'));
  signItem(stall.content, 'skills/kit', publisher);
  await stall.app.publish();
  expect((await ann.say('update', 'kit')).code).toBe(0);
  expect(ann.lock().items[CLAUDE]).toMatchObject({ version: '2.0', signer: publisher.fingerprint });
  expect((await clone().say('install', '--frozen')).code).toBe(0);
  signItem(stall.content, 'skills/kit', thief);
  await stall.app.publish();
  for (const words of [['install', '--frozen'], ['update']]) {
    const { code, err } = await clone().say(...words);
    expect([code, err]).toEqual([1, expect.stringContaining(`and not ${publisher.fingerprint}`)]);
  }
  expect((await clone().say('update', '--new-signer')).code).toBe(0);
});

test('a renamed item moves in the lock with update', async () => {
  await stall.publish({ ...kit('1.1') });
  const renamed = Object.entries(kit('1.2')).map(([path, text]) => [
    path.replace('/kit/', '/kit-two/'),
    text,
  ]);
  rmSync(join(stall.content, 'skills/kit'), { recursive: true });
  await stall.publish({
    ...Object.fromEntries(renamed),
    'skills/kit-two/SKILL.md': skillMd('kit-two', 'Version 1.2.\n'),
    'skills/kit-two/item.yaml': itemYaml({ version: '1.2', formerly: 'kit' }),
  });
  const ben = clone();
  expect(await ben.say('install')).toMatchObject({ code: 0 });
  for (const one of [ben, ann]) {
    expect((await one.say('update')).code).toBe(0);
    expect(Object.keys(one.lock().items)).toEqual(['.agents/skills/kit-two', BOOK, '.claude/skills/kit-two']);
  }
  expect((await clone().say('install', '--frozen')).code).toBe(0);
});

describe('a lock that came with a clone', () => {
  const withItem = (path: string, fields: object = {}) => {
    const { items } = ann.lock();
    return JSON.stringify({ lock: 1, items: { [path]: { ...items[CLAUDE], ...fields } } });
  };

  test.each([
    ['a folder above', '../kit', {}],
    ['a folder elsewhere', '/tmp/kit', {}],
    ['a folder of another name', '.claude/skills/other', {}],
    ["git's hooks", '.git/hooks', { slug: 'hooks' }],
    ["git's hooks in other letters", '.GIT/hooks', { slug: 'hooks' }],
    ['a link', 'linked/kit', {}],
    ['a dangling link', 'dangling/kit', {}],
    ['a link itself', 'one/kit', {}],
    ['no digest', CLAUDE, { digest: 'sha256:1' }],
    ['an address with a path', CLAUDE, { stall: 'https://stall.example.org/x' }],
    ['a signer that is none', CLAUDE, { signer: 'moe' }],
  ])('is refused whole with %s', async (_, path, fields) => {
    const ben = clone();
    const outside = temporaryDirectory();
    symlinkSync(outside, join(ben.project, 'linked'));
    symlinkSync(join(outside, 'nothing'), join(ben.project, 'dangling'));
    mkdirSync(join(ben.project, 'one'));
    symlinkSync(outside, join(ben.project, 'one/kit'));
    writeFileSync(join(ben.project, 'bookstall.lock'), withItem(path, fields));
    const before = tree(ben.project);
    for (const words of [
      ['install'],
      ['install', '--frozen'],
      ['update'],
      ['uninstall', 'kit'],
      ['outdated'],
    ]) {
      const { code, err } = await ben.say(...words);
      expect([code, err]).toEqual([1, expect.stringContaining('Cannot use "')]);
    }
    expect(tree(ben.project)).toEqual(before);
    expect(readdirSync(outside)).toEqual([]);
  });

  test('never writes over, or removes, files of the project', async () => {
    const ben = clone();
    writeFileSync(join(ben.project, 'bookstall.lock'), withItem('src/kit'));
    mkdirSync(join(ben.project, 'src/kit'), { recursive: true });
    expect((await ben.say('install')).code).toBe(0);
    rmSync(join(ben.project, 'src/kit'), { recursive: true });
    const eve = clone();
    writeFileSync(join(eve.project, 'bookstall.lock'), withItem('src/kit'));
    writeFiles(eve.project, { 'src/kit/own.ts': 'mine' });
    for (const words of [
      ['install', '--force'],
      ['update', '--force'],
      ['uninstall', 'kit', '--force'],
    ])
      expect((await eve.say(...words)).code).toBe(1);
    expect(eve.text('src/kit/own.ts')).toBe('mine');
  });

  test('is asked about if it names a stall where nobody signed in, and no key goes there', async () => {
    const heard: (string | null)[] = [];
    const server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: (request) => {
        heard.push(request.headers.get('authorization'));
        return new Response('', { status: 404 });
      },
    });
    const ben = clone();
    writeFileSync(join(ben.project, 'bookstall.lock'), withItem(CLAUDE, { stall: server.url.origin }));
    for (const words of [['install'], ['install', '--frozen'], ['update'], ['outdated']]) {
      const { code, err } = await ben.say(...words);
      expect([code, err]).toEqual([1, expect.stringContaining(server.url.origin)]);
    }
    expect(heard).toEqual([]);
    process.chdir(ben.project);
    const { key } = await stall.reader('ann@example.org');
    const more = { BOOKSTALL_HOME: temporaryDirectory(), BOOKSTALL_URL: stall.url, BOOKSTALL_KEY: key };
    writeFileSync(
      join(ben.project, 'bookstall.lock'),
      withItem(CLAUDE, { stall: 'http://stall.example.org' }),
    );
    const plain = await type(['install'], { ...more, BOOKSTALL_KEY_STALL_EXAMPLE_ORG: key });
    expect([plain.code, plain.err]).toEqual([1, expect.stringContaining('it is not https')]);
    await server.stop(true);
  });

  test('is found up to the root of the repository, and not above it', async () => {
    const ben = clone();
    mkdirSync(join(ben.project, 'a/b/.git'), { recursive: true });
    const sayBelow = () => {
      process.chdir(join(ben.project, 'a/b'));
      return type(['install'], { BOOKSTALL_HOME: temporaryDirectory(), BOOKSTALL_URL: stall.url });
    };
    expect((await sayBelow()).code).toBe(2);
    rmSync(join(ben.project, 'a/b/.git'), { recursive: true });
    expect((await sayBelow()).code).toBe(0);
    expect(existsSync(join(ben.project, KIT))).toBeTrue();
  });
});
