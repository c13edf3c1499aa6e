import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { AnswerEvent, Question } from '../../../src/asking/engines/engine.ts';
import { createExtractive } from '../../../src/asking/engines/extractive.ts';
import type { FoundPassage, FoundQuote } from '../../../src/asking/split.rule.ts';
import { QUOTE_WORDS, verifyQuote } from '../../../src/asking/best-quote.rule.ts';
import { cutToWords } from '../../../src/reading/sentence.rule.ts';

const passage = (path: string, heading: string, text: string, start = 0): FoundPassage => ({
  path,
  heading,
  start,
  end: start + text.length,
  text,
  score: 1,
});

const quoteOf = (of: FoundPassage): FoundQuote => ({
  passage: of,
  start: of.start,
  end: of.end,
  text: of.text,
  marked: [[of.start, of.end]],
});

/** The first words of a passage, as search may quote them. */
const cut = (of: FoundPassage): FoundQuote => {
  const length = cutToWords(of.text, QUOTE_WORDS);
  return { ...quoteOf(of), end: of.start + length, text: of.text.slice(0, length) };
};

const PASSAGES = [
  passage('a.md', 'The fox', 'The fox sleeps in a den.', 40),
  passage('b.md', '', 'A fox barks.'),
  passage('c.md', 'Owls', 'No such animal.'),
];

const question = (over: Partial<Question> = {}): Question => ({
  query: 'Where does the fox sleep?',
  book: { title: 'Animals' },
  passages: PASSAGES,
  quotes: PASSAGES.slice(0, 2).map(quoteOf),
  coverage: 0.6,
  neededCoverage: 0.135,
  signal: new AbortController().signal,
  ...over,
});

const answer = (over?: Partial<Question>, engine = createExtractive()): Promise<AnswerEvent[]> =>
  Array.fromAsync(engine.answer(question(over)));
const text = (events: readonly AnswerEvent[]) =>
  events.map((event) => (event.type === 'text' ? event.text : '')).join('');

