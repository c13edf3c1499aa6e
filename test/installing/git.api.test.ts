import { describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fetchBody, UPLOAD_HEADERS } from './git/fetch-body.ts';
import { createGitClient, type GitClient } from './git/git-client.ts';
import { itemYaml, openStall, SHELF, skillMd, type Stall, writeFiles } from '../helpers/harness.ts';

const LARGE = randomBytes(9 * 1024 * 1024);
const HERON = skillMd('heron').replace('\n---\n', '\nmetadata: {needs: "pond reed@^1.0.0"}\n---\n');

async function clone(client: GitClient, stall: Stall, slug: string, ...words: string[]) {
  const result = await client.run('.', 'clone', '-q', ...words, `${stall.url}/git/${slug}.git`, slug);
  expect(result).toEqual({ code: 0, out: '', err: '' });
  expect(await client.run(slug, 'fsck', '--strict')).toMatchObject({ code: 0, out: '' });
}

const headOf = async (client: GitClient, at: string): Promise<string> =>
  (await client.run(at, 'rev-parse', 'HEAD')).out;

function listFiles(client: GitClient, at: string): string[] {
  const found = readdirSync(join(client.folder, at), { recursive: true, withFileTypes: true });
  const files = found.filter((entry) => entry.isFile() && !entry.parentPath.includes('/.git'));
  return files
    .map(({ parentPath, name }) => join(parentPath, name).slice(join(client.folder, at).length + 1))
    .toSorted();
}

function read(client: GitClient, path: string): string {
  return readFileSync(join(client.folder, path), 'utf8');
}

async function downloadsOf(stall: Stall) {
  await Bun.sleep(100);
  const rows = stall.app.admin.logs.downloads(null, null);
  return rows.map(({ slug, door, email, bytes }) => ({ slug, door, email, isCounted: bytes > 0 }));
}

describe('a clone by git itself', () => {
  test('of a free skill is a plugin with the skill as it is, and one download', async () => {
    const stall = await openStall({
      files: {
        'skills/heron/item.yaml': itemYaml({ title: 'Herons', license: 'MIT', version: '1.0' }),
        'skills/heron/SKILL.md': HERON,
        'skills/pond/item.yaml': itemYaml(),
        'skills/pond/SKILL.md': skillMd('pond'),
        'skills/reed/item.yaml': itemYaml({ version: '1.2.0' }),
        'skills/reed/SKILL.md': skillMd('reed'),
        'skills/heron/bin/run.sh': '#!/bin/sh\necho run\n',
        'skills/heron/noise.bin': LARGE,
      },
    });
    const client = createGitClient();
    await clone(client, stall, 'heron');
    expect(listFiles(client, 'heron')).toEqual([
      '.claude-plugin/plugin.json',
      'skills/heron/SKILL.md',
      'skills/heron/bin/run.sh',
      'skills/heron/noise.bin',
    ]);
    expect(read(client, 'heron/skills/heron/SKILL.md')).toBe(HERON);
    expect(readFileSync(join(client.folder, 'heron/skills/heron/noise.bin')).equals(LARGE)).toBe(true);
    expect(statSync(join(client.folder, 'heron/skills/heron/bin/run.sh')).mode & 0o111).not.toBe(0);
    expect(JSON.parse(read(client, 'heron/.claude-plugin/plugin.json'))).toEqual({
      name: 'heron',
      description: 'A description',
      author: { name: 'A publisher' },
      license: 'MIT',
      homepage: `${stall.url}/skills/heron`,
      // Claude Code takes the first first.
      dependencies: [{ name: 'reed', version: '^1.0.0' }, 'pond'],
    });
    const { host } = new URL(stall.url);
    expect((await client.run('heron', 'log', '-1', '--format=%an <%ae> %s')).out).toBe(
      `A publisher <stall@${host}> Herons 1.0`,
    );
    expect(await downloadsOf(stall)).toEqual([{ slug: 'heron', door: 'git', email: null, isCounted: true }]);
    const again = createGitClient();
    await clone(again, stall, 'heron', '--depth', '1');
    expect((await again.run('.', 'ls-remote', `${stall.url}/git/heron`)).out).toContain(
      await headOf(client, 'heron'),
    );
    expect(await headOf(again, 'heron')).toBe(await headOf(client, 'heron'));
    await again.run('heron', 'fetch', '-q');
    expect(await downloadsOf(stall)).toHaveLength(2);
    await stall.close();
  });

  test('of a book is a skill that quotes it', async () => {
    const stall = await openStall();
    const client = createGitClient();
    await clone(client, stall, 'free-book');
    expect(listFiles(client, 'free-book')).toEqual([
      '.claude-plugin/plugin.json',
      'skills/free-book/SKILL.md',
      'skills/free-book/references/01.md',
    ]);
    expect(read(client, 'free-book/skills/free-book/references/01.md')).toBe(
      String(SHELF['books/free-book/01.md']),
    );
    expect(read(client, 'free-book/skills/free-book/SKILL.md')).toStartWith('---\nname: free-book\n');
    await stall.close();
  });
});

