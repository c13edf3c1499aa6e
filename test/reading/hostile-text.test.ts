import { expect, test } from 'bun:test';
import { openStall, SHELF } from '../helpers/harness.ts';
import { LONGEST_RUN, longestRunNormalized } from '../helpers/normalized.ts';
import { messageOf, post } from '../agents/mcp/raw-message.ts';

const stall = await openStall({ files: SHELF });
const { headers } = await stall.reader('reader@example.org', 'paid-book');

/** Marks of two classes, which normalizing sorts in quadratic time unless their runs are cut. */
const marks = (count: number): string => `a${'\u0301'.repeat(count / 2)}${'\u0323'.repeat(count / 2)}`;
const form = (path: string, fields: string) =>
  stall.fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: stall.url },
    body: fields,
    redirect: 'manual',
  });
const ask = (query: string) =>
  stall.fetch('/api/agent/fetch', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ book_id: 'free-id', query }),
  });
const search = (query: string) =>
  post(
    `${stall.url}/mcp`,
    messageOf('2025-11-25', 'tools/call', { name: 'search_library', arguments: { query } }),
  );
const long = 'x'.repeat(300);

/** The answers by their status. Of what else takes long, test/regular-expressions.test.ts knows. */
test.each([
  ['a search of an agent', 200, () => search(marks(120_000))],
  ['a search in the window', 200, () => stall.fetch(`/?q=${encodeURIComponent(marks(1_200))}`)],
  ['a password', 401, () => form('/sign-in', `email=a@example.org&password=${marks(30_000)}`)],
  ['the address of an account', 401, () => form('/sign-in', `email=${marks(30_000)}@b&password=${long}`)],
  ['an address without ASCII', 401, () => form('/sign-in', `email=a@${marks(30_000)}&password=${long}`)],
  ['a page to go on to', 401, () => form('/sign-in', `next=//${marks(30_000)}&email=a@b&password=${long}`)],
  ['a page to go back to', 303, () => form('/look', `size=small&back=//${marks(30_000)}`)],
  ['a question of marks', 200, () => ask(marks(7_998))],
  ['a question of halfwidth marks', 200, () => ask(`a${'\u0301\uff9e'.repeat(3_999)}`)],
  ['a question with white space before its end', 200, () => ask(`heronとは何${' '.repeat(3_200)}\nx`)],
  ['a question with white space in it', 200, () => ask(`what is heron${' '.repeat(7_900)}c`)],
])('%s that is hostile is answered %d, and no long run of marks is normalized', async (_, status, send) => {
  let answer: Response | null = null;
  const longest = await longestRunNormalized(async () => {
    answer = await send();
    await answer.text();
  });
  expect(answer).toMatchObject({ status });
  expect(longest).toBeLessThanOrEqual(LONGEST_RUN);
});
