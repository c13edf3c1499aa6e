import { createSigner, signItem } from '../../catalog/signing.ts';
// The protocol's own client, in both eras, against a real stall.
import { expect, test } from 'bun:test';
import type { TSchema } from '@sinclair/typebox';
import { itemYaml, openStall, SHELF, until } from '../../helpers/harness.ts';
import { TOOL_SHAPES } from '../../../src/agents/shapes.ts';
import { differences } from '../../platform/http/shapes.ts';
import { connectClient, ERAS, textOf } from './mcp-client.ts';

const LONG = Array.from({ length: 900 }, (_, n) => `Line ${n} of the long chapter, with an owl 🦉.\n`).join(
  '',
);
const stall = await openStall({
  files: {
    ...SHELF,
    'books/free-book/02.md': `# The owl\n\n${LONG}`,
    'books/free-book/picture.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 255]),
    'books/sampled/item.yaml': itemYaml({
      id: 'sampled',
      title: 'Herons and how to watch them',
      unitAmountCents: 900,
      sample: '[01.md]',
    }),
    'books/sampled/01.md': '# A sample\n\nFree to read.\n',
    'books/sampled/02.md': '# The rest\n\nThis part is for those who bought it.\n',
  },
});
const URL = `${stall.url}/mcp`;
const holder = await stall.reader('holder@example.org', 'paid-book', 'paid-skill', 'archived-book');

test.each(ERAS)('%s: a client lists tools with schemas that every client reads', async (era) => {
  const client = await connectClient(URL, era);
  expect(client.getNegotiatedProtocolVersion()).toBe(era);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    'search_library',
    'search_texts',
    'read_chapter',
    'ask_book',
    'my_notes',
    'how_to_install',
  ]);
  for (const { name, description = '', inputSchema, annotations } of tools) {
    expect(description.length).toBeLessThanOrEqual(2048);
    expect(annotations).toMatchObject({
      readOnlyHint: true,
      openWorldHint: false,
      idempotentHint: name !== 'ask_book',
    });
    expect(JSON.stringify(inputSchema)).not.toMatch(/"\$ref"|"type":\[/);
  }
  expect(tools[1]?._meta).toEqual({ 'anthropic/maxResultSizeChars': 60_000 });
  await client.close();
});

test.each(ERAS)('%s: without a key a client finds and reads what is free, and nothing else', async (era) => {
  const client = await connectClient(URL, era);
  const search = async (given: object) => {
    const { structuredContent } = await client.callTool({ name: 'search_library', arguments: { ...given } });
    return (structuredContent as { items: { slug: string }[] }).items.map(({ slug }) => slug);
  };
  expect(await search({})).toEqual(['free-book', 'free-skill']);
  expect(await search({ query: 'what does the free book say?', kind: 'book' })).toEqual(['free-book']);
  expect(await search({ query: 'paid' })).toEqual([]);
  expect(await search({ query: 'xfree' })).toEqual([]);
  const read = async (given: object) =>
    await client.callTool({ name: 'read_chapter', arguments: { ...given } });
  expect(textOf(await read({ item: 'free-book' }))).toContain('- The heron: "01.md"');
  expect(textOf(await read({ item: 'sampled', path: '01.md' }))).toContain('Free to read.');
  for (const given of [
    { item: 'paid-book', path: '01.md' },
    { item: 'sampled', path: '02.md' },
    { item: 'archived-book', path: '01.md' },
    { item: 'draft-book' },
  ]) {
    const refused = await read(given);
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toMatch(/^Cannot (read|find) /);
    expect(textOf(refused)).not.toContain('heron');
  }
  const asked = await client.callTool({
    name: 'ask_book',
    arguments: { item: 'free-book', question: 'Why does the heron stand on one leg?' },
  });
  expect(asked.isError).toBe(true);
  expect(textOf(asked)).toContain(`make one at ${stall.url}/dashboard`);
  await client.close();
});