describe('a paid item by git', () => {
  test('opens to a key with a grant alone, as password or as Bearer, and no longer when it is revoked', async () => {
    const stall = await openStall();
    const anna = await stall.reader('anna@example.org', 'paid-skill', 'archived-skill');
    const bert = await stall.reader('bert@example.org');
    const url = `${stall.url}/git/paid-skill.git`;
    const stranger = await createGitClient().run('.', 'clone', url);
    expect(stranger.err).toContain('could not read Username');
    const refused = await createGitClient(bert.key).run('.', 'clone', url);
    expect(refused.err).toContain(
      'remote: Cannot take "paid-skill": this key\'s account holds no live grant for it;',
    );
    expect(refused.err).toContain('The requested URL returned error: 403');
    const { token } = await stall.app.admin.tokens.create(bert.email, {
      name: 'link',
      slugs: [],
      reads: false,
      term: 'never',
    });
    const byLink = await createGitClient().run('.', 'clone', `${stall.url}/i/${token}/git/paid-skill.git`);
    expect(byLink.err).toContain("this install token's account holds no live grant for it;");
    const holder = createGitClient(anna.key);
    await clone(holder, stall, 'paid-skill');
    await clone(holder, stall, 'archived-skill');
    const header = ['-c', `http.${stall.url}/.extraHeader=Authorization: Bearer ${anna.key}`];
    const bearer = await createGitClient().run('.', ...header, 'clone', '-q', url);
    expect(bearer).toEqual({ code: 0, out: '', err: '' });
    expect(readFileSync(join(holder.folder, 'paid-skill/.git/config'), 'utf8')).not.toContain('svc_');
    expect(await downloadsOf(stall)).toEqual(
      ['paid-skill', 'archived-skill', 'paid-skill'].map((slug) => ({
        slug,
        door: 'git',
        email: 'anna@example.org',
        isCounted: true,
      })),
    );
    await stall.app.admin.keys.revoke(String(anna.keyId));
    const revoked = await holder.run('paid-skill', 'fetch');
    expect(revoked.err).toContain('Authentication failed');
    expect(JSON.stringify(stall.log)).not.toContain(anna.key);
    await stall.close();
  });
});

