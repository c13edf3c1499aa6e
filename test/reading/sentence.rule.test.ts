import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { countWords, cutToWords, sentencesOf } from '../../src/reading/sentence.rule.ts';

describe('countWords', () => {
  test.each([
    ['', 0],
    [' \n\t ', 0],
    ["don't stop", 2],
    ['one — two', 3],
    ['我走了。', 2],
    ['hello世界', 2],
    ['😀 😀', 2],
    ['a'.repeat(25), 2],
  ])('counts %j', (text, words) => {
    expect(countWords(text)).toBe(words);
  });

  test('never counts fewer words than white space separates', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(countWords(text)).toBeGreaterThanOrEqual(text.split(/\s+/).filter(Boolean).length);
      }),
    );
  });
});

describe('cutToWords', () => {
  test.each([
    ['one two three', 2, 'one two'],
    ['one two ', 2, 'one two '],
    ['one', 5, 'one'],
    ['', 5, ''],
    ['น้ำเย็นมาก', 1, 'น้'],
    ['กกกน้ำ', 2, 'กก'],
    ['กกยทำให้', 2, 'กก'],
    ['ខខម្ខាង', 2, 'ខខ'],
    [`${'👍'.repeat(47)}👩‍👧 on`, 2, '👍'.repeat(24)],
    ['\u0301'.repeat(60), 2, '\u0301'.repeat(24)],
  ])('cuts %j to %d words', (text, limit, expected) => {
    expect(text.slice(0, cutToWords(text, limit))).toBe(expected);
  });

  test('stays inside the range it is given', () => {
    expect(cutToWords('one two three four', 9, 4, 13)).toBe(13);
    expect(cutToWords('one two three four', 1, 4, 13)).toBe(7);
  });

  test('leaves at most the limit and splits no surrogate pair', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 300 }),
        fc.integer({ min: 1, max: 8 }),
        (text, limit) => {
          const slice = text.slice(0, cutToWords(text, limit));
          expect(countWords(slice)).toBeLessThanOrEqual(limit);
          expect(slice.isWellFormed()).toBe(true);
        },
      ),
    );
  });
});

test('a word of an unspaced script adds one to the count of a spaced text', () => {
  const piece = fc.oneof(
    fc.constantFrom(' ', '\n', '\u00a0', '\u2003', 'é', 'a'.repeat(50), ' '.repeat(99), '“', 'Ж'),
    fc.string({ unit: 'binary-ascii' }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = `${pieces.join('')}.`;
      expect(countWords(`${text} 水`)).toBe(countWords(text) + 1);
    }),
  );
});

const sentences = (text: string) => sentencesOf(text).map(({ start, end }) => text.slice(start, end));

describe('sentencesOf', () => {
  test.each([
    [
      'speech and who speaks',
      '“Why?” said he. “No!” “So be it.”',
      ['“Why?” said he.', '“No!”', '“So be it.”'],
    ],
    ['two sentences', 'He came. He went.', ['He came.', 'He went.']],
    ['titles', 'Mr. Fisher met Dr. A. Smith. He left.', ['Mr. Fisher met Dr. A. Smith.', 'He left.']],
    ['laws', 'Nach § 1 Abs. 2 und Art. 3 gilt es. Ende.', ['Nach § 1 Abs. 2 und Art. 3 gilt es.', 'Ende.']],
    ['days', 'Ab dem 1. Januar 2020 gilt es. Ende.', ['Ab dem 1. Januar 2020 gilt es.', 'Ende.']],
    ['numbers before a sentence', 'Es sind 12. Maier ging.', ['Es sind 12.', 'Maier ging.']],
    ['a title at the end', 'I met Mr.', ['I met Mr.']],
    ['hard-wrapped lines', 'He came\nhome. She\r\nleft.', ['He came\nhome.', 'She\r\nleft.']],
    ['a list', 'Take:\n- bread\n- salt\n2. wine', ['Take:', '- bread', '- salt', '2. wine']],
    ['paragraphs', 'No stop\n\nhere', ['No stop', 'here']],
    ['Chinese', '我走了。他来了！', ['我走了。', '他来了！']],
    ['speech in Japanese', '「行く。」と彼は言った。雨だ。', ['「行く。」と彼は言った。', '雨だ。']],
    [
      'a quotation of several lines',
      '> He came\n> home. She\n> left.',
      ['> He came\n> home.', 'She\n> left.'],
    ],
    ['a quotation after a line', 'He said\n> Go on.', ['He said', '> Go on.']],
    [
      'marks in code',
      'Use `vec![1]` or `a? B` here. Then go.',
      ['Use `vec![1]` or `a? B` here.', 'Then go.'],
    ],
    [
      'sources',
      'Smith et al. Showed it. See e.g. Brown, pp. 3.',
      ['Smith et al. Showed it.', 'See e.g. Brown, pp. 3.'],
    ],
    ['numbered items', '1. Sit down.\n2. Wait.', ['1. Sit down.', '2. Wait.']],
    ['nothing', '', []],
    ['blanks', ' \n\n ', []],
  ])('finds %s', (_, text, expected) => {
    expect(sentences(text)).toEqual(expected);
  });

  test('gives offsets into the whole text for a range of it', () => {
    const text = 'Zero. One. Two.';
    expect(sentencesOf(text, 6).map(({ start, end }) => text.slice(start, end))).toEqual(['One.', 'Two.']);
  });

  test('drops only white space', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const kept = sentences(text).join('').replace(/\s/g, '');
        expect(kept).toBe(text.replace(/\s/g, ''));
      }),
    );
  });
});
