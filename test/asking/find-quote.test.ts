import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { findQuote } from '../../src/asking/quote-match.rule.ts';
import { normalizeText } from '../../src/asking/normalized-text.rule.ts';
import { verifyQuote } from '../../src/asking/best-quote.rule.ts';
import { runs } from '../helpers/runs.ts';

// Properties, and repetitive texts on a busy machine.

/** The slice found, or null. */
function find(text: string, quote: string): string | null {
  const found = findQuote(normalizeText(text), normalizeText(quote));
  if (found === null) return null;
  const slice = text.slice(found.start, found.end);
  expect(verifyQuote({ content: text, ...found, quote: slice })).toBe(true);
  return slice;
}

/** Letters whose composed form is twice as long. */
const LONGER = '\ufb2c\u05b0'.repeat(20);

describe('findQuote accepts', () => {
  test.each([
    ['the very same words', 'The fox is red.', 'The fox is red.', 'The fox is red.'],
    ['white space', 'The fox\r\n\tis  red today', 'The fox is\u00a0red', 'The fox\r\n\tis  red'],
    ['zero width space', 'The f\u200box is red', 'The fox is red', 'The f\u200box is red'],
    ['white space in Chinese', '我不知道这\n件事情。', '我不知道 这件事情', '我不知道这\n件事情'],
    ['a space before punctuation', 'Tu viens\u202f? Oui, je viens.', 'Tu viens? Oui', 'Tu viens\u202f? Oui'],
    ['quotation marks', 'He said "no" to us all', 'He said “no” to us', 'He said "no" to us'],
    ['quotation marks left out', 'He said "no" to us all', 'He said no to us', 'He said "no" to us'],
    ['nested quotation marks', 'I said, "He\'s in." Then', "I said, 'He’s in.'", 'I said, "He\'s in."'],
    [
      'guillemets',
      'Il dit «\u00a0oui\u00a0» à tous',
      'Il dit "oui" à tous',
      'Il dit «\u00a0oui\u00a0» à tous',
    ],
    ['marks around a quote', 'So the fox is red today', '“the fox is red”', 'the fox is red'],
    ['marks of both', 'So "the fox is red" today', '“the fox is red”', '"the fox is red"'],
    ['dashes', 'running,--not in a race', 'running, — not in a race', 'running,--not in a race'],
    ['a dash of its own', 'the best - of all - men', 'the best—of all—men', 'the best - of all - men'],
    ['a range', 'from 1939–1945 he was', 'from 1939-1945 he was', 'from 1939–1945 he was'],
    ['hyphens', 'a well‑known fox is here', 'a well-known fox', 'a well‑known fox'],
    ['soft hyphens', 'an exam\u00adple of it all', 'an example of it', 'an exam\u00adple of it'],
    ['hyphenation', 'an exam-\r\n  ple of it all', 'an example of it', 'an exam-\r\n  ple of it'],
    ['a hyphen at a line end', 'a well-\nknown fox here', 'a well-known fox', 'a well-\nknown fox'],
    ['hyphenation in a quotation', '> an exam-\n> ple of it', 'an example of it', 'an exam-\n> ple of it'],
    ['letters that composing lengthens', `The fox ${LONGER} is red`, `fox ${LONGER} is`, `fox ${LONGER} is`],
    ['a minus', 'was −5 degrees out', 'was -5 degrees', 'was −5 degrees'],
    ['a minus at the start', 'It is −5 degrees out', '-5 degrees out', '−5 degrees out'],
    ['markup of the book', 'Run **`git push`** to publish', 'Run git push to', 'Run **`git push`** to'],
    ['markup of the quote', 'Run git push to publish', 'Run `git push` *to*', 'Run git push to'],
    [
      'markup that was cut in two',
      'He was **very angry about this** one',
      'angry about this** one',
      'angry about this** one',
    ],
    ['a link', 'see [the docs](http://a/b) for more', 'see the docs for', 'see [the docs](http://a/b) for'],
    [
      'a quotation',
      '> He was\n> > in time\n> for it',
      'He was in time for it',
      'He was\n> > in time\n> for it',
    ],
    ['a list', '- one fox\n- two cats', 'one fox two cats', 'one fox\n- two cats'],
    ['a dash that begins a line', 'the red fox\n- a cat', 'the red fox - a cat', 'the red fox\n- a cat'],
    ['a fence', 'Then run:\n```sh\nbun a b\n```', 'Then run: bun a b', 'Then run:\n```sh\nbun a b'],
    ['a capital put', 'so the fox is red', 'The fox is red', 'the fox is red'],
    ['a capital taken', 'The fox is red', 'the fox is red', 'The fox is red'],
    ['a capital behind a bracket', 'He (so they say) came', '(So they say) came', '(so they say) came'],
    ['an ellipsis at the ends', 'So the fox is red today', '… the fox is red ...', 'the fox is red'],
    ['an ellipsis before a mark', '| the fox is red | x |', '| the fox is red … |', '| the fox is red'],
    ['a capital in a cell', '| `fox` is red | x |', '| `Fox` is red', '| `fox` is red'],
    ['another ellipsis', 'He waits ... and waits on', 'He waits… and waits', 'He waits ... and waits'],
    [
      'words left out',
      'The old man who lived here went to sea',
      'The old man … went to sea',
      'The old man who lived here went to sea',
    ],
    [
      'words left out twice',
      'One man had a fox of his own and a red cat as well',
      'One man had [...] of his own ... cat as well',
      'One man had a fox of his own and a red cat as well',
    ],
    ['what ends before a negation', 'He came home. No one saw', 'He came home.', 'He came home.'],
    ['a decomposed text', 'So the cafe\u0301 au lait is here', 'the café au lait', 'the cafe\u0301 au lait'],
    ['a decomposed quote', 'So the café au lait is here', 'the cafe\u0301 au lait', 'the café au lait'],
    ['a decomposed end', 'He drank a cafe\u0301', 'drank a café', 'drank a cafe\u0301'],
    [
      'decomposed Vietnamese',
      'Đó là tie\u0302\u0301ng Vie\u0323\u0302t đấy',
      'là tiếng Việt',
      'là tie\u0302\u0301ng Vie\u0323\u0302t',
    ],
    [
      'decomposed Hangul',
      '\u1112\u1161\u11ab\u1100\u1173\u11af 은 말',
      '한글 은 말',
      '\u1112\u1161\u11ab\u1100\u1173\u11af 은 말',
    ],
    [
      'a negation among words left out',
      'He did in truth not kill the old king',
      'He did in truth … kill the old king',
      'He did in truth not kill the old king',
    ],
    [
      'a contraction among words left out',
      "He said he really couldn't come to us",
      'He said he … come to us',
      "He said he really couldn't come to us",
    ],
    ['a BOM', '\ufeffThe fox is red', 'The fox is red', 'The fox is red'],
    ['emoji', 'the fox 👩\u200d👧 is red', '“the fox 👩\u200d👧 is', 'the fox 👩\u200d👧 is'],
    ['Hebrew', 'אמר: „השועל אדום מאוד”.', 'אמר: "השועל אדום', 'אמר: „השועל אדום'],
    ['Arabic', 'قال: «الثعلب أحمر جدا» هنا', 'قال: "الثعلب أحمر جدا"', 'قال: «الثعلب أحمر جدا»'],
    ['Hindi', 'उसने कहा “लोमड़ी लाल है” फिर', 'उसने कहा "लोमड़ी लाल है"', 'उसने कहा “लोमड़ी लाल है”'],
  ])('%s', (_, text, quote, slice) => {
    expect(find(text, quote)).toBe(slice);
  });
});

