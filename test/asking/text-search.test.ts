import { beforeAll, expect, test } from 'bun:test';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type } from '../platform/cli/type.ts';
import { itemYaml, openStall, until } from '../helpers/harness.ts';
import { createVisitor } from '../platform/site/visitor.ts';

/** Words of the closed chapter, and as many that stand nowhere. */
const HIDDEN = Array.from({ length: 200 }, (_, n) => `quen${n.toString(36)}dor`);
const ABSENT = HIDDEN.map((word) => word.replace('quen', 'zyth'));
const passages = (title: string, ...texts: string[]) =>
  texts.map((text, n) => `# ${title} ${n + 1}\n\n${text}\n`).join('\n');
const book = (slug: string, keys: Readonly<Record<string, string | number>>, files: Record<string, string>) =>
  Object.fromEntries(
    Object.entries({
      'item.yaml': itemYaml({ id: `${slug}-id`, title: `Book of ${slug}`, ...keys }),
      ...files,
    }).map(([path, text]) => [`books/${slug}/${path}`, text]),
  );
const FILES = {
  ...book(
    'birds',
    {},
    {
      'a.md': passages(
        'Birds',
        ...[1, 2, 3, 4, 5].map((n) => `The heron waits **patiently** at pond ${n}.`),
        'Nothing here, but for gulls.',
      ),
      'b.md': '# Vacation\n\nEverybody rests.\n\n# Leave\n\nThree weeks of vacation are yours.\n',
    },
  ),
  ...book(
    'marsh',
    { unitAmountCents: 900, sample: '[open.md]' },
    {
      'open.md': '# Open\n\nThe heron of the sample stands in reeds.\n',
      'shut.md': `# Shut\n\nA heron hides here: ${HIDDEN.join(' ')}.\n`,
    },
  ),
  ...book(
    'plan',
    { status: 'draft', formerly: '[project]' },
    { 'a.md': '# Plan\n\nThe secretheron is planned.\n' },
  ),
  ...book('old', { unitAmountCents: 500, status: 'archived' }, { 'a.md': '# Old\n\nAn oldheron is gone.\n' }),
  'skills/tool/item.yaml': itemYaml({ title: 'Tool' }),
  'skills/tool/SKILL.md': '---\nname: tool\ndescription: A tool for herons.\n---\n\nUse the heron.\n',
};
const stall = await openStall({ files: FILES });

type Result = { slug: string; path: string; heading: string; start: number; end: number; text: string };
type Found = Result & { marked: [number, number][]; sha256: string; url: string };

async function search(query: string, headers: Record<string, string> = {}) {
  const response = await stall.fetch(`/api/search?${query}`, { headers });
  const answer = (await response.json()) as { results: Found[]; searched: number; error?: string };
  return { status: response.status, headers: response.headers, ...answer };
}

let holder: Awaited<ReturnType<typeof stall.reader>>;
beforeAll(async () => {
  holder = await stall.reader('hal@example.org', 'marsh', 'old');
});

test('gives whole passages word for word, with the words that were looked for and a page that opens', async () => {
  const { results, searched, headers } = await search('q=herons+patient');
  expect(searched).toBe(2);
  expect(headers.get('cache-control')).toBe('private, no-store');
  const [first] = results;
  expect(first).toMatchObject({ slug: 'birds', path: 'a.md', kind: 'book', id: 'birds-id' });
  const content = FILES['books/birds/a.md' as keyof typeof FILES];
  expect(content.slice(first!.start, first!.end)).toBe(first!.text);
  expect(first!.marked.map(([from, to]) => content.slice(from, to))).toEqual(['heron', 'patiently']);
  const page = await fetch(first!.url.replace('#mark', ''));
  expect(await page.text()).toContain('<mark');
});

test('shows three passages of a book where several are searched, and all where it is named', async () => {
  const all = (await search('q=heron')).results;
  expect(all.filter(({ slug }) => slug === 'birds')).toHaveLength(3);
  expect(all.filter(({ slug }) => slug === 'marsh')).toHaveLength(1);
  const one = await search('q=heron&item=birds');
  expect(one.results).toHaveLength(5);
  expect(one.searched).toBe(1);
  expect((await search('q=heron&item=birds&limit=2')).results).toHaveLength(2);
  const named = await search('q=heron&item=birds&item=marsh&item=birds');
  expect(named.searched).toBe(2);
});

test('puts what only a heading says last', async () => {
  const { results } = await search('q=vacation');
  expect(results.map(({ heading }) => heading)).toEqual(['Leave', 'Vacation']);
  const { text } = await createVisitor(stall, { Cookie: '' }).open('/books/birds/search?q=vacation');
  expect(text).toContain('Three weeks of vacation');
  expect(text).not.toContain('Everybody rests');
});

