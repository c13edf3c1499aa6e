import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildIndex, type Chapter } from '../../../src/asking/search/build.sql.ts';
import { openIndex } from '../../../src/asking/search/query.ts';

const CHAPTERS: readonly Chapter[] = [
  {
    path: 'fox.md',
    title: null,
    content: '# The fox\n\nThe fox sleeps in a den.',
  },
  {
    path: 'sign-in.md',
    title: null,
    content: '# Doors\n\nNobody can sign in without a password.\n\nThe kernel writes a log in a folder.',
  },
  {
    path: 'logs.md',
    title: null,
    content:
      '# Logs\n\nA line of a log is a request. The log is written at once; read the log, and sign the log.',
  },
  { path: 'office.md', title: null, content: '# Bureaux\n\nThe bureau opens at dawn.' },
];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'aliases-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function best(
  question: string,
  aliases: Readonly<Record<string, readonly string[]>> = {},
): string | undefined {
  const file = join(folder, crypto.randomUUID());
  buildIndex(file, { language: 'en', aliases, chapters: CHAPTERS });
  const index = openIndex(file);
  const { passages } = index.search(question, 1);
  index.close();
  return passages[0]?.path;
}

test("a publisher's alias finds the words of the book, in all their forms", () => {
  expect(best('Which scriptoria?')).toBeUndefined();
  expect(best('Which scriptoria?', { scriptoria: ['bureau'] })).toBe('office.md');
  expect(best('Which bureaucrat?', { bureaucrats: ['bureaus'] })).toBe('office.md');
});

test.each([
  ['de', 'Welche Behörden?', { behörde: ['Amt'] }, 'Das Amt ist leer.'],
  ['hi', 'दुकान?', { दुकान: ['बाज़ार', 'लड़का'] }, 'एक लड़के की बात।'],
])('a publisher’s alias finds the words of a book in %s', (language, question, aliases, content) => {
  const file = join(folder, crypto.randomUUID());
  buildIndex(file, { language, aliases, chapters: [{ path: 'a.md', title: null, content }] });
  const index = openIndex(file);
  expect(index.search(question, 1).passages).toHaveLength(1);
  index.close();
});

test('an alias does not stand in for the words of the question', () => {
  expect(best('fox den', { fox: ['bureau'] })).toBe('fox.md');
});

test('a phrase finds another that means the same, and not its verb alone', () => {
  for (const phrase of ['log in', 'logged in', 'logging into', 'login', 'Log on'])
    expect([phrase, best(`Who can ${phrase}?`)]).toEqual([phrase, 'sign-in.md']);
  expect(best('Which log?')).toBe('logs.md');
});

test('the word "long" is not searched for in "how long"', () => {
  expect(best('How long?')).toBeUndefined();
});

test("a publisher's alias of a phrase's word finds the words of the book", () => {
  expect(best('How do I log off?')).toBeUndefined();
  expect(best('How do I log off?', { logout: ['bureau'] })).toBe('office.md');
});
