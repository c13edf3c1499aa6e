import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { AnswerEvent, Question } from '../../src/engines/engine.ts';
import { createExtractive } from '../../src/engines/extractive.ts';
import type { FoundPassage, FoundQuote } from '../../src/passages/text/passage.ts';
import { QUOTE_WORDS, verifyQuote } from '../../src/passages/quote/quote.ts';
import { cutToWords } from '../../src/passages/text/words.ts';

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
      { type: 'text', text: 'From “The fox”:\n“The fox sleeps in a den.”' },
      { type: 'cite', path: 'a.md', heading: 'The fox', start: 40, end: 64 },
      { type: 'text', text: '\n\nFrom “b.md”:\n“A fox barks.”' },
      { type: 'cite', path: 'b.md', heading: '', start: 0, end: 12 },
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

  test('quotes below the default threshold if given a lower one', async () => {
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

  test('cites exact slices that its text contains word for word', async () => {
    const body = fc.array(
      fc.oneof(
        fc.constantFrom('fox. ', '\r\n', '🦊', '狐。', 'ثعلب ', '\0', '“', '[1] '),
        fc.string({ unit: 'binary' }),
      ),
    );
    await fc.assert(
      fc.asyncProperty(body, fc.nat(50), async (parts, before) => {
        const own = `fox ${parts.join('')}`;
        const content = 'x'.repeat(before) + own;
        const events = await answer({ quotes: [cut(passage('a.md', '', own, before))] });
        const cited = events.filter((event) => event.type === 'cite');
        expect(cited).toHaveLength(1);
        for (const { start, end } of cited) {
          const quote = content.slice(start, end);
          expect(verifyQuote({ content, start, end, quote })).toBe(true);
          expect(text(events)).toContain(`“${quote}”`);
        }
      }),
    );
  });
});
