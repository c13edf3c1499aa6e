import { describe, expect, test } from 'bun:test';
import { countHolders, findGrantedItem, listHolders } from '../../src/accounts/grant.ts';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { hasFolder, readReport } from '../../src/publishing/publication.ts';
import { inDirectory, run } from '../catalog/archive/readers.ts';
import { type } from '../platform/cli/type.ts';
import {
  type Files,
  itemYaml,
  openStall,
  skillMd,
  type Stall,
  until,
  writeFiles,
} from '../helpers/harness.ts';

type Keys = Readonly<Record<string, string | number>>;
type Headers = Readonly<Record<string, string>>;

const book = (slug: string, more: Keys = {}, text = 'one'): Files => ({
  [`books/${slug}/item.yaml`]: itemYaml({ id: 'birds-id', unitAmountCents: 900, version: '1.0', ...more }),
  [`books/${slug}/01.md`]: `# Herons\n\nThe heron of version ${text} stands on one leg in the cold water.\n`,
});
const kit = (slug: string, more: Keys = {}): Files => ({
  [`skills/${slug}/item.yaml`]: itemYaml({ unitAmountCents: 500, version: slug, ...more }),
  [`skills/${slug}/SKILL.md`]: skillMd(slug),
  [`skills/${slug}/run.sh`]: '#!/bin/sh\necho run\n',
});

async function publish(stall: Stall, files: Files = {}): Promise<readonly string[]> {
  writeFiles(stall.content, files);
  return (await stall.app.publish()).flatMap(({ slug, problems }) =>
    problems.map(({ code }) => `${slug} ${code}`),
  );
}

const move = ({ content }: Stall, from: string, to: string): void => {
  renameSync(join(content, from), join(content, to));
};

/** Replaces a skill's folder by one of another name. */
async function renameSkill(stall: Stall, from: string, to: string, more: Keys): Promise<readonly string[]> {
  rmSync(join(stall.content, 'skills', from), { recursive: true });
  return publish(stall, kit(to, more));
}

const reopen = async (stall: Stall): Promise<Stall> => {
  await stall.close();
  return openStall({ directory: stall.directory, files: {} });
};

/** The lines that a program prints. */
const list = async (command: readonly string[], directory: string): Promise<readonly string[]> =>
  new TextDecoder()
    .decode(await run(command, directory))
    .trim()
    .split('\n');

type Installed = {
  readonly record: Readonly<Record<string, unknown>>;
  readonly files: readonly string[];
  readonly text: string;
};

/** The slug that an archive's name, its only folder and its record share; else the status. */
async function installed(
  stall: Stall,
  slug: string,
  headers: Headers = {},
  query = '',
): Promise<Installed | number> {
  const response = await stall.fetch(`/api/install/${slug}${query}`, { headers });
  if (!response.ok) return response.status;
  return inDirectory(async (directory) => {
    await Bun.write(join(directory, 'a.tar.gz'), await response.bytes());
    const files = await list(['tar', '-tzf', 'a.tar.gz'], directory);
    const folder = files[0]?.split('/')[0] ?? '';
    expect(files.every((file) => file.startsWith(`${folder}/`))).toBe(true);
    await run(['tar', '-xzf', 'a.tar.gz'], directory);
    const read = (file: string) => Bun.file(join(directory, folder, file));
    const text = await read(files.some((file) => file.endsWith('/01.md')) ? '01.md' : 'SKILL.md').text();
    const record = (await read('.svc-install').json()) as Installed['record'];
    expect(record['slug']).toBe(folder);
    expect(response.headers.get('content-disposition')).toContain(`"${folder}.tar.gz"`);
    return { record, files, text };
  });
}

const slugOf = (answer: Installed | number): unknown =>
  typeof answer === 'number' ? answer : answer.record['slug'];

async function moved(stall: Stall, path: string, headers: Headers = {}): Promise<string> {
  const response = await stall.fetch(path, { headers, redirect: 'manual' });
  await response.bytes();
  return `${response.status} ${response.headers.get('location') ?? ''}`.trim();
}

