// A real nginx with a shared cache in front: nobody is ever given what another was answered.
import { expect, test } from 'bun:test';
import { openStall } from '../helpers/harness.ts';
import { startCachingNginx } from '../installing/caching-nginx.ts';
import { mintToken } from '../../src/platform/base/key.ts';

const line = (text: string): string => (text.length + 4).toString(16).padStart(4, '0') + text;
const LS_REFS = `${line('command=ls-refs')}0000`;
const BASIC = (secret: string) => ({ Authorization: `Basic ${btoa(`x:${secret}`)}` });

/** The part of an answer that differs from one to the next, to the same sender too. */
const VOLATILE = /(?<=name="once" value=")[^"]*/g;

type Asked = { readonly status: number; readonly text: string; readonly cache: string | null };

const isThere = Bun.which('nginx') !== null;

(isThere ? test : test.skip)(
  "no sender is given another's answer, whoever asked first",
  async () => {
    const stall = await openStall();
    const { url } = await startCachingNginx(stall.url);
    const holder = await stall.reader('holder@example.org', 'paid-book', 'paid-skill', 'archived-skill');
    const stranger = await stall.reader('stranger@example.org');
    const link = async (email: string) =>
      (await stall.app.admin.tokens.create(email, { name: 'x', slugs: [], reads: false, term: 'never' }))
        .token;
    const [token, foreign] = [await link(holder.email), await link(stranger.email)];
    const senders: Readonly<Record<string, Readonly<Record<string, string>>>> = {
      nobody: {},
      'a key': holder.headers,
      'a key as Basic': BASIC(holder.key),
      'a token': { Authorization: `Bearer ${token}` },
      'a session': await stall.signIn(holder.email),
      'a key without a grant': stranger.headers,
      'a token without a grant': BASIC(foreign),
      'a session without a grant': await stall.signIn(stranger.email),
    };

    const indexOf = async (place: string) =>
      await (await stall.fetch(`${place}/.well-known/skills/index.json`, { headers: holder.headers })).text();
    const archiveOf = async (place: string) =>
      `${place}/.well-known/skills/${/([0-9a-f]{64})\.zip/.exec(await indexOf(place))?.[1]}.zip`;

    const gets = [
      '/marketplace.json',
      '/.well-known/agent-skills/index.json',
      '/books/paid-book/.well-known/skills/index.json',
      '/books/paid-book/.well-known/skills/paid-book/SKILL.md',
      '/books/paid-book/.well-known/skills/paid-book/references/01.md',
      '/skills/paid-skill/.well-known/agent-skills/index.json',
      '/skills/paid-skill/.well-known/agent-skills/paid-skill/SKILL.md',
      '/skills/paid-skill/.well-known/agent-skills/paid-skill/scripts/run.sh',
      '/skills/archived-skill/.well-known/skills/index.json',
      '/skills/free-skill/.well-known/skills/index.json',
      await archiveOf('/skills/paid-skill'),
      await archiveOf('/books/paid-book'),
      await archiveOf('/skills/free-skill'),
      '/books/paid-book/llms.txt',
      '/api/books/paid-id/skill',
      '/api/skills/paid-skill/download',
      '/api/skills/paid-skill/files',
      '/api/items/archived-skill/editions',
      '/api/cli/library',
      '/api/holdings',
      '/git/paid-skill.git/info/refs?service=git-upload-pack',
      '/git/paid-book.git/info/refs?service=git-upload-pack',
      '/git/free-skill.git/info/refs?service=git-upload-pack',
      '/git/draft-skill.git/info/refs?service=git-upload-pack',
      '/shelf.git/info/refs?service=git-upload-pack',
      `/i/${token}`,
      `/i/${token}/marketplace.json`,
      `/i/${token}/paid-skill/.well-known/skills/index.json`,
      `/i/${token}/git/paid-skill.git/info/refs?service=git-upload-pack`,
      `/i/${token}/shelf.git/info/refs?service=git-upload-pack`,
      `/i/${foreign}/paid-skill/.well-known/skills/index.json`,
      '/',
      '/skills/paid-skill',
      '/skills/archived-skill',
      '/skills/paid-skill/files/SKILL.md',
      '/books/paid-book/read/01.md',
      '/connect',
      '/dashboard',
      '/dashboard/connect',
    ].map((path) => ({ path, init: {} as RequestInit }));
    const posts = [
      '/git/paid-skill.git/git-upload-pack',
      '/shelf.git/git-upload-pack',
      `/i/${token}/git/paid-skill.git/git-upload-pack`,
    ].map((path) => ({
      path,
      init: {
        method: 'POST',
        body: LS_REFS,
        headers: { 'Content-Type': 'application/x-git-upload-pack-request', 'Git-Protocol': 'version=2' },
      } as RequestInit,
    }));

    const ask = async (base: string, path: string, init: RequestInit, more: object): Promise<Asked> => {
      const headers = { ...(init.headers as object), ...more };
      const answer = await fetch(`${base}${path}`, { ...init, headers, redirect: 'manual' });
      const text = (await answer.text()).replaceAll(VOLATILE, '').replaceAll(url, stall.url);
      return { status: answer.status, text, cache: answer.headers.get('x-cache') };
    };

    const names = Object.keys(senders);
    const telling = new Set<string>();
    for (const { path, init } of [...gets, ...posts]) {
      const direct = new Map<string, Asked>();
      for (const name of names) direct.set(name, await ask(stall.url, path, init, senders[name] ?? {}));
      if (new Set([...direct.values()].map(({ text }) => text)).size > 1) telling.add(path);
      for (const first of names)
        for (const name of [first, ...names]) {
          const { status, text } = await ask(url, path, init, { ...senders[name], 'X-Round': first });
          const expected = direct.get(name);
          expect([path, first, name, status]).toEqual([path, first, name, expected?.status ?? 0]);
          if (text !== expected?.text)
            throw new Error(`${path}: after "${first}", "${name}" is given another answer`);
        }
    }
    // The rows say something: all other answers depend on the sender.
    const alike = [...gets, ...posts].map(({ path }) => path).filter((path) => !telling.has(path));
    expect(alike.filter((path) => !/^\/\.well-known|free-skill/.test(path))).toEqual([]);
  },
  60_000,
);

