import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { createAnswerText } from '../../src/asking/answer-text.ts';
import { EN } from '../../src/words/en.ts';
import { wordsIn } from '../../src/words/words.ts';
import type { Citation } from '../../src/asking/answer.ts';
import { runs } from '../helpers/runs.ts';

const CITATION = { n: 1 } as Citation;
const addressOf = ({ n }: Citation) => `/read/${n}?a&b`;

/** An answer that comes in pieces of a length. */
function htmlOf(text: string, length = text.length): string {
  const answer = createAnswerText(EN, addressOf);
  let html = '';
  for (let at = 0; at < text.length; at += length) html += answer.push({ text: text.slice(at, at + length) });
  return html + answer.end();
}

test.each([
  ['white space behind a fence', `\`\`\`\na\n\`\`\`${' '.repeat(1_000_000)}x\n`],
  ['spaces in code', `\` ${'a'.repeat(1_000_000)}\``],
  ['stars', '*a '.repeat(300_000)],
  ['brackets', '['.repeat(1_000_000)],
])('%s of a million characters are shown', (_, text) => {
  expect(htmlOf(text)).not.toBe('');
});

describe('what a model writes', () => {
  test.each([
    ['paragraphs', 'One\nline.\n\nTwo.', '<p>One\nline.</p><p>Two.</p>'],
    [
      'emphasis',
      '*a* __b__ ***c*** **d *e* f**',
      '<p><em>a</em> <strong>b</strong> <strong><em>c</em></strong> <strong>d <em>e</em> f</strong></p>',
    ],
    ['emphasis in Chinese', '这是**重点**内容', '<p>这是<strong>重点</strong>内容</p>'],
    ['no emphasis', '2*3*4, snake_case_name, *args and * b *', null],
    ['emphasis that never ends', 'a **b\n\nc', '<p>a **b</p><p>c</p>'],
    [
      'code',
      'Call `a * b * <c>` and ``x`y``',
      '<p>Call <code>a * b * &lt;c&gt;</code> and <code>x`y</code></p>',
    ],
    ['stars in code', '**a `*` b**', '<p><strong>a <code>*</code> b</strong></p>'],
    [
      'a list in a list',
      'Two:\n\n- a\n  - b\n- c\n\nEnd',
      '<p>Two:\n</p><ul><li>a<ul><li>b</li></ul></li><li>c</li></ul><p>End</p>'.replace('\n', ''),
    ],
    ['a numbered list', '3. a\n4. b', '<ol start="3"><li>a</li><li>b</li></ol>'],
    ['two lists', '- a\n1. b', '<ul><li>a</li></ul><ol start="1"><li>b</li></ol>'],
    ['an item with a second line', '- a\n  b\n\n  c', '<ul><li>a\nb\n\nc</li></ul>'],
    [
      'a block of code',
      'So:\n```js\n- a **b**\n<c>\n```\nDone',
      '<p>So:</p><pre tabindex="0" role="group" aria-label="Code"><code>- a **b**\n&lt;c&gt;\n</code></pre><p>Done</p>',
    ],
    [
      'a block of code without its end',
      '```\na',
      '<pre tabindex="0" role="group" aria-label="Code"><code>a\n</code></pre>',
    ],
    ['no heading, link, image, rule, table or HTML', '# a\n[x](y) ![x](y)\n---\n|a|\n<b>&', null],
    ['no note of its own', 'a\u00001\u0000', '<p>a\ufffd1\ufffd</p>'],
    ['nothing', '', ''],
    ['a lone mark', '-', '<p>-</p>'],
  ])('%s', (_, text, html) => {
    expect(htmlOf(text)).toBe(html ?? `<p>${Bun.escapeHTML(text)}</p>`);
  });

  test('is the same however it is cut', () => {
    const pieces = [
      '*',
      '**',
      '_',
      '`',
      '```',
      '\n',
      '\n\n',
      '- ',
      '  - ',
      '1. ',
      ' ',
      'a',
      'b1',
      '<b>',
      '&',
      '重',
    ];
    const texts = fc
      .array(fc.constantFrom(...pieces), { maxLength: 30 })
      .map((parts) => parts.join('').trimStart());
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 5 }), (text, length) => {
        expect(htmlOf(text, length)).toBe(htmlOf(text));
      }),
      { numRuns: runs(3000) },
    );
  });

  test('never leaves an element open, and lets no other in', () => {
    const pieces = ['*', '**', '_', '`', '```\n', '\n', '- ', '  1. ', 'a', '<script>', '</p>', '"', '&lt;'];
    const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        const open: string[] = [];
        for (const [tag, end, name = ''] of htmlOf(text, 3).matchAll(/<(\/?)([^>\s]*)[^>]*>/g)) {
          expect(tag).toMatch(
            /^<\/?(?:p|em|strong|code|ul|ol(?: start="\d+")?|li|pre(?: tabindex="0" role="group" aria-label="Code")?)>$/,
          );
          if (end === '') open.push(name);
          else expect(open.pop()).toBe(name);
        }
        expect(open).toEqual([]);
      }),
      { numRuns: runs(3000) },
    );
  });

  test('is shown as it comes: only an emphasis that is open waits', () => {
    const answer = createAnswerText(EN, addressOf);
    expect(answer.push({ text: 'Herons wait ' })).toBe('<p>Herons wait ');
    expect(answer.push({ text: 'in **cold' })).toBe('in ');
    expect(answer.push({ text: ' water** by' })).toBe('<strong>cold water</strong> by');
  });

  test('does not wait for ever for the end of an emphasis', () => {
    const answer = createAnswerText(EN, addressOf);
    expect(answer.push({ text: `a *${'b'.repeat(400)}` })).toContain('bbb');
  });

  test.each(['*a ', '`', '**a', '_', '- ', '`a`` ', '*`'])(
    '100,000 characters of %j come through',
    (mark) => {
      for (const length of [20, 100_000])
        expect(htmlOf(mark.repeat(100_000 / mark.length), length).length).toBeGreaterThan(50_000);
    },
  );
});

const NOTE = '<sup><a href="/read/1?a&amp;b" target="_blank" class="note" aria-label="Passage 1">1</a></sup>';

test.each([
  ['after words', ['Herons wait.'], `<p>Herons wait.${NOTE}</p>`],
  ['within a word that waits', ['**a'], `<p>**a${NOTE}</p>`],
  [
    'after a block of code',
    ['```\na\n```'],
    `<pre tabindex="0" role="group" aria-label="Code"><code>a\n</code></pre><p>${NOTE}</p>`,
  ],
  ['after an item', ['- a'], `<ul><li>a${NOTE}</li></ul>`],
])('a note %s', (_, texts, html) => {
  const answer = createAnswerText(EN, addressOf);
  const shown = texts.map((text) => answer.push({ text })).join('');
  expect(shown + answer.push({ text: ' [1]', citation: CITATION }) + answer.end()).toBe(html);
});

test('the doubt that no model wrote is in the language of the page', () => {
  const answer = createAnswerText(wordsIn('de'), addressOf);
  const shown = [
    answer.push({ text: 'A *model* says:\n\n' }),
    answer.push({ text: 'The book may not answer this.', isPlain: true }),
    answer.end(),
  ];
  expect(shown.join('')).toMatch(
    /^<p>A <em>model<\/em> says:<\/p><p class="doubtful" lang="de" dir="ltr">Vielleicht beantwortet [^<]*<\/p>$/,
  );
});