describe('a book whose folder was renamed', () => {
  test('is served under both slugs as it is today', async () => {
    const stall = await openStall({ files: book('birds') });
    const { headers } = await stall.reader('ann@example.org', 'birds');
    const before = await installed(stall, 'birds', headers);
    move(stall, 'books/birds', 'books/herons');
    expect(await publish(stall)).toEqual([]);
    const [old, fresh] = [
      await installed(stall, 'birds', headers),
      await installed(stall, 'herons', headers),
    ];
    expect([slugOf(old), slugOf(fresh)]).toEqual(['herons', 'herons']);
    expect(old).toMatchObject({ files: (fresh as Installed).files, text: (before as Installed).text });
    const digests = [before, old, fresh].map((one) => (one as Installed).record['digest']);
    expect(new Set(digests).size).toBe(1);
    expect(await installed(stall, 'birds')).toBe(401);
    const etag = (await stall.fetch('/api/install/birds', { headers })).headers.get('etag') ?? '';
    const again = await stall.fetch('/api/install/birds', { headers: { ...headers, 'If-None-Match': etag } });
    expect(again.status).toBe(304);
    expect(again.headers.get('content-disposition')).toContain('"herons.tar.gz"');
    const slugs = async () => stall.app.admin.logs.downloads(null, null).map(({ slug }) => slug);
    await until(async () => (await slugs()).length === 4);
    expect(await slugs()).toEqual(['birds', 'herons', 'herons', 'herons']);
    await stall.close();
  });

  test('redirects its pages', async () => {
    const stall = await openStall({ files: book('birds', { sample: '[01.md]' }) });
    const { headers, email } = await stall.reader('ann@example.org', 'birds');
    move(stall, 'books/birds', 'books/herons');
    await publish(stall);
    const session = await stall.signIn(email);
    expect(await moved(stall, '/books/birds?files=2')).toBe('308 /books/herons?files=2');
    expect(await moved(stall, '/books/birds/read/01.md?mark=1-2')).toBe(
      '308 /books/herons/read/01.md?mark=1-2',
    );
    expect(await moved(stall, '/books/birds/read', session)).toBe('303 /books/herons/read/01.md');
    expect(await moved(stall, '/books/birds/search?q=heron')).toBe('308 /books/herons/search?q=heron');
    expect(await moved(stall, '/books/birds/ask', session)).toBe('308 /books/herons/ask');
    expect(await moved(stall, '/books/birds/files/01.md')).toBe('200');
    expect(await moved(stall, '/api/items/birds/editions')).toBe('200');
    expect(await moved(stall, '/books/%62irds')).toBe('308 /books/herons');
    const lists = ['/api/items', '/feed.xml', '/sitemap.xml', '/'].map(async (path) =>
      (await (await stall.fetch(path, { headers })).text()).match(/books\/birds|"slug":"birds"/),
    );
    expect(await Promise.all(lists)).toEqual([null, null, null, null]);
    const { items } = (await (await stall.fetch('/api/items')).json()) as { items: readonly object[] };
    expect(items).toMatchObject([{ slug: 'herons', formerly: ['birds'] }]);
    await stall.close();
  });

  test('has its earlier editions under each of its slugs, in the folder that they had', async () => {
    const stall = await openStall({ files: book('birds') });
    const { headers } = await stall.reader('ann@example.org', 'birds');
    move(stall, 'books/birds', 'books/herons');
    await publish(stall, book('herons', { version: '2.0' }, 'two'));
    for (const slug of ['herons', 'birds']) {
      const first = await installed(stall, slug, headers, '?edition=1.0');
      expect(first).toMatchObject({ record: { slug: 'birds', version: '1.0', id: 'birds-id' } });
      expect((first as Installed).text).toContain('version one');
      expect(await installed(stall, slug, headers, '?edition=2.0')).toMatchObject({
        record: { slug: 'herons', version: '2.0' },
      });
    }
    await stall.close();
  });

  test('is found under every slug it had, also after a restart, until another item has one', async () => {
    const first = await openStall({ files: book('a') });
    const { headers } = await first.reader('ann@example.org', 'a');
    for (const [from, to] of [
      ['a', 'b'],
      ['b', 'c'],
    ] as const) {
      move(first, `books/${from}`, `books/${to}`);
      await publish(first);
    }
    const stall = await reopen(first);
    expect([
      slugOf(await installed(stall, 'a', headers)),
      slugOf(await installed(stall, 'b', headers)),
    ]).toEqual(['c', 'c']);
    expect([await moved(stall, '/books/a'), await moved(stall, '/books/b')]).toEqual([
      '308 /books/c',
      '308 /books/c',
    ]);
    await publish(stall, book('a', { id: 'other-id', unitAmountCents: 700 }, 'other'));
    expect(await installed(stall, 'a', headers)).toBe(403);
    expect([await moved(stall, '/books/a'), await moved(stall, '/books/b')]).toEqual(['200', '308 /books/c']);
    await stall.close();
  });

  test('that is renamed back has its first slug, and leaves no loop', async () => {
    const stall = await openStall({ files: book('a') });
    for (const [from, to] of [
      ['a', 'b'],
      ['b', 'a'],
      ['a', 'b'],
      ['b', 'a'],
    ] as const) {
      move(stall, `books/${from}`, `books/${to}`);
      await publish(stall);
    }
    expect([await moved(stall, '/books/a'), await moved(stall, '/books/b')]).toEqual(['200', '308 /books/a']);
    await stall.close();
  });

  test('is granted and revoked by its old slug and its id', async () => {
    const stall = await openStall({ files: book('birds') });
    const { grants, accounts } = stall.app.admin;
    move(stall, 'books/birds', 'books/herons');
    await publish(stall);
    await accounts.add('ann@example.org');
    for (const name of ['birds', 'birds-id', 'herons']) {
      await grants.add({ email: 'ann@example.org', slug: name });
      expect(grants.list('ann@example.org')).toMatchObject([{ itemKey: 'birds-id', slug: 'herons' }]);
      expect(await grants.revoke('ann@example.org', name, null)).toBe(1);
    }
    await stall.close();
  });

  test('that is archived is found by its holders alone', async () => {
    const stall = await openStall({ files: book('birds') });
    const { headers, email } = await stall.reader('ann@example.org', 'birds');
    move(stall, 'books/birds', 'books/herons');
    await publish(stall, book('herons', { status: 'archived' }));
    expect([slugOf(await installed(stall, 'birds', headers)), await installed(stall, 'birds')]).toEqual([
      'herons',
      404,
    ]);
    expect(await moved(stall, '/books/birds')).toBe('404');
    expect(await moved(stall, '/books/birds', await stall.signIn(email))).toBe('308 /books/herons');
    await stall.close();
  });
});

