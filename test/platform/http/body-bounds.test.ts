import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { LONGEST_FORM } from '../../../src/platform/http/body.ts';
import { LONGEST_EXACT } from '../../../src/reading/anchor.rule.ts';
import { LONGEST_NOTE } from '../../../src/reading/note.ts';
import { LONGEST_REASON } from '../../../src/selling/money-back.ts';
import { LONGEST_CODE_NOTE } from '../../../src/selling/code.ts';
import { LONGEST_PASSWORD } from '../../../src/accounts/password.rule.ts';
import { LONGEST_KEY_NAME } from '../../../src/accounts/key.rule.ts';
import { openSellingStall } from '../../selling/selling-stall.ts';
import { signStripe } from '../../selling/signed.ts';
import { completed } from '../../selling/providers/stripe-events.ts';
import { visitAs, wordsOf } from '../../office/visit.ts';

const stall = await openSellingStall();
const reader = await stall.reader('reader@example.org', 'paid-book');
const asks = () => stall.app.admin.logs.fetches(null, null).length;

const list = (count: number): string => `[${'1,'.repeat(count - 1)}1]`;
const keys = (count: number): string => `{${Array.from({ length: count }, (_, n) => `"${n}":1`).join(',')}}`;
const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

/** Puts a value into a request whose other values are so many, one level deep. */
type Wrap = { readonly path: string; readonly own: number; readonly wrap: (value: string) => string };

const QUESTION: Wrap = {
  path: '/api/agent/fetch',
  own: 3,
  wrap: (value) => `{"book_id":"paid-id","query":"heron","more":${value}}`,
};
const MESSAGE: Wrap = {
  path: '/mcp',
  own: 5,
  wrap: (value) => `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":${value}}}`,
};

const send = (path: string, body: string) =>
  stall.fetch(path, {
    method: 'POST',
    headers: {
      ...reader.headers,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body,
  });

test.each<[string, Wrap, string, number]>([
  ['a question with a list up to the bound', QUESTION, list(2000 - QUESTION.own), 200],
  ['a question with one value more', QUESTION, list(2001 - QUESTION.own), 400],
  ['a question with 31 lists in each other', QUESTION, nested(31), 200],
  ['a question with 32', QUESTION, nested(32), 400],
  ['a question with commas and brackets in a text', QUESTION, `"${'[,\\"{'.repeat(9000)}"`, 200],
  ['a question with a text that ends in a backslash', QUESTION, `["\\\\",${list(2000)}]`, 400],
  ['a message with keys up to the bound', MESSAGE, keys(2000 - MESSAGE.own), 200],
  ['a message with one key more', MESSAGE, keys(2001 - MESSAGE.own), 400],
  ['a message that is no JSON', MESSAGE, '['.repeat(250_000), 400],
])('%s', async (_, { path, wrap }, value, status) => {
  const before = asks();
  const answer = await send(path, wrap(value));
  expect(answer.status).toBe(status);
  const text = await answer.text();
  if (status === 400) expect(text).toContain('more than 2,000 values, or nests them more than 32 deep');
  expect(asks() - before).toBe(path === QUESTION.path && status === 200 ? 1 : 0);
});

test.each([
  ['200 fields', 200, 303],
  ['201 fields', 201, 400],
])('a form of %s', async (_, count, status) => {
  const session = await stall.signIn('reader@example.org');
  const answer = await stall.fetch('/look', {
    method: 'POST',
    redirect: 'manual',
    headers: {
      ...session,
      'Content-Type': 'application/x-www-form-urlencoded',
      'Sec-Fetch-Site': 'same-origin',
      'Accept-Language': 'de',
    },
    body: `size=large&back=%2F${'&a'.repeat(count - 2)}`,
  });
  expect(answer.status).toBe(status);
  expect(answer.headers.has('set-cookie')).toBe(status === 303);
});

const database = new Database(join(stall.data, 'bookstall.db'), { readonly: true });
const eventsOf = () => database.query('SELECT state, reason FROM sale_events ORDER BY id').values();

const told = (name: string, more: string): string => {
  const event = JSON.stringify(completed(name, 0));
  return `${event.slice(0, -1)},"more":${more}}`;
};
const FAILED = 'it holds more than 20,000 values, or nests them more than 32 deep';

test.each([
  ['19,000 values', list(19_000), 'folded', null],
  ['21,000 values', list(21_000), 'failed', FAILED],
  ['100,000 lists in each other', nested(100_000), 'failed', FAILED],
])('a signed event with %s is answered 200, and kept', async (name, more, state, reason) => {
  const before = eventsOf().length;
  const signed = signStripe(told(name.replaceAll(/\W/g, ''), more), Date.now());
  expect((await stall.deliver('stripe', signed)).status).toBe(200);
  expect(eventsOf().slice(before)).toEqual([[state, reason]]);
});

test('the owner sees how many events could not be read, also after they were tried again', async () => {
  await stall.app.admin.accounts.add('owner@example.org', true);
  const { open } = visitAs(stall, await stall.signIn('owner@example.org'));
  expect(await stall.app.admin.replays.failed()).toBe(0);
  const { html } = await open('/admin');
  expect(wordsOf(html)).toContain('2 events of payment providers could not be folded into orders');
});

test('an event that nobody signed is refused, whatever it holds, and not kept', async () => {
  const before = eventsOf().length;
  const signed = signStripe(told('unsigned', nested(100_000)), Date.now(), 'whsec_of_another_stall');
  expect((await stall.deliver('stripe', signed)).status).toBe(401);
  expect(eventsOf()).toHaveLength(before);
});

/** The bounds of what readers and the office type, in characters, with what else a form of it may hold. */
test.each(
  Object.entries({
    'a note with the words that it marks': LONGEST_NOTE + LONGEST_EXACT,
    'an answer to a report': LONGEST_NOTE,
    'why money is asked back': LONGEST_REASON,
    'a note of codes': LONGEST_CODE_NOTE,
    'a password, typed three times': 3 * LONGEST_PASSWORD,
    'the name of a key': LONGEST_KEY_NAME,
  }),
)('%s fits a form in Chinese', (_, most) => {
  const others = 'x'.repeat(4_000);
  expect(new URLSearchParams({ text: '鷺'.repeat(most), others }).toString().length).toBeLessThan(
    LONGEST_FORM,
  );
});
