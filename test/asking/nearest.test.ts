import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { connectClient, textOf } from '../agents/mcp/mcp-client.ts';
import { run } from '../binary/program.ts';
import { itemYaml, openStall } from '../helpers/harness.ts';

const SENTENCE = 'The grey heron waits in cold water until a frog comes near.';
const files = {
  'books/herons/item.yaml': itemYaml({ id: 'herons', title: 'Herons', language: 'en' }),
  'books/herons/one.md': `# Birds\n\n## Waiting\n\n${SENTENCE}\n\n## Nests\n\nNests hang in tall trees.\n\n## Moulting\n\nOld feathers fall in late June.\n\n${['Spring', 'Summer', 'Autumn', 'Winter'].map((season) => `## ${season}\n\nHerons fly near the river.\n`).join('\n')}`,
};
/** Only "cold" and "water" are in the book. */
const NEAR =
  'Which gearbox does a lorry of the Bavarian army need, if its diesel pump freezes in cold water?';
/** "Moulting" is only in a heading, "tall" in another section. */
const HEADED = 'Is a lorry moulting if its diesel is tall?';
/** Four sections have "near the river". */
const ANYWHERE =
  'Which gearbox does a lorry of the Bavarian army need, if its diesel pump leaks near the river?';
const FAR = 'Which gearbox does a lorry of the Bavarian army need, if its diesel pump freezes at sea?';

const stall = await openStall({ files });
const { key, headers } = await stall.reader('ann@example.org', 'herons');
const session = await stall.signIn('ann@example.org');

async function doneOf(query: string) {
  const body = JSON.stringify({ book_id: 'herons', query });
  const sent = { ...headers, 'Content-Type': 'application/json' };
  const answer = await stall.fetch('/api/agent/fetch', { method: 'POST', headers: sent, body });
  const [, done = ''] = /event: done\ndata: (.*)/.exec(await answer.text()) ?? [];
  return JSON.parse(done) as Record<string, unknown>;
}

async function pageOf(question: string): Promise<string> {
  const form = await (await stall.fetch('/books/herons/ask', { headers: session })).text();
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(form) ?? [];
  const answer = await stall.fetch('/books/herons/ask', {
    method: 'POST',
    headers: { ...session, Origin: stall.url, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ question, token }).toString(),
  });
  return await answer.text();
}

async function toolOf(question: string) {
  const client = await connectClient(`${stall.url}/mcp`, '2025-11-25', headers);
  const result = await client.callTool({ name: 'ask_book', arguments: { item: 'herons', question } });
  await client.close();
  const { citations, nearest } = result.structuredContent as Record<string, unknown>;
  return { text: textOf(result), citations, nearest };
}

const commandOf = (question: string) =>
  run(['ask', 'herons', question], {
    env: { HOME: '/nowhere', BOOKSTALL_URL: stall.url, BOOKSTALL_KEY: key },
    program: [process.execPath, join(import.meta.dir, '../../src/reader.ts')],
  });

describe('a refused question that the book touches shows the nearest excerpt, unmarked', () => {
  test('in events', async () => {
    const { outcome, citations, nearest, near } = await doneOf(NEAR);
    expect({ outcome, citations, near }).toEqual({ outcome: 'not_covered', citations: [], near: undefined });
    expect(nearest).toMatchObject({ n: 1, at: [], path: 'one.md', quote: SENTENCE, marked: [] });
    const { start, end, url } = nearest as Record<'start' | 'end', number> & { readonly url: string };
    expect(files['books/herons/one.md'].slice(start, end)).toBe(SENTENCE);
    expect(url).toStartWith(`${stall.url}/books/herons/read/one.md`);
  });

  test('on the page', async () => {
    const page = await pageOf(NEAR);
    const [, section = ''] = page.split('The nearest place is:');
    const [excerpt = ''] = section.split('</figure>');
    expect(page).toContain('The book does not seem to cover this.');
    expect(excerpt).toContain(SENTENCE);
    expect(excerpt).not.toContain('<mark');
    expect(excerpt).toContain('Birds › Waiting</a>');
  });

  test('over MCP', async () => {
    const { text, citations, nearest } = await toolOf(NEAR);
    expect(citations).toEqual([]);
    expect(nearest).toMatchObject({ quote: SENTENCE, heading: 'Birds › Waiting' });
    expect(text).toContain(`The nearest place is:\n“${SENTENCE}” (Birds › Waiting; `);
  });

  test('in the command', async () => {
    const { code, out } = await commandOf(NEAR);
    expect(code).toBe(0);
    expect(out).toContain(`\nThe nearest place is:\n[1] one.md, Birds › Waiting\n    “${SENTENCE}”\n`);
  });
});

test('a refused question that a heading names best shows what it is over', async () => {
  const { nearest } = await doneOf(HEADED);
  expect(nearest).toMatchObject({ heading: 'Birds › Moulting', quote: 'Old feathers fall in late June.' });
});

test.each([
  ['about another subject', FAR],
  ['whose words are in several places alike', ANYWHERE],
])('a refused question %s shows no excerpt', async (_, question) => {
  const { outcome, nearest } = await doneOf(question);
  expect({ outcome, nearest }).toEqual({ outcome: 'not_covered', nearest: undefined });
  expect(await pageOf(question)).not.toContain('The nearest place is:');
  expect((await toolOf(question)).text).not.toContain('nearest place');
});
