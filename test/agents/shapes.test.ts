import { beforeAll, expect, test } from 'bun:test';
import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { TSchema } from '@sinclair/typebox';
import { OPENAPI } from '../../src/agents/openapi.ts';
import { CODES } from '../../src/platform/http/failure.ts';
import type { SentEvent } from '../../src/installing/client/answer-stream.ts';
import { BODIES, EVENTS } from '../../src/agents/shapes.ts';
import { itemYaml, openStall, SHELF, writeFiles } from '../helpers/harness.ts';
import { createSigner, signItem } from '../catalog/signing.ts';
import { answerDifferences, operationOf } from '../platform/http/shapes.ts';

const stall = await openStall({
  files: {
    ...SHELF,
    'books/free-book/cover.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0xff]),
    'skills/old-skill/item.yaml': itemYaml({ unitAmountCents: 900 }),
    'skills/old-skill/SKILL.md': '---\nname: old-skill\ndescription: Old.\n---\nDo it.\n',
  },
});
const { headers, email } = await stall.reader(
  'reader@example.org',
  'free-book',
  'archived-book',
  'old-skill',
);

beforeAll(async () => {
  const { grants, codes } = stall.app.admin;
  await grants.add({ email, slug: 'paid-book', until: '2999-01-01T00:00:00Z' });
  await send('POST /api/books/free-id/notes', { path: '01.md', start: 2, end: 11 });
  await send('POST /api/books/paid-id/notes', { path: '01.md', start: 2, end: 11, text: 'one leg' });
  renameSync(join(stall.content, 'skills/old-skill'), join(stall.content, 'skills/new-skill'));
  writeFiles(stall.content, {
    'skills/new-skill/item.yaml': itemYaml({ unitAmountCents: 900, formerly: 'old-skill', version: '2.0' }),
    'skills/new-skill/SKILL.md': '---\nname: new-skill\ndescription: New.\n---\nDo it.\n',
  });
  signItem(stall.content, 'skills/new-skill', createSigner('ssh-ed25519'));
  await stall.app.publish();
  const wanted = { slug: 'paid-skill', bundles: [], count: 1, uses: 1, until: null, note: '', orderId: null };
  [code = ''] = (await codes.create(wanted)).codes;
});
let code = '';

