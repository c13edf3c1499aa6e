import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { verifyEdition } from '../../src/catalog/edition-signature.rule.ts';
import { type } from '../platform/cli/type.ts';
import {
  type Files,
  itemYaml,
  openStall,
  skillMd,
  temporaryDirectory,
  writeFiles,
} from '../helpers/harness.ts';
import { createSigner, signItem } from '../catalog/signing.ts';

const moe = createSigner('ssh-ed25519');
const other = createSigner('ecdsa-sha2-nistp256');

const kit = (version: string): Files => ({
  'skills/kit/item.yaml': itemYaml({ version }),
  'skills/kit/SKILL.md': skillMd('kit', `Version ${version}.\n`),
});
const signers = `signers:\n  - moe@example.org ${moe.line} his laptop\n`;
const sign = (content: string, signer = moe, signed?: string) =>
  signItem(content, 'skills/kit', signer, signed);

type Listed = {
  readonly version: string;
  readonly state: string;
  readonly signature: string | null;
  readonly signed: string | null;
  readonly signer: { readonly key: string; readonly name: string | null } | null;
};
type Opened = Awaited<ReturnType<typeof openStall>>;

async function editionsOf(stall: Opened): Promise<readonly Listed[]> {
  const { editions } = (await (await stall.fetch('/api/items/kit/editions')).json()) as {
    editions: Listed[];
  };
  return editions;
}
const textOf = async (stall: Opened, path: string) => (await stall.fetch(`/api/items/kit/${path}`)).text();

/** A directory with the kit in it, signed by `signer`, if any. */
function prepare(files: Files = {}, signer: typeof moe | null = moe): string {
  const directory = temporaryDirectory();
  writeFiles(join(directory, 'content'), { ...kit('1.0'), ...files });
  if (signer !== null) sign(join(directory, 'content'), signer);
  return directory;
}

/** Changes of a signed item, and what `check` says of each; null if it can be served. */
const CHANGES: readonly (readonly [name: string, change: (kit: string) => void, sentence: string | null])[] =
  [
    ['nothing', () => {}, null],
    [
      'another title, which is not signed',
      (at) => writeFileSync(join(at, 'item.yaml'), itemYaml({ version: '1.0', title: 'New' })),
      null,
    ],
    [
      'another text',
      (at) => writeFileSync(join(at, 'SKILL.md'), skillMd('kit', 'Other.\n')),
      'The signature is of another edition: its files changed since. Run "bookstall sign kit"',
    ],
    [
      'another version',
      (at) => writeFileSync(join(at, 'item.yaml'), itemYaml({ version: '2.0' })),
      'The signature is of another edition: its version changed since',
    ],
    [
      'a damaged signature',
      (at) =>
        writeFileSync(
          join(at, 'item.sig'),
          readFileSync(join(at, 'item.sig'), 'utf8').replace(/A{3}/, 'AAB'),
        ),
      'Cannot verify the signature in "item.sig" and "item.signed"',
    ],
    ['a signature alone', (at) => rmSync(join(at, 'item.signed')), 'Cannot verify the signature'],
    ['a text alone', (at) => rmSync(join(at, 'item.sig')), 'Cannot verify the signature'],
    [
      'a text with another time',
      (at) =>
        writeFileSync(
          join(at, 'item.signed'),
          readFileSync(join(at, 'item.signed'), 'utf8').replace('2026', '2027'),
        ),
      'Cannot verify the signature',
    ],
  ];