test('opens to nobody what to nobody is open', async () => {
  for (const word of ['secretheron', 'oldheron']) expect((await search(`q=${word}`)).results).toEqual([]);
  for (const slug of ['plan', 'old', 'nowhere'])
    expect(await search(`q=heron&item=${slug}`)).toMatchObject({ status: 404 });
  const { error } = await search('q=heron&item=project');
  expect(error).toStartWith('Cannot find "project": ');
  expect(await search('q=heron&item=tool')).toMatchObject({ status: 400 });
  const owner = (await stall.app.admin.accounts.add('owner@example.org', true)).email;
  const session = await stall.signIn(owner);
  // The session of a browser means nothing here, not even the owner's.
  expect((await search('q=secretheron', session)).results).toEqual([]);
  expect((await search('q=oldheron', holder.headers)).results).toHaveLength(1);
  expect(await search('q=heron&item=plan', holder.headers)).toMatchObject({ status: 404 });
  expect(await search('q=heron', { Authorization: `Bearer ${holder.key}x` })).toMatchObject({ status: 401 });
});

test('a token that may read searches what it names, and another one what is open', async () => {
  const make = async (reads: boolean) => {
    const request = { name: `${reads}`, slugs: ['marsh'], reads, term: 'never' as const };
    const { token } = await stall.app.admin.tokens.create(holder.email, request);
    return search(`q=${HIDDEN[0]}`, { Authorization: `Bearer ${token}` });
  };
  expect((await make(true)).results).toHaveLength(1);
  expect((await make(false)).results).toEqual([]);
});

test('tells a stranger nothing of 200 words that only a closed chapter holds', async () => {
  for (const [n, word] of HIDDEN.entries()) {
    const strangers = await search(`q=heron+${word}&limit=3`);
    const of = await search(`q=heron+${ABSENT[n]}&limit=3`);
    expect(strangers.results.map(({ url, marked }) => [url, marked])).toEqual(
      of.results.map(({ url, marked }) => [url, marked]),
    );
    const held = await search(`q=${word}`, holder.headers);
    expect(held.results.map(({ path }) => path)).toEqual(['shut.md']);
  }
});

test('opens no index of a text that the principal may not read', async () => {
  const other = await openStall({ files: FILES });
  const { artefacts } = other.app.catalog().byBookId.get('marsh-id')!;
  const folder = join(other.data, 'artefacts');
  const paths = readdirSync(folder, { recursive: true }).map(String);
  const file = paths.find((path) => path.includes(artefacts.index!.name));
  rmSync(join(folder, file!));
  const broken = () => other.log.filter(({ event }) => event === 'artefact-broken');
  const found = (await (await other.fetch('/api/search?q=heron')).json()) as { searched: number };
  expect(found.searched).toBe(2);
  expect(broken()).toEqual([]);
  const reader = await other.reader('ann@example.org', 'marsh');
  await other.fetch('/api/search?q=heron', { headers: reader.headers });
  expect(broken()).toHaveLength(1);
});

test.each([
  ['', '"q" must be text of 1 to 500 characters'],
  ['q=+', '"q" must be text of 1 to 500 characters'],
  [`q=${'a'.repeat(501)}`, '"q" must be text of 1 to 500 characters'],
  [`q=${encodeURIComponent('🪿'.repeat(501))}`, '"q" must be text of 1 to 500 characters'],
  ['q=a&limit=0', '"limit" must be a whole number from 1 to 20'],
  ['q=a&limit=21', '"limit" must be a whole number from 1 to 20'],
  ['q=a&limit=x', '"limit" must be a whole number from 1 to 20'],
  [`q=a${'&item=birds'.repeat(21)}`, '"item" must be a list of at most 20 texts'],
])('refuses the search "%s"', async (query, sentence) => {
  const { status, error } = await search(query);
  expect(status).toBe(400);
  expect(error).toContain(sentence);
});

test('counts the characters of a search by code points', async () => {
  expect(await search(`q=heron${encodeURIComponent('🪿'.repeat(495))}`)).toMatchObject({ status: 200 });
  expect(await search(`q=herons${encodeURIComponent('🪿'.repeat(495))}`)).toMatchObject({ status: 400 });
});

test('finds nothing for words without letters, and for words of no book', async () => {
  for (const query of ['q=%22%2A', 'q=zzyzx', 'q=the', `q=${encodeURIComponent('NEAR(a b) OR "')}`])
    expect(await search(query)).toMatchObject({ status: 200, results: [] });
});

