// Each step that a model's text passes before a reader sees it.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import {
  createMarkerFilter,
  createReasoningFilter,
  createSanitizer,
  createTextCleaner,
} from '../../src/asking/model-output.rule.ts';
import { createCoverageFilter, createRedactor } from '../../src/asking/prompt.rule.ts';
import { runs } from '../helpers/runs.ts';

type Step = { readonly push: (text: string) => string; readonly end: () => string };

/** The text of a step, the same for any split. */
function read(open: () => Step, text: string): string {
  const of = (pieces: readonly string[]): string => {
    const step = open();
    return pieces.map(step.push).join('') + step.end();
  };
  const whole = of([text]);
  for (const pieces of [[...text], text.split(''), text.match(/.{1,5}/gs) ?? []])
    expect(of(pieces)).toBe(whole);
  return whole;
}

describe('createTextCleaner', () => {
  test.each([
    ['[\u200b1]', '[1]'],
    ['[\u202a1\u2060]\u2064', '[1]'],
    ['[\u{e0041}1]', '[1]'],
    ['\u0007\u001b[31m \u009b\u0085', '[31m '],
    ['a\u3164b\u115fc\u2800d\u00ade', 'abcde'],
    ['می\u200cخواهم 👩\u200d👧 ❤\ufe0f', 'می\u200cخواهم 👩\u200d👧 ❤\ufe0f'],
    ['a\tb\nc', 'a\tb\nc'],
    ['\ud800 a \udc00', '\ufffd a \ufffd'],
  ])('%j is %j', (text, expected) => {
    expect(read(createTextCleaner, text)).toBe(expected);
  });
});

describe('createMarkerFilter', () => {
  test.each([
    ['bare [3]. And [1][2], [3, 4]!', 'bare. And,!'],
    ['bread[1], 1987[1] and （so）[1]', 'bread, 1987 and （so）'],
    ['【1】 ［１］ 〔2〕 [1】', ''],
    ['It [[1]1] is [[1], [2]] so [[[3]]]', 'It is so'],
    ['[ 1 ] [^2] [#3] [P4] [p 5] [1.] [1;2] [1–3]', ''],
    ['[١] [१] [一]', ' [一]'],
    ['a[0] and a[500] and a[i] and a[-1]', 'a[0] and a[500] and a[i] and a[-1]'],
    ['a[3] and b(x)[4]', 'a and b(x)'],
    ['[not a number] and [1a] and [see [1]]', '[not a number] and [1a] and [see]'],
    ['[\u200d1\u200c] [1\ufe0f]', ''],
    ['[1', '[1'],
    ['[¹] [①] [❶, 2] a[¹]', ' a'],
    ['word [1 and 2] [3 und 4, 5] [1和2] [1、2] [1 & 2] [1 as well as 2]', 'word [1 as well as 2]'],
    ['[1 cm] and [1 and] and [and 1]', '[1 cm] and [1 and] and [and 1]'],
    ['so⁽³⁾ and ₍₁₂₎', 'so and'],
    ['mailto:a@b.example and Mailto: a', 'mailto: a@b.example and Mailto: a'],
    ['so ①, ❶. ⓵ and 1\u20e3', 'so,. and 1'],
    ['see http://a.example, WWW.b.example or ://', 'see http:/ /a.example, WWW. b.example or :/ /'],
    ['one  [7] two', 'one two'],
  ])('%j is %j', (text, expected) => {
    expect(read(() => createMarkerFilter(100), text)).toBe(expected);
  });

  test('leaves no marker of 1 to 100, for any text and any split', () => {
    const word = fc.constantFrom('[', ']', '【', '】', '1', '23', ' ', ',', 'a', 'P', '^', '\n', '-');
    fc.assert(
      fc.property(fc.array(word, { maxLength: 30 }), (words) => {
        expect(read(() => createMarkerFilter(100), words.join(''))).not.toMatch(/[[【]\s*\d{1,2}\s*[\]】]/);
      }),
      { numRuns: runs(3000) },
    );
  });
});