describe('the tags of a repository', () => {
  const BASE = 'skills/heron';
  const files = (version: string, body: string, more: Readonly<Record<string, string>> = {}) => ({
    [`${BASE}/item.yaml`]: itemYaml({ title: 'Herons', version, ...more }),
    [`${BASE}/SKILL.md`]: skillMd('heron', body),
    [`${BASE}/noise.bin`]: LARGE.subarray(0, 300_000),
  });
  const open = async (more: Readonly<Record<string, string>> = {}) => {
    const stall = await openStall({ files: files('1.0.0', 'One.\n', more) });
    const publish = async (version: string, body: string, changed = more): Promise<void> => {
      writeFiles(stall.content, files(version, body, changed));
      await stall.app.publish();
    };
    return { stall, publish, url: `${stall.url}/git/heron.git` };
  };
  const refsOf = async (url: string, client = createGitClient()) => {
    const { out, code } = await client.run('.', 'ls-remote', '-q', url);
    return code === 0 ? out.split('\n').map((line) => line.split('\t')[1]) : code;
  };
  const TAGS = ['1.0.0', '1.1.0'].map((version) => `refs/tags/heron--v${version}`);

  test.each(['0', '2'])('over version %s are the versions that stay, with their files', async (protocol) => {
    const { stall, publish, url } = await open();
    const old = createGitClient();
    const git = ['-c', `protocol.version=${protocol}`, '-c', 'advice.detachedHead=false'];
    await clone(old, stall, 'heron', '--depth', '1', ...git);
    await publish('1.1.0', 'Two.\n');
    await publish('1.1.0', 'Taken.\n');
    await publish('two', 'Three.\n');
    expect(await refsOf(url)).toEqual(['HEAD', 'refs/heads/main', ...TAGS]);
    const client = createGitClient();
    await clone(client, stall, 'heron', ...git);
    for (const [version, body] of [
      ['1.0.0', 'One.'],
      ['1.1.0', 'Two.'],
    ] as const) {
      const show = (path: string) => client.run('heron', 'show', `heron--v${version}:${path}`);
      expect((await show(`${BASE}/SKILL.md`)).out).toEndWith(body);
      expect(JSON.parse((await show('.claude-plugin/plugin.json')).out)).toMatchObject({ version });
      expect((await client.run('heron', 'rev-list', '--count', `heron--v${version}`)).out).toBe('1');
    }
    const single = createGitClient();
    await clone(single, stall, 'heron', ...git, '--branch', 'heron--v1.0.0', '--depth', '1');
    expect(await headOf(single, 'heron')).toBe((await client.run('heron', 'rev-parse', TAGS[0]!)).out);
    expect(read(client, 'heron/.claude-plugin/plugin.json')).not.toContain('"version"');
    // Claude Code has a clone of depth 1, then wants a tag by its SHA; others fetch all tags.
    const sha = (await client.run('heron', 'rev-parse', TAGS[1]!)).out;
    expect(await old.run('heron', ...git, 'fetch', '-q', '--depth', '1', 'origin', sha)).toMatchObject({
      code: 0,
    });
    expect(await old.run('heron', ...git, 'pull', '-q', '--ff-only', '--tags')).toEqual({
      code: 0,
      out: '',
      err: '',
    });
    expect((await old.run('heron', 'tag')).out).toBe('heron--v1.0.0\nheron--v1.1.0');
    expect((await old.run('heron', 'fsck', '--strict')).code).toBe(0);
    for (const at of [client, old])
      for (const pack of listPacks(at))
        expect((await at.run('heron', 'index-pack', '--strict', '-o', `${pack}.again`, pack)).code).toBe(0);
    await stall.close();
  });

  test('are sent in few packs, whichever of them are wanted', async () => {
    const { stall, publish, url } = await open();
    for (const version of ['1.1.0', '1.2.0', '1.3.0']) await publish(version, `${version}\n`);
    const listed = await createGitClient().run('.', 'ls-remote', '-q', '--tags', url);
    const ids = listed.out.split('\n').map((line) => line.slice(0, 40));
    const sets = [0b11, 0b101, 0b111, 0b1001, 0b1011, 0b1101, 0b1111].map((set) =>
      ids.filter((_, n) => (set >> n) % 2 === 1),
    );
    for (const wanted of sets) {
      const body = fetchBody(...wanted.map((id) => `want ${id}`), 'done');
      const answer = await fetch(`${url}/git-upload-pack`, { method: 'POST', headers: UPLOAD_HEADERS, body });
      expect((await answer.bytes()).length).toBeGreaterThan(300_000);
    }
    const packs = readdirSync(join(stall.app.stall.config.data, 'packs'), { recursive: true });
    expect(packs.filter((path) => String(path).endsWith('.pack'))).toHaveLength(1);
    await stall.close();
  });

  test('of a book hold it as a skill', async () => {
    const book = (version: string, body: string) => ({
      'books/free-book/item.yaml': `${String(SHELF['books/free-book/item.yaml'])}version: ${version}\n`,
      'books/free-book/01.md': body,
    });
    const stall = await openStall({ files: { ...SHELF, ...book('1.0.0', '# One\n') } });
    writeFiles(stall.content, book('1.1.0', '# Two\n'));
    await stall.app.publish();
    const client = createGitClient();
    await clone(client, stall, 'free-book');
    const show = async (path: string) =>
      (await client.run('free-book', 'show', `free-book--v1.0.0:skills/free-book/${path}`)).out;
    expect(await show('references/01.md')).toBe('# One');
    expect(await show('SKILL.md')).toStartWith('---\nname: free-book\n');
    await stall.close();
  });

  test('go with a withdrawn edition, and are for those alone who may take it', async () => {
    const { stall, publish, url } = await open({ unitAmountCents: '500' });
    const { key } = await stall.reader('anna@example.org', 'heron');
    await publish('1.1.0', 'Two.\n', { unitAmountCents: '0' });
    const [holder, late, stranger] = [createGitClient(), createGitClient(), createGitClient()];
    // Git sends a credential to a free item by itself only in a header.
    for (const { run } of [holder, late])
      await run('.', 'config', '--global', `http.${stall.url}/.extraHeader`, `Authorization: Bearer ${key}`);
    await clone(holder, stall, 'heron');
    const paid = (await holder.run('heron', 'rev-parse', TAGS[0]!)).out;
    expect(await refsOf(url)).toEqual(['HEAD', 'refs/heads/main', TAGS[1]]);
    const fetchPaid = async ({ run }: GitClient) => (await run('heron', 'fetch', 'origin', paid)).err;
    await clone(stranger, stall, 'heron');
    await clone(late, stall, 'heron', '--depth', '1');
    expect(await fetchPaid(stranger)).toMatch(/not our ref|unadvertised object/);
    expect(existsSync(join(stall.app.stall.config.data, 'packs'))).toBe(true);
    await stall.app.admin.editions.withdraw('heron', '1.0.0');
    expect((await holder.run('heron', 'ls-remote', '--tags')).out).not.toContain(TAGS[0]!);
    expect(await fetchPaid(late)).toMatch(/not our ref|unadvertised object/);
    expect(existsSync(join(stall.app.stall.config.data, 'packs'))).toBe(false);
    writeFiles(stall.content, { [`${BASE}/item.yaml`]: itemYaml({ version: '1.1.0', status: 'private' }) });
    await stall.app.publish();
    const answers = ['heron', 'never-used'].map((slug) =>
      createGitClient()
        .run('.', 'clone', `${stall.url}/git/${slug}.git`)
        .then(({ err }) => err.replaceAll(slug, 'x')),
    );
    expect(new Set(await Promise.all(answers)).size).toBe(1);
    await stall.close();
  });
});