test('findQuote leaves out a mark of another kind than the quote has there', () => {
  expect(find('So —the fox is red“ today', '“the fox is red—')).toBe('the fox is red');
});

test('findQuote follows four pieces, and no fifth', () => {
  const book = 'one two three, x. four five six, y. seven eight nine, z. ten eleven twelve, w. so they say';
  const four = 'one two three … four five six … seven eight nine … ten eleven twelve';
  expect(find(book, four)).toBe('one two three, x. four five six, y. seven eight nine, z. ten eleven twelve');
  expect(find(book, `${four} … so they say`)).toBeNull();
});

test.each([
  ['The word 我 means me today', 'The word 我means me'],
  ['I like the 猫 very much', 'I like the猫 very much'],
])('findQuote keeps the space between Chinese and Latin: %s', (book, quote) => {
  expect(find(book, quote)).toBeNull();
});

describe('findQuote refuses', () => {
  test.each([
    ['another word', 'The fox is red', 'The fox is blue'],
    ['a negation put in', 'The fox is red', 'The fox is not red'],
    ['a negation taken out', 'The fox is not red', 'The fox is red'],
    ['a piece that begins inside a word', 'the red fox was unable to come', 'the red fox … able to come'],
    ['a piece that ends inside a word', 'the red foxes were able to come', 'the red fox … able to come'],
    ['the order of pieces', 'the cat is red and the dog is big', 'the dog is big … the cat is red'],
    ['pieces of two words', 'the cat is red and the dog is big', 'the cat … is big'],
    ['five pieces', 'a b c d e f g h i j k l m n o p q', 'a b c … d e f … g h i … j k l … m n o'],
    [
      'thirty-one words left out',
      `one two three ${'x '.repeat(31)}four five six`,
      'one two three … four five six',
    ],
    ['another digit', 'It was 1,234 feet', 'It was 1,235 feet'],
    ['a digit less', 'It was 1,234 feet', 'It was 1,23'],
    ['a separator less', 'It was 3.5 feet', 'It was 35 feet'],
    ['a range as a number', 'we saw 1-2 men there', 'we saw 12 men there'],
    ['a number as a range', 'we saw 12 men there', 'we saw 1-2 men there'],
    ['digits joined over a line end', 'we saw 1-\n2 men there', 'we saw 12 men there'],
    ['a sign less', 'was -5 degrees out', 'was 5 degrees out'],
    ['a sign less at the start', 'It is -5 degrees out', '5 degrees out'],
    ['a sign more', 'It is 5 degrees out', '-5 degrees out'],
    ['a sign for a dash', 'it was—5 degrees out', 'it was -5 degrees out'],
    ['a sign less in a product', 'x = (-y) + 2 z', 'x = (y) + 2 z'],
    ['an exponent less', 'has 10<sup>6</sup> cells in it', 'has 106 cells in it'],
    ['an exponent without its sign', 'about 10⁻⁶ metres wide', 'about 10⁶ metres wide'],
    ['a dash for the sign of an exponent', 'about 10⁻⁶ metres wide', 'about 10-⁶ metres wide'],
    ['full-width digits', 'has １２ cells in it', 'has 12 cells in it'],
    ['full-width digits joined', 'has １ ２ cells in it', 'has １２ cells in it'],
    ['feet for inches', 'a board 6" wide is here', "a board 6' wide is here"],
    ['the end of a unit', 'rose by 5% a year', 'it rose by 5'],
    ['a hyphen less', 'They re-sign the deal', 'They resign the deal'],
    ['a space less', 'that is no table', 'that is notable'],
    ['a space more', 'nevermind the dogs', 'never mind the dogs'],
    ['an apostrophe less', "it's his own dog", 'its his own dog'],
    ['an apostrophe more', 'we were his own dogs', "we we're his own dogs"],
    ['a product as emphasis', 'it is 2*3*4 all told', 'it is 234 all told'],
    ['an identifier without its underscores', 'call snake_case_name for it', 'call snakecasename for it'],
    ['a type without its parameter', 'use a Vec<u8> for this', 'use a Vec for this'],
    ['a comparison turned round', 'where a < b is true', 'where a > b is true'],
    [
      'another target of a link',
      'see [the docs](http://a/b) for more',
      'see [the docs](http://a/c) for more',
    ],
    ['another call', 'use on[name](event.x) for it', 'use on[name](event.y) for it'],
    ['other capitals', 'Then Polish men came', 'Then polish men came'],
    ['NFKC', 'the ﬁne old fox', 'the fine old fox'],
    ['another accent', 'the café is open', 'the cafe is open'],
    ['another accent of a decomposed text', 'the cafe\u0301 is open', 'the cafe is open'],
    ['another decomposed accent', 'the cafe\u0301 is open', 'the cafè is open'],
    ['half a decomposed character', 'see the cafe\u0301', 'see the cafe'],
    ['other punctuation', 'Is the fox red?', 'Is the fox red.'],
    ['other bidirectional marks', 'user \u202eadmin is it', 'user admin is it'],
    ['the rest of a word before', 'he is unable to come', 'able to come'],
    ['the rest of a word behind', 'come to the seaside', 'come to the sea'],
    ['the rest of a compound', 'a non-violent man came', 'violent man came'],
    ['half a grapheme', 'see the fox 👩\u200d👧', 'see the fox 👩'],
    ['punctuation behind a negation', '"No," said the fox', ',” said the fox'],
    ['two words', 'The fox is red', 'The fox'],
    ['two words and a dash', 'The fox — is red', 'The fox —'],
    ['no word', '* * * * *', '* * * *'],
    ['nothing', 'The fox is red', '  “…” '],
    ['sixty-one words', 'word '.repeat(80), 'word '.repeat(61)],
    [
      'sixty-one words with those left out',
      `a b c ${'d '.repeat(28)}e f g ${'h '.repeat(24)}i j k`,
      'a b c … e f g … i j k',
    ],
  ])('%s', (_, text, quote) => {
    expect(find(text, quote)).toBeNull();
  });

  test('a change beside a harmless variant', () => {
    expect(find('“The fox,” he said,\n“is *not* red.”', '"The fox," he said, "is red."')).toBeNull();
  });
});