async function send(request: string, body?: object, more: Readonly<Record<string, string>> = headers) {
  const [method = '', path = ''] = request.split(' ');
  const answer = await stall.fetch(path, {
    method,
    headers: { ...more, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, type: answer.headers.get('content-type'), body: await answer.text() };
}

/** The fields of an ending that `bookstall ask` leaves out. The type checker names a field that is in neither. */
type Shown = Extract<SentEvent, { type: 'done' }>;
const NOT_SHOWN: Readonly<Record<Exclude<keyof typeof EVENTS.done.properties, keyof Shown>, true>> = {
  inputTokens: true,
  outputTokens: true,
  latencyMs: true,
  engine: true,
  model: true,
};

test('bookstall ask shows each other field of an ending', () => {
  const source = readFileSync(join(import.meta.dir, '../../src/installing/client/ask.cli.ts'), 'utf8');
  const fields = Object.keys(EVENTS.done.properties).filter((field) => !Object.hasOwn(NOT_SHOWN, field));
  expect(fields.filter((field) => !source.includes(`event.${field}`))).toEqual([]);
});

/** Answers with all fields that their routes ever give: the pattern finds those that others lack. */
test.each([
  ['GET /api/items', '/api/items', /"formerly":\["old-skill"\]/],
  ['GET /api/items', '/api/items?limit=1', /"next":"free-book"/],
  ['GET /api/items/:slug/editions', '/api/items/new-skill/editions', /"signer":\{.*"state":"kept"/],
  ['GET /api/cli/library', '/api/cli/library', /"slug":"new-skill".*"id":"paid-id"/],
  ['GET /api/holdings', '/api/holdings', /"formerly":\["old-skill"\].*"archived".*"until":"2999/],
  ['GET /api/books/:id/files', '/api/books/free-id/files', /"content":.*"encoding":"base64"/],
  ['GET /api/books/:id/files', '/api/books/free-id/files?content=false', /^(?!.*"content").*"sha256"/],
  ['GET /api/notes', '/api/notes', /"text":null.*"text":"one leg"/],
  ['GET /api/notes', '/api/notes?format=csv', /^Highlight/],
  ['GET /api/books/:id/notes', '/api/books/paid-id/notes', /"state":"here"/],
  ['GET /api/books/:id/notes', '/api/books/paid-id/notes?format=markdown', /^# /],
])('the answer of %s fits what /openapi.json says of it: %s', async (route, path, pattern) => {
  const answer = await send(`GET ${path}`);
  expect([answer.status, answer.body]).toEqual([200, expect.stringMatching(pattern)]);
  expect(answerDifferences(route, answer)).toEqual([]);
});

test('the answer of a code, and events with citations, fit', async () => {
  const opened = await send('POST /api/redeem', { code });
  expect(opened.body).toBe('{"items":["paid-skill"]}\n');
  expect(answerDifferences('POST /api/redeem', opened)).toEqual([]);
  const question = { book_id: 'free-id', query: 'Why does the heron stand on one leg?' };
  const answer = await send('POST /api/agent/fetch', question);
  expect(answer.body).toMatch(/event: done\ndata: .*"marked":.*"url":/);
  expect(answerDifferences('POST /api/agent/fetch', answer)).toEqual([]);
});

/** Texts that a query of this shape takes, and one that it does not. */
function examplesOf({ type, enum: allowed, minimum, maximum }: TSchema) {
  if (type === 'boolean') return { good: ['true', 'false'], bad: ['maybe'] };
  if (type === 'integer')
    return { good: [minimum, maximum].map(String), bad: [minimum - 1, maximum + 1, 1.5].map(String) };
  return allowed === undefined ? null : { good: allowed as string[], bad: ['none'] };
}

const queries = Object.entries(OPENAPI.paths).flatMap(([path, { get }]) =>
  (get?.parameters ?? []).flatMap(({ name, in: place, schema }) => {
    const examples = place === 'query' ? examplesOf(schema as TSchema) : null;
    const others = get!.parameters.filter((one) => one.in === 'query' && one.required && one.name !== name);
    const target = path.replace('{id}', 'free-id').replace('{slug}', 'new-skill');
    const asked = `${target}?${others.map((one) => `${one.name}=heron&`).join('')}`;
    return examples === null ? [] : [[asked, name, examples] as const];
  }),
);

test.each(queries)('%s takes as %s exactly what is said of it', async (target, name, { good, bad }) => {
  for (const [values, status] of [
    [good, 200],
    [bad, 400],
  ] as const)
    for (const value of values)
      expect([value, (await send(`GET ${target}${name}=${value}`)).status]).toEqual([value, status]);
});

const QUESTION = { book_id: 'free-id', query: 'Why?' };
const NOTE = { path: '01.md', start: 2, end: 11 };
const CHANGED = '/api/books/free-id/notes/none';

test.each([
  [
    'POST /api/agent/fetch',
    { query: 'x' },
    'Cannot ask: "book_id" must be text that is not blank; it is the book’s id',
  ],
  [
    'POST /api/agent/fetch',
    { ...QUESTION, book_id: '' },
    'Cannot ask: "book_id" must be text that is not blank; it is the book’s id',
  ],
  [
    'POST /api/agent/fetch',
    { ...QUESTION, query: null },
    'Cannot ask: "query" must be text of 1 to 8000 characters',
  ],
  [
    'POST /api/agent/fetch',
    { ...QUESTION, query: ' \u3000' },
    'Cannot ask: "query" must be text of 1 to 8000 characters',
  ],
  [
    'POST /api/agent/fetch',
    { ...QUESTION, query: '😀'.repeat(8001) },
    'Cannot ask: "query" must be text of 1 to 8000 characters',
  ],
  [
    'POST /api/books/free-id/notes',
    { ...NOTE, path: 7 },
    'Cannot keep these words: "path" must be text; it is the path of one of the book’s texts',
  ],
  [
    'POST /api/books/free-id/notes',
    { ...NOTE, start: '2' },
    'Cannot keep these words: "start" must be a whole number from 0; it is the offset of the first character, in UTF-16 units',
  ],
  [
    'POST /api/books/free-id/notes',
    { ...NOTE, end: 1.5 },
    'Cannot keep these words: "end" must be a whole number from 0; it is the offset behind the last character, in UTF-16 units',
  ],
  [
    'POST /api/books/free-id/notes',
    { ...NOTE, text: 7 },
    'Cannot keep these words: "text" must be text or null',
  ],
  [
    `PATCH ${CHANGED}`,
    {},
    'Cannot change a note: "text" must be text or null; it is the words of the note, up to 4000 characters; null for none',
  ],
  [
    'POST /api/redeem',
    { code: ['x'] },
    'Cannot redeem a code: "code" must be text; it is a code of this stall, svg_…',
  ],
  ['POST /api/redeem', [], 'Cannot redeem a code: "code" must be text; it is a code of this stall, svg_…'],
] as [string, object, string][])(
  '%s with %j names the field, and what it takes',
  async (request, body, error) => {
    const answer = await send(request, body);
    expect([answer.status, JSON.parse(answer.body)]).toEqual([400, { error, code: 'INVALID_REQUEST' }]);
  },
);

test('a question of 8,000 emoji, fields of other names, and names of prototypes change nothing', async () => {
  const long = await send('POST /api/agent/fetch', { ...QUESTION, query: '😀'.repeat(8000), more: 1 });
  expect(long.status).toBe(200);
  const inherited = JSON.parse('{"__proto__":{"book_id":"free-id"},"query":"Why?"}') as object;
  expect((await send('POST /api/agent/fetch', inherited)).status).toBe(400);
});

test('every body of the API has its shape in the document', () => {
  const bodies = Object.values(OPENAPI.paths).flatMap((operations) =>
    Object.values(operations).flatMap(({ requestBody }) => requestBody?.content ?? []),
  );
  expect(bodies.filter((content) => 'application/json' in content)).toHaveLength(Object.keys(BODIES).length);
  expect(operationOf('POST /api/agent/fetch')?.requestBody?.content['application/json']).toEqual({
    schema: BODIES.question,
  });
});

/** The fields of a shape, as api.md of the skill lists them: `{items:[{slug,formerly?}],next}`. */
function fieldsOf({ properties, required = [], items, anyOf }: TSchema): string {
  if (anyOf !== undefined) return fieldsOf(anyOf[0]);
  if (items !== undefined) return fieldsOf(items).replace(/.+/, '[$&]');
  const fields = Object.entries<TSchema>(properties ?? {}).map(
    ([name, shape]) => `${name}${required.includes(name) ? '' : '?'}${fieldsOf(shape).replace(/.+/, ':$&')}`,
  );
  return properties === undefined ? '' : `{${fields.join(',')}}`;
}

const SKILL = readFileSync(
  join(import.meta.dir, '../../content/skills/use-a-bookstall/references/api.md'),
  'utf8',
);

test.each(
  Array.from(SKILL.matchAll(/^((?:GET|POST) \/\S+|chunk|done|error) (\{.*\})$/gm), ([, ...line]) => line),
)('the skill says of %s what its shape says: %s', (name = '', fields) => {
  const route = operationOf(name.replaceAll(/<(\w+)>/g, ':$1'))?.responses[200]?.content;
  const shape = route?.['application/json']?.schema ?? EVENTS[name as keyof typeof EVENTS];
  expect(fields).toBe(fieldsOf(shape));
});

test('the skill names every code of a refusal', () => {
  expect(CODES.filter((code) => !SKILL.includes(`\`${code}\``))).toEqual([]);
});