describe('a signature is judged when its item is read', () => {
  test.each(CHANGES)('after %s', async (_, change, sentence) => {
    const directory = prepare();
    const content = join(directory, 'content');
    const stall = await openStall({ files: {}, directory });
    change(join(content, 'skills/kit'));
    const { code, out } = await type(['check', '--content', content]);
    expect([code, out]).toEqual(
      sentence === null ? [0, expect.not.stringContaining('error')] : [1, expect.stringContaining(sentence)],
    );
    await stall.app.publish();
    // Its last good edition is served with its signature.
    const [served] = await editionsOf(stall);
    expect(served).toMatchObject({
      version: '1.0',
      state: 'served',
      signer: { key: moe.fingerprint, name: null },
    });
    const [armored, text] = await Promise.all([textOf(stall, 'signature'), textOf(stall, 'signed')]);
    expect(verifyEdition(armored, text)).toMatchObject({ slug: 'kit', key: moe.fingerprint });
    await stall.close();
  });

  test('after its folder was renamed', async () => {
    const directory = prepare();
    const content = join(directory, 'content');
    renameSync(join(content, 'skills/kit'), join(content, 'skills/kit-two'));
    writeFileSync(join(content, 'skills/kit-two/SKILL.md'), skillMd('kit-two', 'Version 1.0.\n'));
    signItem(content, 'skills/kit-two', moe);
    expect((await type(['check', '--content', content])).code).toBe(0);
    renameSync(join(content, 'skills/kit-two'), join(content, 'skills/kit-three'));
    writeFileSync(join(content, 'skills/kit-three/SKILL.md'), skillMd('kit-three', 'Version 1.0.\n'));
    expect((await type(['check', '--content', content])).out).toContain('its slug changed since');
  });

  test('is of a book whose folder was renamed and whose former slug is named', async () => {
    const own = await openStall({
      files: { 'books/net/item.yaml': itemYaml({ id: 'net-id' }), 'books/net/01.md': '# Nets\n\nOf rope.\n' },
    });
    signItem(own.content, 'books/net', moe);
    renameSync(join(own.content, 'books/net'), join(own.content, 'books/web'));
    writeFileSync(join(own.content, 'books/web/item.yaml'), itemYaml({ id: 'net-id', formerly: 'net' }));
    await own.app.publish();
    expect((await (await own.fetch('/api/items/web/signed')).text()).split('\n')).toContain('slug: net');
    const home = { BOOKSTALL_URL: own.url, BOOKSTALL_HOME: temporaryDirectory() };
    const folder = temporaryDirectory();
    const install = (...words: string[]) => type(['install', ...words, '--dir', folder], home);
    expect((await install('web', '--signer', moe.fingerprint)).err).toContain('install "net" by its name');
    expect((await install('web')).err).toContain('"web" is signed by');
    expect(await type(['update'], home)).toMatchObject({ code: 0 });
    await own.close();
  });
});

const yes = `requireSignatures: true\n${signers}`;

describe('requireSignatures', () => {
  test.each([
    ['takes the key of a signer', yes, moe, null],
    [
      'refuses another key',
      yes,
      other,
      `${other.fingerprint} signed: "signers" of stall.yaml does not list this key`,
    ],
    ['refuses an unsigned item', yes, null, 'Cannot serve an unsigned edition'],
    ['takes all without it', signers, other, null],
    ['is not so by itself', signers, null, null],
    ['refuses all without signers', 'requireSignatures: true\n', moe, 'does not list this key'],
  ])('%s', async (_, yaml, signer, sentence) => {
    const directory = prepare({ 'stall.yaml': yaml }, signer);
    const { code, out } = await type(['check', '--content', join(directory, 'content')]);
    expect([code, out]).toEqual(
      sentence === null ? [0, expect.any(String)] : [1, expect.stringContaining(sentence)],
    );
    const stall = await openStall({ files: {}, directory });
    expect((await stall.fetch('/api/items/kit/editions')).status).toBe(sentence === null ? 200 : 404);
    await stall.close();
  });
});

describe('a signed item is rolled back', () => {
  test.each<[string, string, typeof moe | null, string | null]>([
    ['to an unsigned edition', signers, null, null],
    ["to another key's", signers, other, null],
    ["to its signer's, where signatures are required", yes, moe, null],
    ['not to an unsigned edition where they are', yes, null, 'Cannot serve an unsigned edition'],
    ["nor to another key's", yes, other, 'does not list this key'],
  ])('%s', async (_, yaml, signer, sentence) => {
    const directory = prepare({}, signer);
    const stall = await openStall({ files: {}, directory });
    writeFiles(stall.content, { ...kit('1.1'), 'stall.yaml': yaml });
    sign(stall.content);
    await stall.app.publish();
    await stall.app.admin.editions.rollBack('kit', '1.0');
    const [published] = await stall.app.publish();
    const said = published!.problems.map((problem) => problem.sentence);
    expect(said).toEqual([expect.stringContaining(sentence ?? 'its edition "1.0" is served instead')]);
    const served = (await editionsOf(stall)).find(({ state }) => state === 'served')!;
    expect([served.version, served.signer?.key]).toEqual(
      sentence === null ? ['1.0', signer?.fingerprint] : ['1.1', moe.fingerprint],
    );
    await stall.close();
  });
});

test('a line of signers that is no key is an error that shows how to write one', async () => {
  const directory = prepare({ 'stall.yaml': 'signers:\n  - moe@example.org ssh-dss AAAA\n' });
  const { code, out } = await type(['check', '--content', join(directory, 'content')]);
  expect([code, out]).toEqual([1, expect.stringContaining('moe@example.org ssh-ed25519 AAAA…')]);
});