test.each([
  ['is the first', 'the fox is red', 5],
  ['is the one in its capitals rather than one before it', 'The fox is red.', 50],
  ['is the one in its blanks rather than one before it', 'the fox  is red', 26],
])('a quote that occurs twice %s', (_, quote, start) => {
  const text = 'One: the fox is red. Two: the fox  is red. Three: The fox is red.';
  expect(findQuote(normalizeText(text), normalizeText(quote))?.start).toBe(start);
});

describe('over any text, findQuote', () => {
  const plain = fc.stringMatching(/^[a-zà-ÿ]{2,8}$/);
  const word = fc.oneof(
    plain,
    plain,
    plain,
    fc.constantFrom("fox's", 'well-known', '1,234 feet', 'snake_case', 'e\u0301t'),
  );
  const between = fc.constantFrom(
    ' ',
    '\n',
    '\r\n',
    '  ',
    ', ',
    '. ',
    '—',
    ' “',
    '” ',
    ' 🦊 ',

    ' שועל ',
    ' *',
    '* ',
    ' (',
    ') ',
  );
  const text = fc.array(fc.tuple(word, between), { minLength: 8, maxLength: 60 });
  const slice = fc.tuple(text, fc.nat(), fc.integer({ min: 3, max: 20 })).map(([parts, from, count]) => {
    const first = from % (parts.length - 3);
    const last = Math.min(parts.length, first + count) - 1;
    const quote = parts.slice(first, last).flat().join('') + parts[last]![0];
    return { text: parts.flat().join(''), quote };
  });

  test('returns every slice at word boundaries', () => {
    fc.assert(
      fc.property(slice, ({ text, quote }) => {
        expect(find(text, quote)).toBe(quote);
      }),
      { numRuns: runs(200) },
    );
  });

  test('returns the slice for other white space, quotation marks and dashes', () => {
    const space = fc.constantFrom(' ', '\n', '\u00a0\t', '\u2009', ' \u200b');
    const dash = fc.constantFrom('--', ' – ', ' — ', '―', '-');
    const marks = fc.constantFrom(['"', '"'], ['«', '»'], ['„', '“']);
    fc.assert(
      fc.property(slice, space, dash, marks, ({ text, quote }, blank, line, [open = '', close = '']) => {
        fc.pre(!text.includes('*'));
        const varied = quote
          .replaceAll('“', open)
          .replaceAll('”', close)
          .replaceAll('—', line)
          .replace(/\s+/g, blank);
        const normal = (part: string): string => normalizeText(part).normal;
        expect(normal(find(text, varied) ?? '')).toBe(normal(quote));
      }),
      { numRuns: runs(200) },
    );
  });

  test('refuses another letter or digit', () => {
    fc.assert(
      fc.property(slice, fc.nat(), fc.constantFrom('x', 'Q', '7', 'é'), ({ text, quote }, at, other) => {
        const letters = [...quote.matchAll(/\p{L}/gu)].slice(1);
        const { index } = letters[at % letters.length]!;
        const changed = quote.slice(0, index) + other + quote.slice(index + 1);
        fc.pre(!text.includes(changed));
        expect(find(text, changed)).toBeNull();
      }),
      { numRuns: runs(200) },
    );
  });

  test('returns only slices that verifyQuote accepts', () => {
    const any = fc.array(
      fc.constantFrom(
        'a',
        'not',
        ' ',
        '…',
        '...',
        '*',
        '“',
        '"',
        "'",
        '-',
        '—',
        '1',
        '🦊',
        '\u200d',
        '\n',
        '中',
        '\ufeff',
        '[',
        '](a.b)',
        '`',
        '\\',
      ),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(any, any, (text, quote) => {
        find(text.join(''), quote.join(''));
        find(text.join(''), text.slice(2, 30).join(''));
      }),
      { numRuns: runs(300) },
    );
  });
});

test('a gap of a million blanks is searched', () => {
  const text = `the fox${' '.repeat(1_000_000)}\n\n- is red`;
  expect(find(text, 'the fox was red')).toBeNull();
  expect(find(text, 'the fox-is red')).toBeNull();
});

describe('a repetitive book', () => {
  test.each(['a b ', '*a ', '`a ', '"a" ', '<a ', '中 ', '[a](', '. ', '— '])(
    'of %j takes no long time',
    (unit) => {
      const text = normalizeText(unit.repeat(200_000));
      for (const quote of [
        unit.repeat(300),
        `${unit.repeat(99)} … ${unit.repeat(50)}`,
        `${unit.repeat(90)}x`,
      ])
        findQuote(text, normalizeText(quote));
    },
  );
});
