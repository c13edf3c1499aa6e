import { expect, test } from 'bun:test';
import { type } from '../../platform/cli/type.ts';
import { openStall, temporaryDirectory } from '../../helpers/harness.ts';

const stall = await openStall();
const reader = await stall.reader('ann@example.org', 'paid-book');
const environment = { BOOKSTALL_URL: stall.url, BOOKSTALL_HOME: temporaryDirectory() };
const say = (...typed: string[]) => type(typed, { ...environment, BOOKSTALL_KEY: reader.key });

async function mark(id: string, text: string | null): Promise<void> {
  const headers = { ...reader.headers, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ path: '01.md', start: 2, end: 11, text });
  const made = await stall.fetch(`/api/books/${id}/notes`, { method: 'POST', headers, body });
  expect(made.status).toBe(201);
}

test('a reader’s notes are listed on a terminal, as Markdown and as JSON, of one book or all', async () => {
  const none = await say('notes');
  expect([none.code, none.out + none.err]).toEqual([0, expect.stringContaining('No notes yet.')]);
  await mark('paid-id', 'Why one leg?\u001b[31m');
  await mark('free-id', null);
  const listed = await say('notes', 'paid-book');
  expect(listed.code).toBe(0);
  expect(listed.out).toMatch(/01\.md\s+here\s+The heron\s+Why one leg\?/);
  expect(listed.out).not.toContain('\u001b');
  const markdown = await say('notes', '--markdown');
  expect(markdown.out).toContain('# The free book: notes\n\n## The heron\n\n> The heron\n\n[');
  expect(markdown.out).toContain('# The paid book: notes');
  expect(markdown.out).not.toContain('\u001b');
  expect((await say('notes', '--csv')).out).toContain('The heron');
  const json = JSON.parse((await say('notes', '--json')).out) as { exact: string; book: string }[];
  expect(json.map(({ exact, book }) => [book, exact])).toEqual([
    ['free-book', 'The heron'],
    ['paid-book', 'The heron'],
  ]);
});

test('notes of several pages are gathered, and a stall that goes on without notes is refused', async () => {
  const pages: Readonly<Record<string, unknown>> = {
    '/api/notes': { notes: [{ exact: 'one' }], next: 'n1' },
    '/api/notes?after=n1': { notes: [{ exact: 'two' }], next: null },
  };
  let isHostile = false;
  using server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ url }): Response =>
      Response.json(isHostile ? { notes: [], next: 'n1' } : pages[url.slice(url.indexOf('/api/'))]),
  });
  const ask = () =>
    type(['notes', '--json'], {
      ...environment,
      BOOKSTALL_URL: server.url.origin,
      BOOKSTALL_KEY: reader.key,
    });
  expect(JSON.parse((await ask()).out)).toEqual([{ exact: 'one' }, { exact: 'two' }]);
  isHostile = true;
  expect((await ask()).err).toContain('Cannot read the notes of');
});

test('without a key, of an unknown book or of a skill, the command says what to do', async () => {
  const nobody = await type(['notes'], environment);
  expect([nobody.code, nobody.err]).toEqual([4, expect.stringContaining('bookstall login')]);
  expect((await say('notes', 'no-such-book')).err).toContain('Cannot find the book "no-such-book"');
  expect((await say('notes', 'paid-skill')).err).toContain('paid-skill');
});