describe('the extractive engine', () => {
  test('quotes the best passages, each with its citation, and ends once', async () => {
    expect(await answer()).toEqual([
      { type: 'text', text: 'From “The fox”:\n“The fox sleeps in a den.”', isRepeated: true },
      {
        type: 'cite',
        path: 'a.md',
        heading: 'The fox',
        start: 40,
        end: 64,
        quote: 'The fox sleeps in a den.',
        marked: [[40, 64]],
      },
      { type: 'text', text: '\n\nFrom “b.md”:\n“A fox barks.”', isRepeated: true },
      {
        type: 'cite',
        path: 'b.md',
        heading: '',
        start: 0,
        end: 12,
        quote: 'A fox barks.',
        marked: [[0, 12]],
      },
      { type: 'end', outcome: 'quoted', inputTokens: 0, outputTokens: 0, truncated: false },
    ]);
  });

  test.each([
    ['low coverage', { coverage: 0.01 }],
    ['no passages', { passages: [], quotes: [], coverage: 0 }],
    ['nothing to quote', { quotes: [] }],
  ])('says that the book does not cover a question with %s', async (_, over) => {
    const events = await answer(over);
    expect(events.map(({ type }) => type)).toEqual(['text', 'end']);
    expect(events.at(-1)).toMatchObject({ outcome: 'not_covered' });
    expect(text(events)).toContain('“Animals” does not seem to cover this question');
  });

  test('quotes below the needed coverage if given a lower threshold', async () => {
    expect((await answer({ coverage: 0.01 }, createExtractive(0))).at(-1)).toMatchObject({
      outcome: 'quoted',
    });
  });

  test('names the nearest headings if the book does not cover a question', async () => {
    expect(text(await answer({ coverage: 0.01 }))).toBe(
      '“Animals” does not seem to cover this question. The nearest parts: “The fox”, “b.md”, “Owls”. ' +
        'Asking in other words may help.',
    );
    expect(text(await answer({ coverage: 0, passages: [] }))).not.toContain('nearest');
  });

  test('stops without an end when the reader has left', async () => {
    expect(await answer({ signal: AbortSignal.abort() })).toEqual([]);
  });

  test('cites exact slices, and shows their words and no others', async () => {
    const lettersOf = (shown: string): string => shown.replace(/[^\p{L}\p{N}]+/gu, '');
    const plain = fc.string({ unit: 'binary' }).map((one) => one.replace(/[^\p{L}\p{N} .,!?\r\n]/gu, ' '));
    const body = fc.array(
      fc.oneof(fc.constantFrom('fox. ', '\r\n', '🦊', '狐。', 'ثعلب ', '\0', '“', '[1] ', '**fox** '), plain),
    );
    await fc.assert(
      fc.asyncProperty(body, fc.nat(50), async (parts, before) => {
        const own = `fox ${parts.join('')}`;
        const content = 'x'.repeat(before) + own;
        const events = await answer({ quotes: [cut(passage('a.md', '', own, before))] });
        const cited = events.filter((event) => event.type === 'cite');
        expect(cited).toHaveLength(1);
        for (const { start, end, quote = '' } of cited) {
          expect(content.slice(start, end)).toBe(quote);
          expect(verifyQuote({ content, start, end, quote })).toBe(true);
          expect(lettersOf(text(events))).toBe(lettersOf(`From a.md: ${quote}`));
        }
      }),
    );
  });

  const chapter = (order: number, path: string, heading: string, own: string): FoundQuote =>
    quoteOf({ ...passage(path, heading, own), order });

  test('names a heading once, the best quote first and the others in the order of the book', async () => {
    const quotes = [
      chapter(5, 'b.md', 'Dens', 'The fox sleeps in a den.'),
      chapter(7, 'c.md', 'Night', 'It hunts by night.'),
      chapter(1, 'a.md', 'Fur', 'Its fur is red.'),
      chapter(6, 'b.md', 'Dens', 'A den has two doors.'),
    ];
    expect(text(await answer({ quotes }))).toBe(
      'From “Dens”:\n“The fox sleeps in a den.”\n\n“A den has two doors.”\n\n' +
        'From “Fur”:\n“Its fur is red.”\n\nFrom “Night”:\n“It hunts by night.”',
    );
  });

  test('shows code without quotation marks, as it is', async () => {
    const code = quoteOf({ ...passage('a.md', 'Run', '  fox --den *\n  fox'), isCode: true });
    expect(text(await answer({ quotes: [code] }))).toBe('From “Run”:\n  fox --den *\n  fox');
  });

  test('says that an answer is doubtful if the coverage is hardly enough', async () => {
    expect(text(await answer({ coverage: 0.24 }))).toStartWith(
      'The book may not answer this; this comes nearest.\n\nFrom “The fox”:',
    );
    expect(text(await answer({ coverage: 0.3 }))).toStartWith('From “The fox”:');
  });

  test.each([
    ['en', 'From “The fox”:\n“The'],
    ['en-GB', 'From “The fox”:\n“The'],
    ['de', 'Aus „The fox“:\n„The'],
    ['fr-CA', 'Extrait de « The fox » :\n« The'],
    ['es', 'De «The fox»:\n«The'],
    ['pt-BR', 'De “The fox”:\n“The'],
    ['it', 'Da «The fox»:\n«The'],
    ['ja', '「The fox」より：\n「The'],
    ['zh-Hant', '出自“The fox”：\n“The'],
    ['hi', '“The fox” से:\n“The'],
    ['ru', 'Из раздела «The fox»:\n«The'],
    ['ar', 'من «The fox»:\n«The'],
    ['tr', '“The fox” bölümünden:\n“The'],
    ['fi', 'From “The fox”:\n“The'],
    [null, 'From “The fox”:\n“The'],
  ])('frames its quotes in the language of the book: %s', async (language, begin) => {
    expect(text(await answer({ book: { title: 'Animals', language } }))).toStartWith(begin);
  });

  test.each(['de', 'fr', 'es', 'pt', 'it', 'ja', 'zh', 'hi', 'ru', 'ar', 'tr'])(
    'says in %s that a book does not cover a question',
    async (language) => {
      const shown = text(await answer({ coverage: 0, book: { title: 'Animals', language } }));
      expect(shown).toMatch(/Animals.*The fox.*b\.md.*Owls/s);
      expect(shown).not.toMatch(/does not|nearest|other words/);
    },
  );
});