test('editions keep their signatures: kept ones, after a rollback, a restart, and a change of the signers', async () => {
  const directory = prepare({ 'stall.yaml': signers });
  let stall = await openStall({ files: {}, directory });
  const publish = async (version: string, signer: typeof moe | null) => {
    writeFiles(stall.content, kit(version));
    for (const name of ['item.sig', 'item.signed']) rmSync(join(stall.content, 'skills/kit', name));
    if (signer !== null) sign(stall.content, signer);
    await stall.app.publish();
    if (signer === null) sign(stall.content);
  };
  await publish('1.1', null);
  await publish('1.2', other);
  const NAMED = { key: moe.fingerprint, name: 'moe@example.org' };
  const expected = [
    ['1.2', { key: other.fingerprint, name: null }],
    ['1.1', null],
    ['1.0', NAMED],
  ];
  const seen = async () => (await editionsOf(stall)).map(({ version, signer }) => [version, signer]);
  expect(await seen()).toEqual(expected);
  const kept = await Promise.all(
    ['signature?edition=1.0', 'signed?edition=1.0'].map((path) => textOf(stall, path)),
  );
  expect(verifyEdition(kept[0]!, kept[1]!)).toMatchObject({ version: '1.0', key: moe.fingerprint });
  expect((await stall.fetch('/api/items/kit/signature?edition=1.1')).status).toBe(404);
  expect((await stall.fetch('/api/items/kit/signature?edition=9')).status).toBe(404);
  const record = async (query = ''): Promise<string> =>
    Buffer.from(gunzipSync(await (await stall.fetch(`/api/install/kit${query}`)).bytes())).toString('latin1');
  expect(await record()).toContain(`"signer":"${other.fingerprint}"`);
  expect(await record('?edition=1.0')).toContain(`"signer":"${moe.fingerprint}"`);
  expect(await record('?edition=1.1')).toContain('"signer":null');

  await stall.app.admin.editions.rollBack('kit', '1.0');
  await stall.app.publish();
  expect(await textOf(stall, 'signed')).toContain('version: 1.0\n');
  await stall.close();
  stall = await openStall({ files: {}, directory });
  expect(await textOf(stall, 'signed')).toContain('version: 1.0\n');
  expect(await textOf(stall, 'signature')).toBe(kept[0]!);

  // The same files, signed by another key: the same edition.
  writeFileSync(join(stall.content, 'stall.yaml'), '');
  writeFiles(stall.content, kit('1.3'));
  sign(stall.content);
  await stall.app.publish();
  sign(stall.content, other);
  await stall.app.publish();
  expect((await seen())[0]).toEqual(['1.3', { key: other.fingerprint, name: null }]);
  expect((await editionsOf(stall)).at(-1)?.signer).toEqual({ key: moe.fingerprint, name: null });
  await stall.close();
});

test('editions of a database that knows no signatures are unsigned', async () => {
  const directory = prepare({}, null);
  const stall = await openStall({ files: {}, directory });
  writeFiles(stall.content, kit('1.1'));
  await stall.app.publish();
  await stall.close();
  const database = new Database(join(stall.data, 'bookstall.db'));
  database.run("UPDATE editions SET manifest = 'null' WHERE version = '1.0'");
  database.close();
  const again = await openStall({ files: {}, directory });
  expect(
    (await editionsOf(again)).map(({ signature, signed, signer }) => [signature, signed, signer]),
  ).toEqual([
    [null, null, null],
    [null, null, null],
  ]);
  expect((await again.fetch('/api/items/kit/signature')).status).toBe(404);
  expect((await again.fetch('/api/items/kit/signed?edition=1.0')).status).toBe(404);
  await again.close();
});

test('a signer is shown on the page, in the office, by check, editions and doctor', async () => {
  const directory = prepare({ 'stall.yaml': signers });
  const stall = await openStall({ files: {}, directory });
  writeFiles(stall.content, kit('1.1'));
  sign(stall.content, moe, '2026-11-09T09:00:00Z');
  await stall.app.publish();
  const page = await (await stall.fetch('/skills/kit')).text();
  expect(page).toContain(
    `<li>Signed by <bdi>moe@example.org</bdi>, like every edition since <time datetime="2026-11-03T09:00:00.000Z"`,
  );
  expect(page).toContain(
    `<summary>Signature</summary><figure class="copy-line"><code>${moe.fingerprint}</code>`,
  );
  expect(page).toContain(`${stall.url}/api/items/kit/signed -o s.txt &amp;&amp; ssh-keygen -Y verify`);
  // git itself checks nothing.
  expect(await (await stall.fetch('/connect')).text()).toContain('/api/items/kit/signed -o s.txt');
  await stall.app.admin.accounts.add('owner@example.org', true);
  const headers = await stall.signIn('owner@example.org');
  const office = await (await stall.fetch('/admin/items/kit', { headers })).text();
  expect(office).toContain('version 1.1, signed by moe@example.org');
  const folders = ['--content', stall.content, '--data', stall.data];
  const { out } = await type(['check', ...folders]);
  expect(out).toContain(`skills/kit: 1 file, Free, signed by ${moe.fingerprint}\n`);
  const listed = await type(['editions', 'kit', '--data', stall.data, '--json']);
  expect(JSON.parse(listed.out)).toMatchObject([{ signer: moe.fingerprint }, { signer: moe.fingerprint }]);
  expect((await type(['doctor', ...folders])).out).toContain('1 item, 1 signed, and nothing wrong with them');

  // Another key, and the first one again: since then.
  for (const [version, signer, day] of [
    ['1.2', other, '11'],
    ['1.3', moe, '12'],
  ] as const) {
    writeFiles(stall.content, kit(version));
    sign(stall.content, signer, `2026-11-${day}T09:00:00Z`);
    await stall.app.publish();
  }
  expect(await (await stall.fetch('/skills/kit')).text()).toContain(
    '<time datetime="2026-11-12T09:00:00.000Z"',
  );
  await stall.close();
});