test.each(ERAS)('%s: a chapter is read in parts to its end, and no character is lost', async (era) => {
  const client = await connectClient(URL, era);
  const path = '02.md';
  let text = '';
  for (let offset: number | null = 0, parts = 0; offset !== null; parts++) {
    const answer = textOf(
      await client.callTool({
        name: 'read_chapter',
        arguments: { book: 'free-book', path, offset, limit: 7001 },
      }),
    );
    const [, part = '', end, total, more] =
      /^([\s\S]*?)\n\[(\d+) of (\d+) characters; (?:go on with offset (\d+)|this is the end)\]$/.exec(
        answer,
      ) ?? [];
    expect(part.isWellFormed()).toBe(true);
    text += part.slice(0, Number(end) - offset);
    expect(parts).toBeLessThan(10);
    if (more === undefined) expect(end).toBe(total);
    offset = more === undefined ? null : Number(more);
  }
  expect(text).toBe(`# The owl\n\n${LONG}`);
  await client.close();
});

test.each(ERAS)('%s: a citation leads to the same words in its resource and its chapter', async (era) => {
  const client = await connectClient(URL, era, holder.headers);
  const result = await client.callTool({
    name: 'ask_book',
    arguments: { item: 'paid-book', question: 'Why does the heron stand on one leg?' },
  });
  const { outcome, answer, citations } = result.structuredContent as {
    outcome: string;
    answer: string;
    citations: { n: number; quote: string; heading: string; uri: string }[];
  };
  expect(outcome).toBe('quoted');
  const [cited] = citations;
  expect(cited).toEqual({
    n: 1,
    quote: expect.stringContaining('stands on one leg') as string,
    heading: 'The heron',
    uri: 'book://paid-book/01.md',
  });
  expect(answer).toContain('[1]');
  // The answer is the excerpts: none is told again below it.
  expect(textOf(result).split(cited?.quote ?? '?')).toHaveLength(2);
  const { contents } = await client.readResource({ uri: cited?.uri ?? '' });
  const [resource] = contents as { text: string; mimeType: string }[];
  const [place] = (result._meta as { 'bookstall/citations': { start: number; end: number }[] })[
    'bookstall/citations'
  ];
  expect(resource?.mimeType).toBe('text/markdown');
  expect(resource?.text.slice(place?.start, place?.end)).toBe(cited?.quote ?? '?');
  const chapter = await client.callTool({
    name: 'read_chapter',
    arguments: { item: 'paid-book', path: '01.md', offset: place?.start ?? 0 },
  });
  expect(textOf(chapter)).toStartWith(cited?.quote ?? '?');
  await client.close();
});

test.each(ERAS)(
  '%s: resources are listed in reading order, and what may not be read is not there',
  async (era) => {
    const client = await connectClient(URL, era, holder.headers);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      'book://archived-book/01.md',
      'book://free-book/01.md',
      'book://free-book/02.md',
      'skill://free-skill/SKILL.md',
      'skill://free-skill/scripts/run.sh',
      'book://paid-book/01.md',
      'skill://paid-skill/SKILL.md',
      'skill://paid-skill/scripts/run.sh',
    ]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'book://{slug}/{+path}',
      'skill://{slug}/{+path}',
      'notes://{slug}',
    ]);
    const picture = await client.readResource({ uri: 'book://free-book/picture.png' });
    expect(picture.contents[0]).toMatchObject({ blob: 'iVBORwD/', mimeType: 'application/octet-stream' });
    const reasons = new Set<string>();
    for (const uri of [
      'book://sampled/02.md',
      'book://draft-book/01.md',
      'book://nowhere/01.md',
      'skill://paid-book/01.md',
    ]) {
      try {
        await client.readResource({ uri });
        throw new Error('it was read');
      } catch (error) {
        expect(error).toMatchObject({ code: -32602 });
        reasons.add((error as Error).message);
      }
    }
    expect(reasons.size).toBe(1);
    await client.close();
  },
);

test('instructions name the books that the caller may read, and fit', async () => {
  const [stranger, reader] = [
    await connectClient(URL, '2025-11-25'),
    await connectClient(URL, '2026-07-28', holder.headers),
  ];
  const [open = '', own = ''] = [stranger.getInstructions(), reader.getInstructions()];
  expect(open).toContain('- free-book: The free book');
  expect(open).not.toContain('paid-book');
  expect(own).toContain('- paid-book: The paid book');
  expect(own.length).toBeLessThanOrEqual(1900);
  await Promise.all([stranger.close(), reader.close()]);
});

