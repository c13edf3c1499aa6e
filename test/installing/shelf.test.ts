import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGitClient } from './git/git-client.ts';
import { itemYaml, openStall, SHELF, skillMd, type Stall } from '../helpers/harness.ts';

type Entry = { readonly name: string; readonly source: { readonly source: string; readonly url: string } };
type Marketplace = { readonly name: string; readonly plugins: readonly Entry[] };

const FREE = ['free-book', 'free-skill'];
const HELD = ['archived-skill', 'paid-book'];

async function linkOf(stall: Stall, email: string, slugs: readonly string[] = []): Promise<string> {
  const asked = { name: 'link', slugs, reads: false, term: 'never' } as const;
  return (await stall.app.admin.tokens.create(email, asked)).token;
}

const readShelf = (file: string): Marketplace => JSON.parse(readFileSync(file, 'utf8')) as Marketplace;
const namesOf = ({ plugins }: Marketplace): readonly string[] => plugins.map(({ name }) => name);
const kebab = (stall: Stall): string => new URL(stall.url).host.replace(/[^a-z0-9]+/g, '-');

test('the marketplace lists the free items to everyone, and first what the account holds to its key or link', async () => {
  const stall = await openStall({ files: { ...SHELF, 'stall.yaml': 'name: A stall <of> herons\n' } });
  const anna = await stall.reader('anna@example.org', ...HELD);
  const token = await linkOf(stall, anna.email);
  const at = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await stall.fetch(path, { headers });
    expect(answer.status).toBe(200);
    return { answer, marketplace: (await answer.json()) as Marketplace };
  };
  const open = await at('/marketplace.json');
  expect(open.marketplace).toMatchObject({ name: kebab(stall), owner: { name: 'A stall of herons' } });
  expect(namesOf(open.marketplace)).toEqual(FREE);
  expect(open.answer.headers.get('vary')).toBe('Authorization');
  const own = await at('/marketplace.json', anna.headers);
  expect(namesOf(own.marketplace)).toEqual([...HELD, ...FREE]);
  expect(own.answer.headers.get('cache-control')).toBe('private, no-store');
  expect(own.marketplace.plugins[0]?.source).toEqual({
    source: 'url',
    url: `${stall.url}/git/archived-skill.git`,
  });
  const link = await at(`/i/${token}/marketplace.json`);
  expect(link.marketplace.name).toBe(`${kebab(stall)}-link`);
  expect(namesOf(link.marketplace)).toEqual([...HELD, ...FREE]);
  expect(link.marketplace.plugins[0]?.source.url).toBe(`${stall.url}/i/${token}/git/archived-skill.git`);
  expect(link.answer.headers.get('referrer-policy')).toBe('no-referrer');
  const one = await at(`/i/${await linkOf(stall, anna.email, ['paid-book'])}/marketplace.json`);
  expect(namesOf(one.marketplace)).toEqual(['paid-book', ...FREE]);
  await stall.close();
});

test('the shelf asks a stranger for a credential, is one commit, and forgets what was revoked', async () => {
  const stall = await openStall();
  const anna = await stall.reader('anna@example.org', ...HELD);
  const token = await linkOf(stall, anna.email);
  const url = `${stall.url}/shelf.git`;
  const stranger = await stall.fetch('/shelf.git/info/refs?service=git-upload-pack');
  expect([stranger.status, stranger.headers.get('www-authenticate')]).toEqual([
    401,
    expect.stringContaining('Basic realm="Bookstall '),
  ]);
  const client = createGitClient(anna.key);
  const clone = async (from: string, name: string) => {
    expect(await client.run('.', 'clone', '-q', from, name)).toEqual({ code: 0, out: '', err: '' });
    expect(await client.run(name, 'fsck', '--strict')).toMatchObject({ code: 0 });
    expect((await client.run(name, 'rev-list', '--count', 'HEAD')).out).toBe('1');
    return readShelf(join(client.folder, name, '.claude-plugin/marketplace.json'));
  };
  expect(namesOf(await clone(url, 'own'))).toEqual([...HELD, ...FREE]);
  expect((await client.run('own', 'fetch')).err).toBe('');
  const byLink = await createGitClient().run('.', 'clone', '-q', `${stall.url}/i/${token}/shelf.git`);
  expect(byLink).toEqual({ code: 0, out: '', err: '' });
  await stall.app.admin.grants.revoke(anna.email, 'archived-skill', null);
  expect(namesOf(await clone(url, 'later'))).toEqual(['paid-book', ...FREE]);
  expect((await client.run('later', 'log', '-p')).out).not.toContain('archived-skill');
  expect(stall.app.admin.logs.downloads(null, null)).toEqual([]);
  await stall.close();
});

test.each(['claude.example.org', 'anthropic-plugins.example', 'agent.skills'])(
  'the marketplace of the host %s has no name that Claude Code keeps for its own',
  async (host) => {
    const stall = await openStall({ files: {}, config: { baseUrl: `https://${host}` } });
    const answer = await fetch(`${stall.app.localOrigin}/marketplace.json`);
    expect(((await answer.json()) as Marketplace).name).toBe(`stall-${host.replaceAll('.', '-')}`);
    await stall.close();
  },
);

test('of a thousand items and more the shelf names a thousand, the own ones first', async () => {
  const many = Array.from({ length: 1001 }, (_, n) => `a${String(n).padStart(4, '0')}`);
  const skill = (slug: string, price: number) => ({
    [`skills/${slug}/item.yaml`]: itemYaml({ unitAmountCents: price }),
    [`skills/${slug}/SKILL.md`]: skillMd(slug),
  });
  const files = Object.assign({}, skill('zebra', 500), ...many.map((slug) => skill(slug, 0)));
  const stall = await openStall({ files });
  const { headers } = await stall.reader('anna@example.org', 'zebra');
  const marketplace = (await (await stall.fetch('/marketplace.json', { headers })).json()) as Marketplace;
  expect(namesOf(marketplace)).toEqual(['zebra', ...many.slice(0, 999)]);
  await stall.close();
});