const INDEX = '/.well-known/skills/index.json';

test('links that open nothing are charged to the address, good ones to their account', async () => {
  const stall = await openStall({ config: { routeBudget: { limit: 3, seconds: 600 } } });
  const tokenOf = async (email: string) => {
    const reader = await stall.reader(email, 'paid-skill');
    const request = { name: 'x', slugs: [], reads: false, term: 'never' } as const;
    return { ...reader, token: (await stall.app.admin.tokens.create(email, request)).token };
  };
  const [one, other] = [await tokenOf('a@example.org'), await tokenOf('b@example.org')];
  const statusOf = async (path: string, headers = {}) => (await stall.fetch(path, { headers })).status;
  // A guesser's requests.
  for (let n = 0; n < 3; n++) expect(await statusOf(`/i/${mintToken()}${INDEX}`)).toBe(404);
  const refused = await stall.fetch(`/i/${mintToken()}${INDEX}`);
  expect([
    refused.status,
    refused.headers.get('retry-after'),
    refused.headers.get('referrer-policy'),
  ]).toEqual([429, expect.stringMatching(/^\d+$/), 'no-referrer']);
  expect(await statusOf(INDEX)).toBe(429);
  // Each account has its own, by link, token or key together.
  expect(await statusOf(`/i/${one.token}${INDEX}`)).toBe(200);
  expect(await statusOf(INDEX, { Authorization: `Basic ${btoa(`x:${one.token}`)}` })).toBe(200);
  expect(await statusOf(INDEX, one.headers)).toBe(200);
  expect(await statusOf(`/i/${one.token}${INDEX}`)).toBe(429);
  expect(await statusOf(`/i/${other.token}${INDEX}`)).toBe(200);
});