describe('createReasoningFilter', () => {
  const open = () => {
    const filter = createReasoningFilter();
    let shown = '';
    const add = ({ text, isBare }: ReturnType<typeof filter.push>): string => {
      shown = isBare ? text : shown + text;
      return '';
    };
    return { push: (text: string) => add(filter.push(text)), end: () => add(filter.end()) + shown };
  };

  test.each([
    ['<think>hidden</think>\n\nIt is.', '\n\nIt is.'],
    ['hidden</think>It is.', 'It is.'],
    ['<think>a <think> b</think> c</think>It is.', 'It is.'],
    ['<THINKING type="x">hidden</THINKING>It is.', 'It is.'],
    ['It <reasoning>hidden</reasoning>is.', 'It is.'],
    ['[THINK]hidden[/THINK]It is.', 'It is.'],
    ['◁think▷hidden◁/think▷It is.', 'It is.'],
    ['<seed:think>hidden</seed:think>It is.', 'It is.'],
    ['<thinking_process>hidden</thinking_process>It is.', 'It is.'],
    ['<|channel>thought\nhidden<channel|>It is.', 'It is.'],
    ['hidden<channel|>It is.', 'It is.'],
    ['<|START_THINKING|>hidden<|END_THINKING|>It is.', 'It is.'],
    ['<|begin_of_thought|>hidden<|end_of_thought|>It is.', 'It is.'],
    [
      '<|channel|>analysis<|message|>hidden<|end|><|start|>assistant<|channel|>final<|message|>It is.<|return|>',
      'It is.',
    ],
    ['<|channel|>analysis<|message|>hidden', ''],
    ['<think>never ends', ''],
    ['It is.<think>never ends', 'It is.'],
    ['<thin', '<thin'],
    ['1 < 2 and [a] and <b>', '1 < 2 and [a] and <b>'],
  ])('%j is %j', (text, expected) => {
    expect(read(open, text)).toBe(expected);
  });
});

describe('createCoverageFilter', () => {
  test.each([
    ['NOT_COVERED', '', false],
    ['  **NOT_COVERED** and more', '', false],
    ['NOT_COV', 'NOT_COV', true],
    ['It is NOT_COVERED', 'It is NOT_COVERED', true],
  ])('%j', (answer, text, isCovered) => {
    for (const pieces of [[answer], [...answer]]) {
      const filter = createCoverageFilter();
      const shown = pieces.map(filter.push).join('') + filter.end();
      expect([shown, filter.isCovered()]).toEqual([text, isCovered]);
    }
  });
});

describe('createRedactor', () => {
  test.each([
    ['sk-very-secret', 'The key is sk-very-secret.', 'The key is ***.'],
    ['sk-very-secret', 'sk-very-sk-very-secret', 'sk-very-***'],
    ['sk-very-secret', 'sk-very-', 'sk-very-'],
    [null, 'sk-very-secret', 'sk-very-secret'],
    ['short', 'shorter', 'shorter'],
  ])('%j in %j is %j', (secret, text, expected) => {
    expect(read(() => createRedactor(secret), text)).toBe(expected);
  });
});

describe('createSanitizer', () => {
  const ACTIVE = /<[A-Za-z/!?]|!\[|\][([:]|[\u0000-\u0008\u001b\u202e]/;

  test('lets nothing active through, for any split of the text, and leaves plain text unchanged', () => {
    const word = fc.constantFrom(
      '<',
      '!',
      '[',
      ']',
      '(',
      ':',
      'a',
      '/',
      '?',
      ' ',
      '\0',
      '\u202e',
      '\u200b',
      '\u001b',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 40 }), (words) => {
        const sanitizer = createSanitizer();
        expect(words.map(sanitizer.push).join('') + sanitizer.flush()).not.toMatch(ACTIVE);
      }),
      { numRuns: runs(3000) },
    );
    expect(createSanitizer().push('1 < 2, a > b! [x] “y”\n\tz')).toBe('1 < 2, a > b! [x] “y”\n\tz');
  });

  test.each([
    ['', 'use `Rc<T>` or `Arc<T>`', true],
    ['It`s so.\n\n', 'use `Rc<T>` here', true],
    ['It`s so: ', 'use `<img>` here', false],
    ['``It is ` so: ', 'use `<img>` here', false],
    ['', 'never write \\`<img>\\` in it', false],
    ['', 'two ``a <img> `b', false],
    ['', 'one `a\nb` <img> `c` two', false],
    ['', 'A | B\n--|--\nx `a | <img>`', false],
  ])('after %j, code of the quotation %j stays: %p', (before, quote, stays) => {
    const sanitizer = createSanitizer();
    const shown = sanitizer.push(before) + sanitizer.quote(`“${quote}”`);
    expect(shown.includes(quote)).toBe(stays);
    expect(shown.includes('< ')).toBe(!stays);
  });

  test('no HTML of a quotation is active, whatever ticks are around it', () => {
    const words = fc.array(
      fc.constantFrom('`', '``', '\\', '|', '\n', '\n\n', '--|--\n', '- ', '<img>', '<a', 'x', ' '),
    );
    const options = { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true };
    fc.assert(
      fc.property(words, words, words, (before, quote, after) => {
        const sanitizer = createSanitizer();
        const text = before.map(sanitizer.push).join('') + sanitizer.quote(`“${quote.join('')}”`);
        const all = text + after.map(sanitizer.push).join('') + sanitizer.flush();
        expect(micromark(all, options)).not.toMatch(/<(?:img|a)/);
      }),
      { numRuns: runs(1000) },
    );
  });
});
