import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { sentencesOf } from '../../src/passages/words.ts';

const sentences = (text: string) => sentencesOf(text).map(({ start, end }) => text.slice(start, end));

describe('sentencesOf', () => {
  test.each([
    ['two sentences', 'He came. He went.', ['He came.', 'He went.']],
    ['titles', 'Mr. Fisher met Dr. A. Smith. He left.', ['Mr. Fisher met Dr. A. Smith.', 'He left.']],
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
