import { afterAll, describe, expect, test } from 'bun:test';
import { readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '../../src/store.ts';
import { inDirectory, run } from '../catalog/archive/readers.ts';
import {
  type Files,
  itemYaml,
  openStall,
  SHELF,
  skillMd,
  type Stall,
  until,
  writeFiles,
} from '../helpers/harness.ts';

const kit = (version: string, price = 0): Files => ({
  'skills/kit/item.yaml': itemYaml({ version, unitAmountCents: price }),
  'skills/kit/SKILL.md': skillMd('kit', `Version ${version}.\n`),
});

/** A stall that served 1.0, 1.1 and now serves 1.2. */
async function openHistory(price = 0): Promise<Stall> {
  const stall = await openStall({ files: { ...SHELF, ...kit('1.0', price) } });
  for (const version of ['1.1', '1.2']) {
    writeFiles(stall.content, kit(version, price));
    await stall.app.publish();
  }
  return stall;
}

/** SKILL.md and the record of an installed archive. */
function unpack(response: Response): Promise<{ text: string; record: Record<string, unknown> }> {
  return inDirectory(async (directory) => {
    await Bun.write(join(directory, 'a.tar.gz'), await response.bytes());
    await run(['tar', '-xzf', 'a.tar.gz'], directory);
    return {
      text: await Bun.file(join(directory, 'kit/SKILL.md')).text(),
      record: (await Bun.file(join(directory, 'kit/.svc-install')).json()) as Record<string, unknown>,
    };
  });
}

const stall = await openHistory();
const { editions } = (await (await stall.fetch('/api/items/kit/editions')).json()) as {
  editions: readonly Record<string, unknown>[];
};
const install = (edition: string, init: RequestInit = {}, from = stall): Promise<Response> =>
  from.fetch(`/api/install/kit?edition=${encodeURIComponent(edition)}`, init);
afterAll(() => stall.close());

test('an earlier edition is kept apart from what is served, which is swept', async () => {
  const swept = await openHistory();
  rmSync(join(swept.data, 'artefacts'), { recursive: true });
  expect((await unpack(await install('1.0', {}, swept))).text).toContain('Version 1.0.');
});

describe('GET /api/items/<slug>/editions', () => {
  test('lists them newest first, with their dates, states and counts', () => {
    expect(editions.map(({ version, state }) => `${version as string} ${state as string}`)).toEqual([
      '1.2 served',
      '1.1 kept',
      '1.0 kept',
    ]);
    expect(editions[0]).toEqual({
      digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      version: '1.2',
      servedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      size: expect.any(Number),
      notes: null,
      state: 'served',
      added: 0,
      changed: 1,
      removed: 0,
      signature: null,
      signed: null,
      signer: null,
      quotes: null,
      needs: [],
      stays: false,
    });
    expect(editions[2]).toMatchObject({ added: 1, changed: 0, removed: 0 });
  });

  test.each([
    ['a published item', 'paid-book', 200, 200],
    ['an archived item', 'archived-book', 404, 200],
    ['a draft', 'draft-book', 404, 404],
    ['an unknown name', 'nothing', 404, 404],
  ])('of %s is %s: %d without a key, %d with a grant', async (_, slug, anonymous, holder) => {
    const email = `${slug}@example.org`;
    const { headers } = await stall.reader(email, ...(slug === 'nothing' ? [] : [slug]));
    const path = `/api/items/${slug}/editions`;
    expect((await stall.fetch(path)).status).toBe(anonymous);
    expect((await stall.fetch(path, { headers })).status).toBe(holder);
  });
});

describe('GET /api/install/<slug>?edition=', () => {
  test.each(['1.0', '1.1', '1.2'])('%s gives that edition, its record and its tag', async (version) => {
    const digest = editions.find((edition) => edition['version'] === version)?.['digest'];
    for (const name of [version, String(digest)]) {
      const response = await install(name);
      expect([response.status, response.headers.get('etag')]).toEqual([
        200,
        `W/"${String(digest).slice(7)}"`,
      ]);
      const { text, record } = await unpack(response);
      expect(text).toContain(`Version ${version}.`);
      expect(record).toMatchObject({ slug: 'kit', version, digest });
    }
  });

  test('has the length of its body in HEAD, and 304 for its own tag alone', async () => {
    const response = await install('1.0');
    const length = String((await response.bytes()).length);
    const head = await install('1.0', { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe(length);
    const headers = { 'If-None-Match': response.headers.get('etag') ?? '' };
    expect((await install('1.0', { headers })).status).toBe(304);
    expect((await install('1.1', { headers })).status).toBe(200);
  });

  test.each([
    ['9.9', '9.9'],
    ['', ''],
    ['sha256:00', 'sha256:00'],
    ['x'.repeat(5000), 'x'.repeat(80)],
    ['%_', '%_'],
    ["'; DROP TABLE editions; --", "'; DROP TABLE editions; --"],
  ])('%p is 404, and names those that can be had', async (edition, shown) => {
    const response = await install(edition);
    expect([response.status, await response.json()]).toEqual([
      404,
      {
        code: 'NOT_FOUND',
        error: `Cannot install "kit" as "${shown}": there is no such edition; "1.2", "1.1", "1.0" can be had`,
      },
    ]);
  });

  test('is decided after access: a stranger to a paid item learns nothing of its editions', async () => {
    const paid = await openHistory(500);
    const stranger = await paid.reader('bob@example.org');
    const holder = await paid.reader('ann@example.org', 'kit');
    for (const [edition, status] of [
      ['1.0', 200],
      ['9.9', 404],
    ] as const) {
      expect((await install(edition, {}, paid)).status).toBe(401);
      expect((await install(edition, { headers: stranger.headers }, paid)).status).toBe(403);
      expect((await install(edition, { headers: holder.headers }, paid)).status).toBe(status);
    }
    await paid.close();
  });

  test('of a free item is open to strangers only if that edition was served free', async () => {
    const price: Readonly<Record<string, number>> = { '1.1': 500, '1.2': 500 };
    const book = (version: string): Files => ({
      'books/log/item.yaml': itemYaml({ id: 'log', version, unitAmountCents: price[version] ?? 0 }),
      'books/log/01.md': `# Log\n\nVersion ${version}.\n`,
    });
    const its = await openStall({ files: { ...kit('1.0'), ...book('1.0') } });
    const holder = await its.reader('ann@example.org', 'kit', 'log');
    const stranger = await its.reader('bob@example.org');
    const publish = async (files: Files) => {
      writeFiles(its.content, files);
      await its.app.publish();
    };
    for (const version of ['1.1', '1.2'])
      await publish({ ...kit(version, price[version]), ...book(version) });
    // The skill's price ends before its files change.
    await publish(kit('1.2'));
    await publish({ ...kit('1.3'), ...book('1.3') });
    const status = async (path: string, init: RequestInit = {}) => (await its.fetch(path, init)).status;
    for (const path of ['/api/install/kit', '/api/install/log', '/api/books/log/epub'])
      for (const [version, anonymous, denied] of [
        ['1.0', 200, 200],
        ['1.1', 401, 403],
        ['1.2', ...(path.endsWith('kit') ? [200, 200] : [401, 403])],
        ['1.3', 200, 200],
        ['9.9', 404, 404],
      ] as [string, number, number][]) {
        const wanted = `${path}?edition=${version}`;
        expect([wanted, await status(wanted)]).toEqual([wanted, anonymous]);
        expect([wanted, await status(wanted, { headers: stranger.headers })]).toEqual([wanted, denied]);
        expect(await status(wanted, { headers: holder.headers })).toBe(version === '9.9' ? 404 : 200);
      }
    await its.close();
  });

  test('is logged as a download of that edition', async () => {
    const { headers } = await stall.reader('logged@example.org');
    await install('1.0', { headers });
    const read = () => stall.app.admin.logs.downloads('logged@example.org', null);
    await until(async () => read().length > 0);
    const rows = read();
    const digest = String(editions[2]?.['digest']).slice('sha256:'.length);
    expect(rows).toMatchObject([{ slug: 'kit', digest, door: 'install' }]);
  });
});

describe('the notes of an edition', () => {
  const listed = async (from: Stall) =>
    (await (await from.fetch('/api/items/kit/editions')).json()) as {
      editions: readonly { version: string; notes: string | null }[];
    };

  test('are the section of its changelog, as text', async () => {
    const hostile = '<script>alert(1)</script> [x](javascript:alert(1)) \u001b[31m';
    const noted = await openStall({
      files: { ...kit('1.0'), 'skills/kit/CHANGELOG.md': `# 1.0\n\nFirst ${hostile}\n` },
    });
    writeFiles(noted.content, {
      ...kit('1.1'),
      'skills/kit/CHANGELOG.md': '# 1.1\n\nSecond\n\n# 1.0\n\nFirst, rewritten\n',
    });
    await noted.app.publish();
    expect((await listed(noted)).editions.map(({ version, notes }) => [version, notes])).toEqual([
      ['1.1', 'Second'],
      ['1.0', `First ${hostile}`],
    ]);
    await noted.close();
  });

  test('change with item.yaml alone', async () => {
    const noted = await openStall({ files: kit('1.0') });
    writeFiles(noted.content, {
      'skills/kit/item.yaml': itemYaml({ version: '1.0', changes: 'Fixes a comma' }),
    });
    await noted.app.publish();
    expect((await listed(noted)).editions).toMatchObject([{ version: '1.0', notes: 'Fixes a comma' }]);
    await noted.close();
  });
});

test('files that change under one version are a warning until the version is raised', async () => {
  const same = await openStall({ files: kit('1.0') });
  const warnings = async (files: Files): Promise<readonly string[]> => {
    writeFiles(same.content, files);
    const publications = await same.app.publish();
    return publications.flatMap(({ problems }) => problems.map(({ code }) => code));
  };
  expect(await warnings({})).toEqual([]);
  expect(await warnings({ 'skills/kit/new.md': 'new' })).toEqual(['same-version']);
  expect(await warnings({})).toEqual(['same-version']);
  expect(await warnings(kit('1.1'))).toEqual([]);
  await same.close();
});

test('a version that changes without a file is a warning until a file does, unless it was asked for', async () => {
  const one = await openStall({ files: kit('1.0') });
  const yaml = (version: string): Files => ({
    'skills/kit/item.yaml': kit(version)['skills/kit/item.yaml'] ?? '',
  });
  const warnings = async (files: Files): Promise<readonly string[]> => {
    writeFiles(one.content, files);
    const publications = await one.app.publish();
    return publications.flatMap(({ problems }) => problems.map(({ code }) => code));
  };
  expect(await warnings(yaml('1.1'))).toEqual(['other-version']);
  expect((await install('1.0', {}, one)).status).toBe(404);
  expect(await warnings({})).toEqual(['other-version']);
  expect(await warnings({ 'skills/kit/new.md': 'new' })).toEqual(['same-version']);
  expect(await warnings(yaml('1.2'))).toEqual([]);
  expect((await install('1.1', {}, one)).status).toBe(200);
  await one.close();
});

describe('an edition that can no longer be had', () => {
  test('because newer ones pushed it out is 410', async () => {
    const few = await openStall({
      files: kit('1.0'),
      config: { keepEditions: { editions: 2, bytes: 2 ** 31 } },
    });
    for (const version of ['1.1', '1.2']) {
      writeFiles(few.content, kit(version));
      await few.app.publish();
    }
    const response = await install('1.0', {}, few);
    expect([response.status, await response.json()]).toEqual([
      410,
      {
        code: 'GONE',
        error:
          'Cannot install "kit" as "1.0": it can no longer be had; the nearest is "1.1"; "1.2", "1.1" can be had',
      },
    ]);
    await few.close();
  });

  test.each<[string, (file: string) => void]>([
    ['cut', (file) => truncateSync(file, 20)],
    ['emptied', (file) => truncateSync(file, 0)],
    ['overwritten', (file) => writeFileSync(file, 'nonsense')],
  ])('because its body was %s is 410 and listed as gone, and the others are unharmed', async (_, damage) => {
    const hurt = await openHistory();
    const folder = join(hurt.data, 'kept');
    const store = await openStore(hurt.data);
    const [, , first] = store.listEditions('skill', 'kit');
    await store.close();
    const { name } = JSON.parse(first?.tar ?? '{}') as { name: string };
    const [body = ''] = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.includes(name),
    );
    damage(join(folder, body));
    expect((await install('1.0', {}, hurt)).status).toBe(410);
    const listed = (await (await hurt.fetch('/api/items/kit/editions')).json()) as typeof stall & {
      editions: readonly { version: string; state: string }[];
    };
    expect(listed.editions.map(({ version, state }) => `${version} ${state}`)).toEqual([
      '1.2 served',
      '1.1 kept',
      '1.0 gone',
    ]);
    expect([(await install('1.1', {}, hurt)).status, (await hurt.fetch('/api/install/kit')).status]).toEqual([
      200, 200,
    ]);
    await hurt.close();
  });
});