describe('a skill with former slugs', () => {
  test('is served under them as it is today, also as a zip', async () => {
    const stall = await openStall({ files: kit('kit', { unitAmountCents: 0 }) });
    expect(await renameSkill(stall, 'kit', 'tool', { unitAmountCents: 0, formerly: 'kit' })).toEqual([]);
    expect(await installed(stall, 'kit')).toMatchObject({
      record: { kind: 'skill', slug: 'tool', version: 'tool' },
      files: ['tool/.svc-install', 'tool/SKILL.md', 'tool/run.sh'],
    });
    const zip = await stall.fetch('/api/skills/kit/download');
    expect(zip.headers.get('content-disposition')).toContain('"tool.zip"');
    await inDirectory(async (directory) => {
      await Bun.write(join(directory, 'a.zip'), await zip.bytes());
      expect(await list(['unzip', '-Z1', 'a.zip'], directory)).toEqual(['tool/SKILL.md', 'tool/run.sh']);
    });
    expect(await moved(stall, '/skills/kit')).toBe('308 /skills/tool');
    await stall.close();
  });

  test('counts grants for them, in every list, until they are revoked', async () => {
    const stall = await openStall({ files: kit('kit') });
    const { headers, email } = await stall.reader('ann@example.org', 'kit');
    const stranger = await stall.reader('bob@example.org');
    await renameSkill(stall, 'kit', 'tool', { formerly: '[kit]' });
    for (const slug of ['kit', 'tool']) {
      expect(slugOf(await installed(stall, slug, headers))).toBe('tool');
      expect((await stall.fetch(`/api/skills/${slug}/files`, { headers })).status).toBe(200);
      expect(await installed(stall, slug, stranger.headers)).toBe(403);
    }
    const library = await (await stall.fetch('/api/cli/library', { headers })).json();
    expect(library).toMatchObject({ items: [{ slug: 'tool' }] });
    const holdings = await (await stall.fetch('/api/holdings', { headers })).json();
    expect(holdings).toMatchObject({ items: [{ slug: 'tool', formerly: ['kit'] }] });
    expect(await (await stall.fetch('/dashboard', { headers: await stall.signIn(email) })).text()).toContain(
      '/skills/tool',
    );
    const { grants } = stall.app.admin;
    const later = await stall.reader('cleo@example.org', 'tool');
    for (const slug of ['kit', 'tool']) {
      const item = findGrantedItem(stall.app.stall, slug);
      expect(countHolders(stall.app.stall, item)).toBe(2);
      expect(listHolders(stall.app.stall, slug, null).map((holder) => holder.email)).toEqual([
        email,
        later.email,
      ]);
    }
    expect(await grants.revoke(later.email, 'tool', null)).toBe(1);
    expect(await grants.revoke(email, 'tool', null)).toBe(1);
    expect([await installed(stall, 'kit', headers), await installed(stall, 'tool', headers)]).toEqual([
      403, 403,
    ]);
    await stall.close();
  });

  test('are named by a revoke that leaves the grant of a group', async () => {
    const stall = await openStall({ files: kit('kit') });
    const { email } = await stall.reader('ann@example.org', 'kit');
    const { groups } = stall.app.admin;
    await groups.add('team');
    await groups.join('team', [email]);
    await groups.grant('team', ['kit'], {});
    await renameSkill(stall, 'kit', 'tool', { formerly: '[kit]' });
    const { out } = await type(['grant', 'revoke', email, 'tool', '--data', stall.data]);
    expect(out).toContain('from the next request on; but @team gives it');
    await stall.close();
  });

  test('keeps its earlier editions, and its place in the feed', async () => {
    const stall = await openStall({ files: kit('kit', { unitAmountCents: 0 }) });
    await renameSkill(stall, 'kit', 'tool', { unitAmountCents: 0, formerly: 'kit' });
    const { editions } = (await (await stall.fetch('/api/items/tool/editions')).json()) as {
      editions: readonly object[];
    };
    expect(editions).toMatchObject([
      { version: 'tool', state: 'served' },
      { version: 'kit', state: 'kept' },
    ]);
    for (const slug of ['kit', 'tool']) {
      const first = await installed(stall, slug, {}, '?edition=kit');
      expect(first).toMatchObject({ record: { slug: 'kit', version: 'kit' } });
      expect((first as Installed).text).toContain('name: kit');
    }
    await stall.close();
  });

  test('follows a chain, though only the last slug is named', async () => {
    const first = await openStall({ files: kit('a') });
    const { headers } = await first.reader('ann@example.org', 'a');
    await renameSkill(first, 'a', 'b', { formerly: 'a' });
    await renameSkill(first, 'b', 'c', { formerly: 'b' });
    const stall = await reopen(first);
    for (const slug of ['a', 'b', 'c']) expect(slugOf(await installed(stall, slug, headers))).toBe('c');
    expect(await moved(stall, '/skills/a')).toBe('308 /skills/c');
    expect(await stall.app.admin.grants.revoke('ann@example.org', 'a', null)).toBe(1);
    expect(await installed(stall, 'c', headers)).toBe(403);
    await stall.close();
  });

  test('loses them when they are no longer named', async () => {
    const stall = await openStall({ files: kit('kit') });
    const { headers } = await stall.reader('ann@example.org', 'kit');
    await renameSkill(stall, 'kit', 'tool', { formerly: 'kit' });
    await publish(stall, kit('tool'));
    expect([await installed(stall, 'kit', headers), await installed(stall, 'tool', headers)]).toEqual([
      404, 403,
    ]);
    await stall.close();
  });

  test('does not count grants for a slug that another item has now', async () => {
    const stall = await openStall({ files: kit('kit') });
    const { headers } = await stall.reader('ann@example.org', 'kit');
    expect(await publish(stall, kit('tool', { formerly: 'kit' }))).toEqual(['tool former-live']);
    expect([slugOf(await installed(stall, 'kit', headers)), await installed(stall, 'tool', headers)]).toEqual(
      ['kit', 403],
    );
    await stall.close();
  });

  test('is no book of that slug: a grant for a skill opens no book', async () => {
    const stall = await openStall({ files: { ...kit('kit'), ...kit('other') } });
    const { headers } = await stall.reader('ann@example.org', 'kit');
    rmSync(join(stall.content, 'skills/kit'), { recursive: true });
    await publish(stall, book('birds', { id: 'kit', formerly: 'kit' }));
    expect([await installed(stall, 'kit', headers), await installed(stall, 'birds', headers)]).toEqual([
      403, 403,
    ]);
    expect(await moved(stall, '/skills/kit')).toBe('308 /books/birds');
    expect((await stall.fetch('/api/skills/kit/download', { headers })).status).toBe(404);
    await stall.close();
  });

  test.each([
    ['an expired grant', { from: '2020-01-01T00:00:00Z', until: '2021-01-01T00:00:00Z' }, 403],
    ['a grant that has not begun', { from: '2999-01-01T00:00:00Z' }, 403],
  ])('is closed to %s for a former slug', async (_, dates, status) => {
    const stall = await openStall({ files: kit('kit') });
    const { headers, email } = await stall.reader('ann@example.org');
    await stall.app.admin.grants.add({ email, slug: 'kit', ...dates });
    await renameSkill(stall, 'kit', 'tool', { formerly: 'kit' });
    expect(await installed(stall, 'kit', headers)).toBe(status);
    await stall.app.admin.accounts.disable(email);
    expect(await installed(stall, 'kit', headers)).toBe(401);
    await stall.close();
  });
});