test('how_to_install gives the lines of one agent, and of all', async () => {
  const client = await connectClient(URL, '2025-11-25');
  const lines = async (agent?: string) =>
    textOf(
      await client.callTool({
        name: 'how_to_install',
        arguments: { item: 'free-skill', ...(agent === undefined ? {} : { agent }) },
      }),
    );
  const [one, all] = [await lines('codex'), await lines()];
  expect(one).toContain(`install free-skill --url ${stall.url} --agent codex`);
  expect(one).not.toContain('claude plugin');
  expect(all).toContain('claude plugin install free-skill@');
  expect(`${one}${all}`).not.toMatch(/svc_[0-9A-Za-z]{38}|ssh-keygen/);
  signItem(stall.content, 'skills/free-skill', createSigner('ssh-ed25519'));
  await stall.app.publish();
  expect(await lines()).toContain(`curl -fsS ${stall.url}/api/items/free-skill/signature -o s.sig && `);
  await client.close();
});

test('how_to_install says if a grant is missing, and to a holder nothing of it', async () => {
  const holder = await stall.reader('holds@example.org', 'paid-skill');
  const stranger = await stall.reader('lacks@example.org');
  for (const [{ headers }, isHeld] of [
    [holder, true],
    [stranger, false],
  ] as const) {
    const client = await connectClient(URL, '2025-11-25', headers);
    const text = textOf(
      await client.callTool({ name: 'how_to_install', arguments: { item: 'paid-skill', agent: 'codex' } }),
    );
    expect(text.includes('holds no live grant for it')).toBe(!isHeld);
    expect(text).toContain('codex plugin add paid-skill@');
    expect(text.indexOf('connect git')).toBeGreaterThan(0);
    await client.close();
  }
});

test('a key counts as soon as it is there, and ends with its revocation', async () => {
  const reader = await stall.reader('passing@example.org', 'paid-book');
  const client = await connectClient(URL, '2025-11-25', reader.headers);
  const read = () =>
    client.callTool({ name: 'read_chapter', arguments: { item: 'paid-book', path: '01.md' } });
  expect(textOf(await read())).toContain('heron of paid marsh');
  await stall.app.admin.grants.revoke(reader.email, 'paid-book', null);
  expect(textOf(await read())).toStartWith('Cannot read "paid-book"');
  await stall.app.admin.keys.revoke(String(reader.keyId));
  try {
    await read();
    throw new Error('it was answered');
  } catch (error) {
    expect(String(error)).toContain('Cannot answer: the API key is revoked');
  }
});

test('the first read of an item by an account is a download of that day, and no other', async () => {
  const reader = await stall.reader('counted@example.org', 'paid-book');
  const client = await connectClient(URL, '2025-11-25', reader.headers);
  for (const path of ['01.md', '01.md'])
    await client.callTool({ name: 'read_chapter', arguments: { item: 'paid-book', path } });
  await client.readResource({ uri: 'book://paid-book/01.md' });
  await client.readResource({ uri: 'book://free-book/01.md' });
  await client.readResource({ uri: 'skill://free-skill/SKILL.md' });
  const { logs } = stall.app.admin;
  const own = async () =>
    logs.downloads(null, null).filter(({ email, door }) => email === reader.email && door === 'mcp');
  await until(async () => (await own()).length >= 3);
  expect((await own()).map(({ slug }) => slug).toSorted()).toEqual(['free-book', 'free-skill', 'paid-book']);
  const { files } = stall.app.stall.catalog().bySlug.get('free-skill')!;
  expect((await own()).find(({ slug }) => slug === 'free-skill')?.bytes).toBe(
    files.find(({ path }) => path === 'SKILL.md')!.size,
  );
  await client.close();
});