test('signatures are in no archive', async () => {
  const stall = await openStall({ files: {}, directory: prepare() });
  const tar = Buffer.from(gunzipSync(await (await stall.fetch('/api/install/kit')).bytes())).toString(
    'latin1',
  );
  expect(tar).toContain('kit/SKILL.md');
  expect(tar).not.toMatch(/item\.(sig|signed)/);
});

describe.skipIf(Bun.which('ssh-keygen') === null)('bookstall sign', () => {
  const keys = temporaryDirectory();
  for (const [name, kind] of [
    ['good', 'ed25519'],
    ['small', 'rsa -b 1024'],
  ])
    Bun.spawnSync(['ssh-keygen', '-q', '-t', ...kind!.split(' '), '-N', '', '-f', join(keys, name!)]);

  test('signs what is served then, again after a change, and for a stall that demands it', async () => {
    const directory = prepare({}, null);
    const content = join(directory, 'content');
    const key = join(keys, 'good');
    const line = readFileSync(`${key}.pub`, 'utf8').trim();
    writeFileSync(
      join(content, 'stall.yaml'),
      `requireSignatures: true\nsigners:\n  - moe@example.org ${line}\n`,
    );
    for (const version of ['1.0', '1.1']) {
      writeFiles(content, kit(version));
      expect((await type(['check', '--content', content])).code).toBe(1);
      const { code, out } = await type(['sign', 'kit', '--content', content, '--key', key]);
      expect([code, out]).toEqual([0, expect.stringMatching(/^Signed kit with SHA256:/)]);
      expect((await type(['check', '--content', content])).code).toBe(0);
    }
    const stall = await openStall({ files: {}, directory });
    expect((await editionsOf(stall))[0]?.signer?.name).toBe('moe@example.org');
    await stall.close();
  });

  test.each([
    ['nothing', 'good', 'Cannot find the item "nothing"'],
    ['kit', 'none', 'ssh-keygen refused'],
    ['kit', 'small', 'Cannot '],
    ['bad', 'good', 'Cannot sign "bad"'],
  ])('refuses %s with the key %s', async (slug, key, sentence) => {
    const content = join(prepare({ 'skills/bad/item.yaml': itemYaml() }, null), 'content');
    const { code, err } = await type(['sign', slug, '--content', content, '--key', join(keys, key)]);
    expect([code, err]).toEqual([1, expect.stringContaining(sentence)]);
    expect(await Bun.file(join(content, 'skills', slug, 'item.sig')).exists()).toBeFalse();
  });

  test("never signs with another key than git's", async () => {
    const content = join(prepare({}, null), 'content');
    const home = temporaryDirectory();
    writeFiles(home, { '.ssh/id_ed25519': readFileSync(join(keys, 'good'), 'utf8') });
    chmodSync(join(home, '.ssh/id_ed25519'), 0o600);
    const line = readFileSync(join(keys, 'good.pub'), 'utf8').trim();
    for (const key of [`key::${line}`, line, '~/gone', '8C0FFEE8']) {
      const said = key === '8C0FFEE8' ? 'Cannot find an SSH key' : 'Cannot sign with';
      if (key === '8C0FFEE8') rmSync(join(home, '.ssh'), { recursive: true });
      writeFiles(home, { '.gitconfig': `[user]\n\tsigningKey = "${key}"\n[gpg]\n\tformat = ssh\n` });
      const { exitCode, stderr } = Bun.spawnSync(
        [process.execPath, join(import.meta.dir, '../../src/main.ts'), 'sign', 'kit', '--content', content],
        { env: { PATH: process.env['PATH'], HOME: home }, stderr: 'pipe' },
      );
      expect([key, exitCode, stderr.toString()]).toEqual([key, 1, expect.stringContaining(said)]);
    }
  });
});
