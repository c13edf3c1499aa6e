import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { answerAsked } from '../../src/passages/question-words.ts';
import {
  bestQuotes,
  quotableSentences,
  type ScoredPassage,
  verifyQuote,
} from '../../src/passages/best-quote.ts';
import { maskMarkup } from '../../src/passages/block.ts';
import type { FoundPassage } from '../../src/passages/split.ts';

const passage = (text: string, start = 0): FoundPassage => ({
  path: 'a.md',
  heading: 'A',
  start,
  end: start + text.length,
  text,
  score: 1,
});
const filler = `${'filler '.repeat(40)}end.`;
/** A passage whose sentences hold as much of a question as they hold of these words, each `share` of its weight. */
const judge = (one: FoundPassage, ...words: string[]): ScoredPassage => {
  const sentences = quotableSentences(maskMarkup(one.text));
  const overlaps = sentences.map(
    ({ start, end }) =>
      words.filter((word) => one.text.slice(start, end).toLowerCase().includes(word)).length / words.length,
  );
  return { passage: one, sentences, overlaps };
};
const quotes = (text: string, ...words: string[]) =>
  bestQuotes([judge(passage(text), ...words)], 1).map((quote) => quote.text);

describe('bestQuotes', () => {
  test('chooses the sentence with the most weight', () => {
    const text = `The fox slept. ${filler} The fox stole a goose. ${filler} The goose slept.`;
    expect(quotes(text, 'fox', 'goose', 'steal', 'stole')[0]).toContain('The fox stole a goose.');
  });

  test('joins neighbours up to three sentences', () => {
    expect(quotes('Zero. A fox. Fox here. The fox. Four.', 'fox')).toEqual(['A fox. Fox here. The fox.']);
  });

  test.each([
    ['a sentence that holds nothing of the question', 'It rained. Fox here. It rained.'],
    ['another paragraph', 'A fox.\n\nFox here.\r\n\r\nA fox.'],
  ])('does not join %s', (_, text) => {
    expect(quotes(text, 'fox', 'here')).toEqual(['Fox here.']);
  });

  test.each([
    ['a list', 'Foxes eat these:\n\n- mice\n- owls\n\nThey sleep.', 'Foxes eat these:\n\n- mice\n- owls'],
    ['code', 'Run the fox:\n\n```sh\nrun it\n```\n\nThey sleep.', 'Run the fox:\n\n```sh\nrun it'],
    [
      'code that is too long',
      `Run the fox:\n\n\`\`\`\nrun\n${'on '.repeat(70)}\n\`\`\``,
      'Run the fox:\n\n```\nrun',
    ],
  ])('quotes a lead-in with %s', (_, text, expected) => {
    expect(quotes(text, 'fox', 'foxes')).toEqual([expected]);
  });

  test('quotes an item with the lead-in of its list', () => {
    expect(quotes('They eat:\n\n- owls\n- a fox\n\nNo more.', 'fox')).toEqual([
      'They eat:\n\n- owls\n- a fox',
    ]);
  });

  test.each([
    ['a table', '| fox | fox fox |\n\nThe fox sleeps.'],
    ['code', '```\nfox fox\n```\n\nThe fox sleeps.'],
  ])('prefers a sentence to %s', (_, text) => {
    expect(quotes(text, 'fox')).toEqual(['The fox sleeps.']);
  });

  test('quotes tables and code only if they are best', () => {
    const text = 'The owl sleeps.\n\n```\nfox den owl\n```\n\n```\nfox den\n```\n\nThe owl wakes.';
    const quoted = bestQuotes([judge(passage(text), 'fox', 'den')], 3);
    expect(quoted.map((quote) => quote.isCode)).toEqual([true, false, false]);
  });

  test('quotes the row of a table that holds one word in eight more than a sentence', () => {
    const text = `The fox den is red here.\n\n${filler}\n\n| a | b | c |\n| --- | --- | --- |\n| fox | den owl | red |`;
    const words = ['fox', 'den', 'owl', 'hare', 'hen', 'elk', 'yak', 'gnu'];
    expect(quotes(text, ...words)[0]).toContain('owl');
  });

  test.each([
    '![A heron. On one leg](heron.png)',
    '![A heron\non one leg](heron.png)',
    '![A heron on one leg][h]\n\n[h]: h.png',
  ])('quotes the words around a picture, never those in its place: %s', (picture) => {
    expect(quotes(`${picture}\n\nThe heron rests.`, 'heron', 'leg')).toEqual(['The heron rests.']);
    expect(quotes(`Before ${picture}\n`, 'heron')).toEqual([]);
  });

  test('prefers a definition to sentences that use the word', () => {
    const text = 'The fox and the fox met. A fox is an animal. The fox fought the fox, and the fox won.';
    const [best] = bestQuotes([judge(passage(text), 'fox')], 1, (sentence) => sentence.includes('is an'));
    expect(best?.text).toContain('A fox is an animal.');
  });

  test('prefers the kind of thing asked for to a sentence as good', () => {
    const text = 'The fox slept in its old den.\n\nThe fox slept for nine hours.';
    const [best] = bestQuotes(
      [judge(passage(text), 'fox', 'slept')],
      1,
      undefined,
      answerAsked('How long?')!,
    );
    expect(best?.text).toBe('The fox slept for nine hours.');
  });

  test('quotes nothing twice, however its lines break', () => {
    const [one, other] = [
      passage('The fox sleeps\nin a den.'),
      passage('The fox sleeps in a den.\n\nThe fox wakes.', 99),
    ];
    const quoted = bestQuotes([judge(one, 'fox', 'den'), judge(other, 'fox', 'den')], 3);
    expect(quoted.map(({ text }) => text.replace('\n', ' '))).toEqual([
      'The fox sleeps in a den.',
      'The fox wakes.',
    ]);
  });

  test('marks a sentence that goes on', () => {
    const [quote] = bestQuotes([judge(passage(`Fox ${'on '.repeat(100)}end.`), 'fox')], 1);
    expect(quote).toMatchObject({ isCutBefore: false, isCutAfter: true });
  });

  test('cuts a sentence of more than 60 words', () => {
    expect(quotes(`Fox ${'on '.repeat(100)}end.`, 'fox')[0]!.split(' ')).toHaveLength(60);
  });

  test.each([' ', '\n', '\r\n', '  '])(
    'begins the next 60 words of such a sentence behind the blank %j',
    (blank) => {
      expect(quotes(`${`on${blank}`.repeat(60)}fox${blank}end.`, 'fox')).toEqual([`fox${blank}end.`]);
    },
  );

  test.each([
    ['a passage without the words', 'Nothing here.'],
    ['an empty passage', ''],
  ])('gives nothing for %s', (_, text) => {
    expect(quotes(text, 'fox')).toEqual([]);
  });

  test('quotes the likelier passage first, and twice rather than an unlikely one', () => {
    const far = `A fox. ${filler} ${filler} The fox again.`;
    const judged = [
      judge({ ...passage(far), score: 9 }, 'fox'),
      judge({ ...passage('A fox, far off.'), path: 'b.md', score: 1 }, 'fox'),
    ];
    expect(bestQuotes(judged, 2).map(({ passage: { path } }) => path)).toEqual(['a.md', 'a.md']);
    const equal = judged.map((one) => ({ ...one, passage: { ...one.passage, score: 1 } }));
    expect(bestQuotes(equal, 1)[0]!.passage.path).toBe('b.md');
  });

  test('never quotes a comment or across one', () => {
    const text = 'The fox slept. <!-- the fox is a secret --> The fox woke.';
    const found = bestQuotes([judge(passage(text), 'fox')], 3).map((quote) => quote.text);
    expect(found.toSorted()).toEqual(['The fox slept.', 'The fox woke.']);
  });

  test('returns only exact slices of at most 60 words', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'fox',
        '. ',
        '\r\n',
        '\n\n',
        '🦊',
        '狐狸。',
        'ثعلب ',
        '\u202e',
        '\0',
        ' ',
        '“Mr. ',
        '\ufeff',
      ),
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.nat(90).map((count) => 'on '.repeat(count)),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), fc.string({ unit: 'binary' }), (pieces, before) => {
        const text = `fox ${pieces.join('')}`;
        const content = before + text;
        const found = bestQuotes([judge(passage(text, before.length), 'fox')], 3);
        expect(found.length).toBeWithin(1, 4);
        for (const { start, end, text: quote } of found)
          expect(verifyQuote({ content, start, end, quote })).toBe(true);
      }),
    );
  });
});