function listPacks({ folder }: GitClient): string[] {
  const packs = join(folder, 'heron/.git/objects/pack');
  return readdirSync(packs)
    .filter((name) => name.endsWith('.pack'))
    .map((name) => join(packs, name));
}

describe('a repository', () => {
  const titled = (title: string, version = '1.0') => ({
    'skills/heron/item.yaml': itemYaml({ title, version }),
  });
  const skill = (body: string) => ({ 'skills/heron/SKILL.md': skillMd('heron', body) });

  test('gets a commit when its tree changes, keeps its ids over a restart, and is pulled over many editions', async () => {
    let stall = await openStall({ files: { ...titled('Herons'), ...skill('One.\n') }, config: { port: 0 } });
    const baseUrl = 'https://stall.example.org';
    const { directory } = stall;
    await stall.close();
    const restart = async () => {
      await stall.close();
      stall = await openStall({ directory, files: {}, config: { baseUrl } });
      await client.run('heron', 'remote', 'set-url', 'origin', `${stall.app.localOrigin}/git/heron.git`);
    };
    const client = createGitClient();
    stall = await openStall({ directory, files: {}, config: { baseUrl } });
    await client.run('.', 'clone', '-q', `${stall.app.localOrigin}/git/heron.git`);
    const first = await headOf(client, 'heron');
    await restart();
    // Neither a restart nor a title that is not in the tree makes a commit.
    writeFiles(stall.content, titled('Other herons'));
    await stall.app.publish();
    await client.run('heron', 'pull', '-q', '--ff-only');
    expect(await headOf(client, 'heron')).toBe(first);
    const heads = [first];
    for (const missed of [0, 1, 3]) {
      for (let n = 0; n <= missed; n++) {
        writeFiles(stall.content, {
          ...skill(`Edition ${missed} ${n}.\n`),
          ...titled('Herons', `2.${missed}.${n}`),
        });
        await stall.app.publish();
        // Someone else fetches each edition, so that each has a commit.
        await createGitClient().run('.', 'clone', '-q', `${stall.app.localOrigin}/git/heron.git`);
      }
      if (missed === 1) await restart();
      expect(await client.run('heron', 'pull', '-q', '--ff-only')).toEqual({ code: 0, out: '', err: '' });
      expect(read(client, 'heron/skills/heron/SKILL.md')).toContain(`Edition ${missed} ${missed}.`);
      heads.push(await headOf(client, 'heron'));
    }
    expect(new Set(heads).size).toBe(4);
    expect((await client.run('heron', 'fsck', '--strict')).code).toBe(0);
    await stall.close();
  });

  test('that was renamed is pulled at its former address', async () => {
    const stall = await openStall({ files: { ...titled('Herons'), ...skill('One.\n') } });
    const client = createGitClient();
    await clone(client, stall, 'heron');
    rmSync(join(stall.content, 'skills/heron'), { recursive: true });
    writeFiles(stall.content, {
      'skills/egret/item.yaml': itemYaml({ formerly: '[heron]' }),
      'skills/egret/SKILL.md': skillMd('egret', 'Two.\n'),
    });
    await stall.app.publish();
    expect(await client.run('heron', 'pull', '-q', '--ff-only')).toEqual({ code: 0, out: '', err: '' });
    expect(listFiles(client, 'heron')).toEqual(['.claude-plugin/plugin.json', 'skills/egret/SKILL.md']);
    await clone(client, stall, 'egret');
    expect(await headOf(client, 'egret')).toBe(await headOf(client, 'heron'));
    await stall.close();
  });

  test('never gives the text of a withdrawn edition, and goes forward after a rollback', async () => {
    const stall = await openStall({ files: { ...titled('Herons'), ...skill('Sound.\n') } });
    const client = createGitClient();
    await clone(client, stall, 'heron');
    writeFiles(stall.content, { ...titled('Herons', '1.1'), ...skill('A secret.\n') });
    await stall.app.publish();
    const witness = createGitClient();
    await clone(witness, stall, 'heron');
    const secret = await headOf(witness, 'heron');
    const blob = (await witness.run('heron', 'rev-parse', 'HEAD:skills/heron/SKILL.md')).out;
    writeFiles(stall.content, { ...titled('Herons', '1.2'), ...skill('Sound again.\n') });
    await stall.app.publish();
    await stall.app.admin.editions.withdraw('heron', '1.1');
    expect((await client.run('heron', 'pull', '-q', '--ff-only')).code).toBe(0);
    expect((await client.run('heron', 'log', '--all', '--format=%H')).out).not.toContain(secret);
    expect((await witness.run('heron', 'pull', '-q', '--ff-only')).code).toBe(0);
    for (const wanted of [secret, blob]) {
      for (const version of ['0', '2']) {
        const fetched = await client.run(
          'heron',
          '-c',
          `protocol.version=${version}`,
          'fetch',
          'origin',
          wanted,
        );
        expect(fetched.err).toMatch(/not our ref|unadvertised object/);
      }
    }
    await stall.app.admin.editions.rollBack('heron', '1.0');
    await stall.app.publish();
    expect((await client.run('heron', 'pull', '-q', '--ff-only')).code).toBe(0);
    expect(read(client, 'heron/skills/heron/SKILL.md')).toContain('Sound.');
    await stall.close();
  });
});