test('two searches of one account run at once, eight wait, and others are refused', async () => {
  const other = await openStall({ files: FILES });
  const { headers } = await other.reader('ann@example.org');
  let running = 0;
  let most = 0;
  const { promise: opened, resolve: letGo } = Promise.withResolvers<void>();
  // The index of a book that takes long.
  Object.assign(other.app.stall.indexes, {
    find: async () => {
      most = Math.max(most, ++running);
      await opened;
      running--;
      return [];
    },
  });
  const bea = await other.reader('bea@example.org');
  const ask = async (by = headers) =>
    (await other.fetch('/api/search?q=heron&item=birds', { headers: by })).status;
  const refused: number[] = [];
  const asked = Array.from({ length: 13 }, async () => {
    const status = await ask();
    if (status === 429) refused.push(status);
    return status;
  });
  await until(() => refused.length === 3 && running === 2);
  expect(most).toBe(2);
  const another = ask(bea.headers);
  await until(() => running === 3);
  letGo();
  expect(await another).toBe(200);
  expect((await Promise.all(asked)).filter((status) => status === 200)).toHaveLength(10);
  expect(await ask()).toBe(200);
});

test('searches of several books run one after the other', async () => {
  const other = await openStall({ files: FILES });
  const [ann, bea] = [await other.reader('ann@example.org'), await other.reader('bea@example.org')];
  const opened: string[] = [];
  Object.assign(other.app.stall.indexes, {
    find: async (_: unknown, { words }: { readonly words: string }) => {
      if (opened.at(-1) !== words) opened.push(words);
      await Bun.sleep(5);
      return [];
    },
  });
  const ask = async (words: string, { headers }: typeof ann) =>
    (await (await other.fetch(`/api/search?q=${words}`, { headers })).json()) as { searched: number };
  const first = ask('first', ann);
  await until(() => opened.length === 1);
  const rest = [ask('second', ann)];
  await Bun.sleep(1);
  rest.push(ask('hers', bea));
  const answers = await Promise.all([first, ...rest]);
  expect(answers.map(({ searched }) => searched > 1)).toEqual([true, true, true]);
  expect(opened.toSorted()).toEqual(['first', 'hers', 'second']);
});

test('a search that waited finds nothing in what was closed meanwhile', async () => {
  const other = await openStall({ files: FILES });
  const { email, headers } = await other.reader('ann@example.org', 'marsh');
  const { indexes } = other.app.stall;
  const { find } = indexes;
  const search = async (close: () => Promise<unknown>) => {
    const ask = async (...given: Parameters<typeof find>) => {
      const found = await find(...given);
      await close();
      return found;
    };
    Object.assign(indexes, { find: ask });
    const response = await other.fetch(`/api/search?q=${HIDDEN[0]}&item=marsh`, { headers });
    const { results } = (await response.json()) as { results?: Found[] };
    return [response.status, results?.length];
  };
  expect(await search(async () => {})).toEqual([200, 1]);
  const { grants, accounts } = other.app.admin;
  expect(await search(() => grants.revoke(email, 'marsh', null))).toEqual([200, 0]);
  expect(await search(() => accounts.disable(email))).toEqual([401, undefined]);
});

test('the page shows titles and passages; the owner alone finds drafts', async () => {
  const nobody = createVisitor(stall, { Cookie: '' });
  const { text, html } = await nobody.open('/search?q=heron');
  expect(text).toContain('The heron waits patiently at pond');
  expect(text).toContain('Of paid books their samples were searched');
  expect(html).toContain('<mark>heron</mark>');
  expect((await nobody.open('/search?q=birds')).html).toContain('href="/books/birds"');
  expect((await nobody.open('/search?q=secretheron')).text).toContain('Nothing matches');
  const member = createVisitor(stall, await stall.signIn(holder.email));
  expect((await member.open('/search?q=oldheron')).text).toContain('An oldheron is gone');
  expect((await member.open('/dashboard')).html).toContain('action="/search"');
  const owner = createVisitor(stall, await stall.signIn('owner@example.org'));
  expect((await owner.open('/search?q=secretheron')).text).toContain('The secretheron is planned');
  const moved = await nobody.open('/search?q=heron&kind=book');
  expect([moved.status, moved.headers.get('location')]).toEqual([303, '/?q=heron&kind=book']);
  const hostile = await nobody.open(`/search?q=${encodeURIComponent('<script>alert(1)</script> heron')}`);
  expect(hostile.html).not.toContain('<script>alert');
});

test('the command shows each place with its words and its page', async () => {
  const environment = { BOOKSTALL_URL: stall.url, BOOKSTALL_KEY: holder.key };
  const { code, out } = await type(['search', 'heron', 'hides'], environment);
  expect(code).toBe(0);
  expect(out).toStartWith('Book of marsh, Shut\n    A heron hides here:');
  expect(out).toContain(`${stall.url}/books/marsh/read/shut.md?mark=`);
  const one = await type(['search', '--json', '--item', 'birds', 'heron'], environment);
  expect((JSON.parse(one.out) as { searched: number }).searched).toBe(1);
  expect((await type(['search', 'zzyzx'], environment)).err).toContain('Nothing found');
  expect((await type(['search'], environment)).code).toBe(2);
});

test('no log holds the words of a search', async () => {
  await search('q=unmistakableword', holder.headers);
  expect(JSON.stringify(stall.log)).not.toContain('unmistakableword');
});