test.each(ERAS)(
  '%s: what a reader marked is read with their key alone, by tool and as a resource',
  async (era) => {
    const reader = await stall.reader(`notes-${era}@example.org`, 'paid-book');
    const marked = await stall.fetch('/api/books/paid-id/notes', {
      method: 'POST',
      headers: { ...reader.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ path: '01.md', start: 2, end: 11, text: 'Why one leg?' }),
    });
    expect(marked.status).toBe(201);
    const client = await connectClient(URL, era, reader.headers);
    const ask = async (given: object) =>
      textOf(await client.callTool({ name: 'my_notes', arguments: { ...given } }));
    const whole = await ask({});
    expect(whole).toMatch(/^# The paid book: notes\n\n## The heron\n\n> The heron\n\n- Why one leg\?\n\n\[/);
    expect(whole).toEndWith('[This is the end]');
    expect(await ask({ slug: 'paid-book' })).toBe(whole);
    expect(await ask({ query: 'ONE leg' })).toBe(whole);
    expect(await ask({ query: 'two legs' })).toStartWith('No notes.');
    expect(await ask({ slug: 'archived-book' })).toStartWith('Cannot find');
    expect(await ask({ after: crypto.randomUUID() })).toStartWith('Cannot go on after this note');
    const { contents } = await client.readResource({ uri: 'notes://paid-book' });
    expect(contents[0]).toMatchObject({ mimeType: 'text/markdown', uri: 'notes://paid-book' });
    expect(whole).toStartWith((contents[0] as { text: string }).text);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain('notes://{slug}');
    await client.close();
    const { admin } = stall.app;
    const create = async (reads: boolean) =>
      (await admin.tokens.create(reader.email, { name: 'x', slugs: [], reads, term: 'never' })).token;
    const [taking, reading] = [await create(false), await create(true)];
    // A client that takes and does not read opens no connection.
    await expect(connectClient(`${stall.url}/i/${taking}/mcp`, era)).rejects.toThrow();
    await expect(connectClient(URL, era, { Authorization: `Bearer ${taking}` })).rejects.toThrow();
    for (const [url, token] of [
      [`${stall.url}/i/${reading}/mcp`, null],
      [URL, reading],
    ] as const) {
      const stranger = await connectClient(
        url,
        era,
        token === null ? {} : { Authorization: `Bearer ${token}` },
      );
      const refused = await stranger.callTool({ name: 'my_notes', arguments: {} });
      expect([refused.isError, textOf(refused)]).toEqual([
        true,
        expect.stringContaining('without an API key'),
      ]);
      const uri = 'notes://paid-book';
      await expect(stranger.readResource({ uri })).rejects.toThrow('without an API key');
      await stranger.close();
    }
  },
);

test('the content of each tool fits its schema, and a refusal has none', async () => {
  const client = await connectClient(URL, '2025-11-25', holder.headers);
  const question = 'Why does the heron stand on one leg?';
  const given: Readonly<Record<keyof typeof TOOL_SHAPES, readonly [good: object, bad: object]>> = {
    search_library: [{ query: 'heron', unknown: 1 }, { kind: 'song' }],
    search_texts: [
      { query: 'heron', limit: null },
      { query: 'heron', items: 'free-book' },
    ],
    read_chapter: [{ item: 'free-book', path: null }, { item: 'nowhere' }],
    ask_book: [{ book: 'paid-book', question }, { item: 'paid-book' }],
    my_notes: [{}, { after: 7 }],
    how_to_install: [{ slug: 'paid-skill' }, {}],
  };
  const { tools } = await client.listTools();
  for (const [name, [good, bad]] of Object.entries(given)) {
    const { input, output } = TOOL_SHAPES[name as keyof typeof TOOL_SHAPES] as Record<string, TSchema>;
    const listed = tools.find((one) => one.name === name);
    expect({ ...listed?.inputSchema }).toEqual(JSON.parse(JSON.stringify(input)));
    const result = await client.callTool({ name, arguments: { ...good } });
    expect([name, result.isError, textOf(result)]).toEqual([name, undefined, expect.any(String)]);
    if (output === undefined) expect([name, result.structuredContent]).toEqual([name, undefined]);
    else expect([name, ...differences(output, result.structuredContent)]).toEqual([name]);
    const refused = await client.callTool({ name, arguments: { ...bad } });
    expect([name, refused.isError, refused.structuredContent]).toEqual([name, true, undefined]);
    expect(textOf(refused)).toStartWith('Cannot ');
  }
  await client.close();
});
