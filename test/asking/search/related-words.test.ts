import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeRelatedWords } from '../../../.ci/related-words.ts';
import { buildIndex } from '../../../src/asking/search/build.sql.ts';
import { openIndex } from '../../../src/asking/search/query.ts';

const BREAD = `# Bread

## Mould

Keep the loaf dry, and no mould grows on it. A loaf in a bag turns green within days.

## Water

The temperature of the water decides how soon the dough rises.

## Flour

Rye flour is gray and drinks more than wheat.

## Paris

The bakers of Paris slash their loaves with a razor.
`;

let folder: string;
beforeAll(() => {
  makeRelatedWords(join(import.meta.dir, '../../..'));
  folder = mkdtempSync(join(tmpdir(), 'related-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function ask(question: string, { language = 'en', content = BREAD } = {}) {
  const file = join(folder, crypto.randomUUID());
  buildIndex(file, { language, chapters: [{ path: 'bread.md', title: null, content }] });
  const index = openIndex(file);
  const { quotes, passages } = index.search(question, 8);
  const found = index.find(question, 8);
  index.close();
  return { headings: passages.map(({ heading }) => heading.split(' › ').at(-1)), quotes, found };
}

describe('a question in other words than the book’s', () => {
  test.each([
    ['Why is it mouldy?', 'Mould'],
    ['Why is it moldy?', 'Mould'],
    ['How warm should it be?', 'Water'],
    ['Which cereal is grey?', 'Flour'],
  ])('%p finds the section %s', (question, heading) => {
    expect(ask(question).headings[0]).toBe(heading);
  });

  test('shows the book’s own text, without a mark for a word that is not in the question', () => {
    const [quote] = ask('How warm should it be?').quotes;
    expect(quote).toMatchObject({
      text: 'The temperature of the water decides how soon the dough rises.',
      marked: [],
    });
  });

  test('marks a sentence that has a word of the question itself', () => {
    const { quotes } = ask('How warm is the water?');
    expect(quotes[0]!.marked).toHaveLength(1);
  });

  test('prefers the section with the word itself', () => {
    const content = `${BREAD}\n## Rooms\n\nA warm room is good for yeast.\n`;
    expect(ask('How warm should it be?', { content }).headings[0]).toBe('Rooms');
  });
});

test.each([
  ['a name', 'Is it from Rye?', { content: '# Corn\n\nEvery cereal and grass grows here.' }],
  ['a search for words', 'warm', {}],
  ['a book in another language', 'warm', { language: 'de' }],
])('%s has no related words', (kind, question, book) => {
  const { quotes, found } = ask(question, book);
  expect(kind === 'a search for words' ? found : quotes).toEqual([]);
});
