import { describe, expect, test } from 'bun:test';
import { readdirSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { inDirectory, run } from '../catalog/archive/readers.ts';
import { type Files, itemYaml, openStall, type Stall, writeFiles } from '../helpers/harness.ts';

const book = (version: string, more: Readonly<Record<string, string | number>> = {}): Files => ({
  'books/birds/item.yaml': itemYaml({ id: 'birds-id', unitAmountCents: 900, version, ...more }),
  'books/birds/01.md': `# Herons\n\nVersion ${version} of the heron stands on one leg in the cold water.\n`,
});

const draft = (version: string): Files => book(version, { status: 'draft' });

async function publish(stall: Stall, files: Files): Promise<readonly string[]> {
  writeFiles(stall.content, files);
  return (await stall.app.publish()).flatMap(({ problems }) => problems.map(({ code }) => code));
}

const reopen = async (stall: Stall): Promise<Stall> => {
  await stall.close();
  return openStall({ directory: stall.directory, files: {}, grace: 20 });
};

/** A stall whose book was sold to one reader, with that reader, one without a grant, and the owner's session. */
async function openSold() {
  const stall = await openStall({ files: book('1.0'), grace: 20 });
  const [holder, stranger] = [
    await stall.reader('holder@example.org', 'birds'),
    await stall.reader('stranger@example.org'),
  ];
  await stall.app.admin.accounts.add('owner@example.org', true);
  return { stall, holder: holder.headers, stranger: stranger.headers };
}

type Headers = Readonly<Record<string, string>>;

/** The version that is installed, by its record and its text; else the status. */
async function installed(stall: Stall, headers: Headers = {}, query = ''): Promise<string | number> {
  const response = await stall.fetch(`/api/install/birds${query}`, { headers });
  if (!response.ok) return response.status;
  return inDirectory(async (directory) => {
    await Bun.write(join(directory, 'a.tar.gz'), await response.bytes());
    await run(['tar', '-xzf', 'a.tar.gz'], directory);
    const record = (await Bun.file(join(directory, 'birds/.svc-install')).json()) as { version: string };
    const text = await Bun.file(join(directory, 'birds/01.md')).text();
    return `${record.version}: ${/Version \S+/.exec(text)?.[0]}`;
  });
}

const text = async (stall: Stall, path: string, headers: Headers): Promise<string> =>
  (await stall.fetch(path, { headers })).text();

describe('a draft that was sold', () => {
  test.each([
    ['the same files', '1.0'],
    ['other files', '2.0'],
  ])('with %s serves its last published edition to its holders, and says so', async (_, version) => {
    const { stall, holder, stranger } = await openSold();
    expect(await publish(stall, draft(version))).toEqual(['sold-draft']);
    expect(await installed(stall, holder)).toBe('1.0: Version 1.0');
    expect([await installed(stall, stranger), await installed(stall)]).toEqual([404, 404]);
    const files = await stall.fetch('/api/books/birds-id/files', { headers: holder });
    expect(await files.text()).toContain('Version 1.0 of the heron');
    const statuses = ['/api/books/birds-id/files', '/api/items/birds/editions'].map(
      async (path) => (await stall.fetch(path, { headers: stranger })).status,
    );
    expect(await Promise.all(statuses)).toEqual([404, 404]);
    expect(await text(stall, '/api/items', {})).not.toContain('birds');
    expect(await text(stall, '/', {})).not.toContain('birds');
    await stall.close();
  });

  test('is previewed by the session of the owner alone', async () => {
    const { stall } = await openSold();
    await publish(stall, draft('2.0'));
    const [owner, holder] = [
      await stall.signIn('owner@example.org'),
      await stall.signIn('holder@example.org'),
    ];
    const page = await text(stall, '/books/birds', owner);
    expect(page).toContain('This is a draft: only you');
    expect(await text(stall, '/books/birds/read/01.md', owner)).toContain('Version 2.0 of the heron');
    expect(await text(stall, '/books/birds', holder)).toContain('no longer sold');
    expect(await text(stall, '/books/birds/read/01.md', holder)).toContain('Version 1.0 of the heron');
    expect((await stall.fetch('/books/birds')).status).toBe(404);
    await stall.close();
  });

  test('answers questions of holders from the edition that they hold', async () => {
    const { stall, holder, stranger } = await openSold();
    await publish(stall, draft('2.0'));
    const ask = (headers: Headers): Promise<Response> =>
      stall.fetch('/api/agent/fetch', {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify({ book_id: 'birds-id', query: 'Where does the heron stand?' }),
      });
    expect(await (await ask(holder)).text()).toContain('Version 1.0 of the heron');
    expect((await ask(stranger)).status).toBe(404);
    await stall.close();
  });

  test('lasts over restarts, further edits and a broken item.yaml', async () => {
    const { stall: first, holder } = await openSold();
    await publish(first, draft('2.0'));
    let stall = await reopen(first);
    expect(await installed(stall, holder)).toBe('1.0: Version 1.0');
    await publish(stall, draft('3.0'));
    await publish(stall, draft('4.0'));
    await Bun.sleep(60);
    await publish(stall, {});
    expect(await installed(stall, holder)).toBe('1.0: Version 1.0');
    await publish(stall, { 'books/birds/item.yaml': 'title: [' });
    stall = await reopen(stall);
    expect(await installed(stall, holder)).toBe('1.0: Version 1.0');
    await stall.close();
  });

  test('that is published again serves its folder, and its earlier edition is kept', async () => {
    const { stall, holder } = await openSold();
    await publish(stall, draft('1.0'));
    expect(await publish(stall, book('2.0'))).toEqual([]);
    expect(await installed(stall, holder)).toBe('2.0: Version 2.0');
    expect(await installed(stall, holder, '?edition=1.0')).toBe('1.0: Version 1.0');
    await stall.close();
  });

  test('leaves nothing of its unpublished editions behind', async () => {
    const { stall } = await openSold();
    for (const version of ['2.0', '3.0', '4.0']) await publish(stall, draft(version));
    const kept = readdirSync(join(stall.data, 'kept'), { recursive: true, encoding: 'utf8' });
    expect(kept.filter((name) => name.endsWith('.tar'))).toHaveLength(1);
    await stall.close();
  });

  test('serves the edition that it was rolled back to', async () => {
    const { stall, holder } = await openSold();
    await publish(stall, book('2.0'));
    await stall.app.admin.editions.rollBack('birds', '1.0');
    await stall.app.publish();
    expect(await publish(stall, draft('2.0'))).toEqual(['rolled-back', 'sold-draft']);
    expect(await installed(stall, holder)).toBe('1.0: Version 1.0');
    await publish(stall, draft('3.0'));
    expect(await installed(stall, holder)).toBe('1.0: Version 1.0');
    await stall.close();
  });

  test('of an item without holders says nothing, and serves nobody', async () => {
    const { stall, holder } = await openSold();
    await stall.app.admin.grants.revoke('holder@example.org', 'birds', null);
    expect(await publish(stall, draft('2.0'))).toEqual([]);
    expect(await installed(stall, holder)).toBe(404);
    await stall.close();
  });

  test('of which nothing was ever published stays a draft for its holders', async () => {
    const stall = await openStall({ files: draft('1.0') });
    const holder = await stall.reader('holder@example.org', 'birds');
    expect(await installed(stall, holder.headers)).toBe(404);
    await stall.close();
  });

  test('whose kept archive is cut is reported, and serves nothing else in its place', async () => {
    const { stall: first, holder } = await openSold();
    await publish(first, draft('2.0'));
    await first.close();
    const kept = join(first.data, 'kept');
    for (const name of readdirSync(kept, { recursive: true, encoding: 'utf8' }))
      if (name.endsWith('.tar')) truncateSync(join(kept, name), 20);
    const stall = await reopen(first);
    expect(stall.publications.flatMap(({ problems }) => problems.map(({ code }) => code))).toEqual([
      'cannot-roll-back',
    ]);
    expect(await installed(stall, holder)).toBe(404);
    await stall.close();
  });

  test('is compiled again if its artefacts are lost', async () => {
    const { stall: first, holder } = await openSold();
    await publish(first, draft('2.0'));
    const stall = await reopen(first);
    rmSync(join(stall.data, 'artefacts'), { recursive: true });
    expect(await installed(stall, holder)).toBe('1.0: Version 1.0');
    await stall.close();
  });
});