test('a clone after a new description is of the new commit, though the files are in memory', async () => {
  const files = (description: string) => ({
    'skills/heron/item.yaml': itemYaml({ description }),
    'skills/heron/SKILL.md': skillMd('heron'),
    'skills/heron/noise.bin': LARGE.subarray(0, 1024 * 1024),
  });
  const stall = await openStall({ files: files('One') });
  const cloneDescribed = async (description: string): Promise<void> => {
    const client = createGitClient();
    const words = ['-c', 'protocol.version=0', 'clone', '-q', `${stall.url}/git/heron.git`, 'heron'];
    expect(await client.run('.', ...words)).toEqual({ code: 0, out: '', err: '' });
    const plugin = JSON.parse(read(client, 'heron/.claude-plugin/plugin.json')) as { description: string };
    expect(plugin.description).toBe(description);
  };
  for (const description of ['One', 'Two']) {
    writeFiles(stall.content, files(description));
    await stall.app.publish();
    // The first finds the hash of the whole pack, the second is sent from memory.
    await cloneDescribed(description);
    await cloneDescribed(description);
  }
});

test.each([
  ['git/2.39.5', true],
  ['git/isomorphic-git@1.44.11', true],
  ['git/2.0 (libgit2 1.5.1)', false],
  ['git/dulwich/0.21.2', false],
])('a client that calls itself %s is told where the history is cut: %p', async (agent, isTold) => {
  const stall = await openStall();
  const headers = { 'User-Agent': agent };
  const path = '/git/free-skill.git/info/refs?service=git-upload-pack';
  const text = await (await stall.fetch(path, { headers })).text();
  expect(text).toContain('refs/heads/main\n');
  expect(/shallow [0-9a-f]{40}/.test(text)).toBe(isTold);
});