describe('former slugs that two items claim', () => {
  test('are an error at both; the one that had it keeps it', async () => {
    const stall = await openStall({ files: { ...kit('kit'), ...kit('two') } });
    const { headers } = await stall.reader('ann@example.org', 'kit', 'two');
    await renameSkill(stall, 'kit', 'one', { formerly: 'kit' });
    expect(await publish(stall, kit('two', { formerly: 'kit' }))).toEqual([
      'one former-clash',
      'two former-clash',
    ]);
    expect(await moved(stall, '/skills/kit')).toBe('308 /skills/one');
    expect([
      slugOf(await installed(stall, 'one', headers)),
      slugOf(await installed(stall, 'two', headers)),
    ]).toEqual(['one', 'two']);
    const again = await reopen(stall);
    expect(await moved(again, '/skills/kit')).toBe('308 /skills/one');
    await again.close();
  });

  test('do not take the name of a moved book from its holders', async () => {
    const stall = await openStall({ files: { ...book('birds'), ...kit('kit') } });
    const { headers } = await stall.reader('ann@example.org', 'birds');
    move(stall, 'books/birds', 'books/herons');
    await publish(stall);
    expect(await publish(stall, kit('kit', { formerly: '[birds]' }))).toEqual(['kit former-taken']);
    expect(slugOf(await installed(stall, 'birds', headers))).toBe('herons');
    rmSync(join(stall.content, 'skills/kit'), { recursive: true });
    await publish(stall);
    expect(slugOf(await installed(stall, 'birds', headers))).toBe('herons');
    await stall.close();
  });

  test('of each other change nothing: both are there', async () => {
    const stall = await openStall({
      files: { ...kit('one', { formerly: 'two' }), ...kit('two', { formerly: 'one' }) },
    });
    expect(await publish(stall)).toEqual(['one former-live', 'two former-live']);
    expect([await moved(stall, '/skills/one'), await moved(stall, '/skills/two')]).toEqual(['200', '200']);
    await stall.close();
  });

  test('that are names of JavaScript lead where they should', async () => {
    const stall = await openStall({
      files: kit('tool', { formerly: '[constructor, tostring, valueof]', unitAmountCents: 0 }),
    });
    expect(slugOf(await installed(stall, 'constructor'))).toBe('tool');
    expect([await moved(stall, '/skills/tostring'), await moved(stall, '/skills/__proto__')]).toEqual([
      '308 /skills/tool',
      '404',
    ]);
    expect(await installed(stall, 'hasownproperty')).toBe(404);
    await stall.close();
  });
});

