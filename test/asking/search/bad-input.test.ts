import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXCERPT_WORDS, verifyQuote } from '../../../src/asking/best-quote.rule.ts';
import { buildIndex } from '../../../src/asking/search/build.sql.ts';
import { openIndex } from '../../../src/asking/search/query.ts';
import type { Found } from '../../../src/asking/split.rule.ts';
import { runs } from '../../helpers/runs.ts';

const folder = mkdtempSync(join(tmpdir(), 'bookstall-bad-input-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Builds a book of these files and asks it; every passage and quote must be a true slice. */
function ask(
  files: Readonly<Record<string, string>>,
  questions: readonly string[],
  language: string | null = null,
) {
  const file = join(folder, crypto.randomUUID());
  const chapters = Object.entries(files).map(([path, content]) => ({ path, content, title: null }));
  buildIndex(file, { language, chapters });
  const index = openIndex(file);
  const found = questions.map((question) => index.search(question, 8));
  index.close();
  for (const { passages, quotes, coverage } of found) {
    expect(coverage).toBeWithin(0, 1.0001);
    for (const { path, start, end, text } of passages) expect(files[path]!.slice(start, end)).toBe(text);
    for (const { passage, start, end, text } of quotes)
      expect(
        verifyQuote({ content: files[passage.path]!, start, end, quote: text, most: EXCERPT_WORDS }),
      ).toBe(true);
  }
  return found;
}
const best = (found: Found | undefined) => found?.passages[0]?.text ?? '';
/** Characters: 5 MB, or a fifth of them outside of CI. */
const LONG = runs(5_000_000);
const NOTHING = { passages: [], quotes: [], coverage: 0 };

describe('a file that is', () => {
  test.each([
    ['empty', ''],
    ['a lone BOM', '\ufeff'],
    ['blank', ' \r\n\t\u2028 \n'],
    [
      'control characters',
      Array.from({ length: 32 }, (_, i) => String.fromCharCode(i))
        .join('')
        .repeat(50),
    ],
    ['binary that happens to be UTF-8', '\0\x01\x02\u{10ffff}\ufffe\0'.repeat(5000)],
    ['a comment', '<!--\n\nThe heron is a secret.\n\n-->'],
  ])('%s takes nothing from the others', (_, content) => {
    const [found] = ask({ 'odd.md': content, 'heron.md': 'The heron stands.' }, ['heron']);
    expect(found!.passages.map(({ path }) => path)).toEqual(['heron.md']);
  });

  test.each([
    ['spaces', 'The heron stands on one leg. '],
    ['no stops', 'the heron stands on one leg and '],
    ['no spaces', '蒼鷺用一條腿站著'],
    ['code', 'heron.stand({leg:1});'],
    ['link targets', '](heron '],
    ['comments that never end', '<!-- heron '],
    ['backticks', '` heron '],
    ['capitals', 'heronHERONs'],
  ])('one long line with %s is indexed', (_, unit) => {
    const [found] = ask({ 'a.md': unit.repeat(LONG / unit.length) }, ['Where is the heron 蒼鷺?']);
    expect(found!.passages.length).toBeGreaterThan(0);
  });

  test('10,000 headings gives the requested heading', () => {
    const text = Array.from({ length: 10_000 }, (_, i) => `## Part ${i}\n\nIt holds item ${i}.\n`).join('\n');
    const [found] = ask({ 'a.md': text }, ['What does part 7431 hold?']);
    expect(found!.passages[0]!.heading).toBe('Part 7431');
  });
});

describe('a book in three languages', () => {
  const files = {
    'en.md': '# Birds\n\nThe heron stands on one leg in cold water.',
    'de.md': '# Vögel\n\nDer Reiher steht im kalten Wasser auf einem Bein.',
    'zh.md': '# 鸟\n\n苍鹭在冷水中用一条腿站立。',
  };
  test.each([
    ['its English', 'Where does the heron stand?', 'The heron'],
    ['its German', 'Worauf steht der Reiher?', 'Der Reiher'],
    ['its Chinese', '苍鹭怎么站立？', '苍鹭'],
  ])('is asked in %s, whatever language it says it is in', (_, question, expected) => {
    for (const language of [null, 'en', 'de', 'zh', 'x-unknown'])
      expect(best(ask(files, [question], language)[0])).toStartWith(expected);
  });

  test('finds nothing for a question in a fourth', () => {
    expect(ask(files, ['Πού στέκεται ο ερωδιός;'])[0]).toMatchObject(NOTHING);
  });
});

describe('a question', () => {
  const files = {
    'heron.md': '# The heron\n\nThe heron stands on one leg. It eats frogs at night.',
    'bidi.md': 'The \u202eegret\u202c wades \u2066אֲנָפָה\u2069 at noon.',
  };

  test.each([
    ['nothing', ''],
    ['only stop words', 'what is it and why do they'],
    ['only punctuation', '?!… “” () -- * ^ : " \' `'],
    ['only control characters', '\0\x01\x07\x1b'],
    ['only bidirectional overrides', '\u202e\u202c\u2066\u2069'],
  ])('of %s finds nothing', (_, question) => {
    expect(ask(files, [question])[0]).toMatchObject(NOTHING);
  });

  test.each([
    'heron AND NOT leg',
    '"heron',
    'heron* OR (frogs',
    'NEAR(heron leg, 2)',
    'text:heron heading:heron',
    '{text heading} : heron',
    '-heron ^heron +heron',
    "heron'; DROP TABLE passage; --",
    'heron\0leg',
    '\u202eheron\u202c',
    '\x1b[31m heron',
    'heron '.repeat(1333),
    'ＨＥＲＯＮ',
  ])('with operators and the like is a question of words: %p', (question) => {
    expect(best(ask(files, [question])[0])).toContain('heron');
  });

  test('and a book with bidirectional marks find each other, and the quote keeps the marks', () => {
    const [found] = ask(files, ['When does the egret wade?']);
    expect(found!.quotes[0]!.text).toBe(files['bidi.md']);
  });

  test.each([
    ['different words', Array.from({ length: 1300 }, (_, i) => `w${i}`).join(' ')],
    ['emoji', '😀'.repeat(8000)],
    ['one word', 'a'.repeat(8000)],
    ['Chinese', '苍鹭在冷水中用一条腿站立'.repeat(666)],
    ['capitals', 'aB'.repeat(4000)],
  ])('of 8,000 characters, %s, is answered', (_, question) => {
    for (const language of ['en', 'de', 'zh']) ask(files, [`heron ${question}`.slice(0, 16_000)], language);
  });
});