describe('an item that is renamed and cannot be served in one publish', () => {
  test('is a broken skill: its last good edition is served under its old slug until it is mended', async () => {
    const stall = await openStall({ files: kit('waders') });
    const { headers } = await stall.reader('ann@example.org', 'waders');
    const broken = { ...kit('herons', { formerly: 'waders' }), 'skills/herons/SKILL.md': 'no front matter' };
    rmSync(join(stall.content, 'skills/waders'), { recursive: true });
    for (const _ of ['the first publish', 'another one']) {
      expect(await publish(stall, broken)).toContain('waders renamed');
      expect(slugOf(await installed(stall, 'waders', headers))).toBe('waders');
      expect([await installed(stall, 'waders'), await installed(stall, 'herons', headers)]).toEqual([
        401, 404,
      ]);
    }
    const again = await reopen(stall);
    expect(slugOf(await installed(again, 'waders', headers))).toBe('waders');
    expect(await publish(again, kit('herons', { formerly: 'waders' }))).toEqual([]);
    for (const slug of ['waders', 'herons'])
      expect(slugOf(await installed(again, slug, headers))).toBe('herons');
    await again.close();
  });

  test('is a broken book, known by its id; one that is gone with no folder of that id is not served', async () => {
    const stall = await openStall({ files: book('birds') });
    const { headers } = await stall.reader('ann@example.org', 'birds');
    move(stall, 'books/birds', 'books/herons');
    expect(await publish(stall, book('herons', { unitAmountCents: 'dear' }))).toContain('birds renamed');
    expect(slugOf(await installed(stall, 'birds', headers))).toBe('birds');
    expect(await publish(stall, book('herons', { unitAmountCents: 'dear', id: 'other-id' }))).not.toContain(
      'birds renamed',
    );
    expect(await installed(stall, 'birds', headers)).toBe(404);
    await stall.close();
  });

  test('is a draft: its holders keep the last published edition under the old slug', async () => {
    const stall = await openStall({ files: kit('waders') });
    const { headers } = await stall.reader('ann@example.org', 'waders');
    const { headers: stranger } = await stall.reader('bob@example.org');
    const problems = await renameSkill(stall, 'waders', 'herons', { formerly: 'waders', status: 'draft' });
    expect(problems).toContain('waders renamed');
    expect(await publish(stall)).toContain('waders renamed');
    expect(slugOf(await installed(stall, 'waders', headers))).toBe('waders');
    const closed = [
      await installed(stall, 'waders', stranger),
      await installed(stall, 'waders'),
      await installed(stall, 'herons', headers),
    ];
    expect(closed).toEqual([404, 404, 404]);
    const report = await readReport(stall.data);
    expect(report?.items.filter(hasFolder).map(({ slug }) => slug)).toEqual(['herons']);
    expect(await publish(stall, kit('herons', { formerly: 'waders' }))).toEqual([]);
    for (const slug of ['waders', 'herons'])
      expect(slugOf(await installed(stall, slug, headers))).toBe('herons');
    await stall.close();
  });

  test('is a draft that names the slug of another item as its own: it serves nothing of that', async () => {
    const stall = await openStall({ files: kit('waders') });
    const { headers } = await stall.reader('ann@example.org', 'waders');
    await publish(stall, kit('herons', { formerly: 'waders', status: 'draft' }));
    expect(await installed(stall, 'herons', headers)).toBe(404);
    expect(slugOf(await installed(stall, 'waders', headers))).toBe('waders');
    await stall.close();
  });
});
