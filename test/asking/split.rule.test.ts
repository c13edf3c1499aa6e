import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { isCode, splitPassages } from '../../src/asking/split.rule.ts';
import { countWords } from '../../src/reading/sentence.rule.ts';
import { maskMarkup } from '../../src/reading/block.rule.ts';

const paragraph = (words: number) =>
  `${Array.from({ length: words - 1 }, (_, i) => `Word${i}`).join(' ')} end.`;
const texts = (text: string) => splitPassages(text, 'a.md').map(({ start, end }) => text.slice(start, end));

describe('splitPassages', () => {
  test('gathers paragraphs to 150-200 words', () => {
    const text = Array.from({ length: 12 }, () => paragraph(60)).join('\n\n');
    const counts = texts(text).map(countWords);
    expect(counts).toEqual([180, 180, 180, 180]);
  });

  test('never crosses a heading, not even one of the same name', () => {
    const text =
      '# Title: A\n\none\n\n## B\n\ntwo\n\n## B\n\nthree\n\nTitle\n=====\n\nfour\n\nCHAPTER IV\n\nfive\n';
    expect(
      splitPassages(text, 'a.md').map(({ heading, start, end }) => [heading, text.slice(start, end)]),
    ).toEqual([
      ['A', 'one'],
      ['A › B', 'two'],
      ['A › B', 'three'],
      ['Title', 'four'],
      ['Title › CHAPTER IV', 'five'],
    ]);
  });

  test.each([
    ['ATX with closing marks', '## Name ##\n\nx', 'Name'],
    ['ATX after a BOM', '\ufeff# Name\n\nx', 'Name'],
    ['ATX with CRLF', '# Name\r\n\r\nx\r\n', 'Name'],
    ['ATX with CR', '# Name\r\rx\r', 'Name'],
    ['setext of level two', 'Name\n---\nx', 'Name'],
    ['a chapter in Russian', 'Глава 4. Дуэль\n\nx', 'Глава 4. Дуэль'],
    ['a chapter in Chinese', '第四章 决斗\n\nx', '第四章 决斗'],
    ['a chapter by its numeral', 'one\n\nXIV\n\nx', 'XIV'],
    ['the answer to a question', 'Which one?\n\nC\n\nx', ''],
    ['a sentence about a chapter', 'Chapter 4. He slept. So\n\nx', ''],
    ['hash without a blank', '#Name\n\nx', ''],
    ['hash inside a fence', '```\n# Name\n```\n\nx', ''],
    ['a line of 5,000 characters', `# ${'n'.repeat(5000)}\n\nx`, ''],
    ['two lines above a rule', 'a\nb\n---\nx', ''],
    ['inline code that looks like a fence', '```x``` y\n\n# Name\n\nx', 'Name'],
  ])('reads the heading of %s', (_, text, heading) => {
    expect(splitPassages(text, 'a.md').at(-1)!.heading).toBe(heading);
  });

  test.each([
    ['front matter', '---\ntitle: Secret\n---\n\nBody here.', ['Body here.']],
    ['front matter that never ends', '---\ntitle: Open\n\nBody.', ['---\ntitle: Open\n\nBody.']],
    ['rules', 'One.\n\n---\n\n***\n\nTwo.', ['One.\n\n---\n\n***\n\nTwo.']],
    ['nothing but marks', '---\n\n***\n\n!!!', []],
    ['empty text', '', []],
    ['a lone BOM', '\ufeff', []],
    ['blanks', ' \r\n\t\n\u2028 ', []],
    ['headings alone', '# A\n\n## B\n', []],
    ['right-to-left text', '# كتاب\n\nذهب الولد إلى البيت.', ['ذهب الولد إلى البيت.']],
  ])('handles %s', (_, text, expected) => {
    expect(texts(text)).toEqual(expected);
  });

  test('keeps a fenced block whole that is too long for a paragraph', () => {
    const code = `\`\`\`ts\n${Array.from({ length: 300 }, (_, i) => `call${i}()`).join('\n')}\n\`\`\``;
    expect(texts(`Intro.\n\n${code}\n\nOutro.`)).toContain(code);
    expect(texts(code.replaceAll('`', '')).length).toBeGreaterThan(1);
  });

  test('sees the end of a fenced block with code in its attribute', () => {
    const text = '```warn header="Not `run`"\nNever\n\n# run\n```\n\n# Then\n\nRest.';
    expect(splitPassages(text, 'a.md').map(({ heading }) => heading)).toEqual(['', 'Then']);
  });

  test('cuts a long paragraph at sentence ends', () => {
    const passages = texts(Array.from({ length: 40 }, () => paragraph(23)).join(' '));
    expect(passages.length).toBeGreaterThan(4);
    for (const passage of passages) {
      expect(passage).toEndWith('end.');
      expect(countWords(passage)).toBeLessThanOrEqual(200);
    }
  });

  test.each([
    ['prose', 'The quick brown fox jumps. '],
    ['one word', 'a'],
    ['Chinese without a stop', '我'],
    ['emoji', '😀'],
    ['Chinese sentences', '我走了。'],
    ['blanks', 'a' + ' '.repeat(4999)],
  ])('splits a 5 MB line of %s into small passages', (_, unit) => {
    const text = unit.repeat(5_000_000 / unit.length) + ' end';
    const passages = splitPassages(text, 'a.md');
    expect(passages.length).toBeGreaterThan(1);
    for (const { start, end } of passages) expect(end - start).toBeLessThan(30_000);
  });

  test('gives ordered, trimmed slices of at most 400 words that split no surrogate pair', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '# ',
        '## H\n',
        '\n',
        '\n\n',
        '```\n',
        '---\n',
        '\r\n',
        '\ufeff',
        'Mr. ',
        '😀',
        '我',
        'ا ',
        '\0',
      ),
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.nat(300).map(paragraphOf),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('');
        let last = 0;
        for (const { start, end } of splitPassages(text, 'a.md')) {
          const slice = text.slice(start, end);
          expect(start).toBeGreaterThanOrEqual(last);
          expect(slice).toBe(slice.trim());
          expect(slice).not.toBe('');
          expect(slice.isWellFormed()).toBe(true);
          expect(countWords(slice)).toBeLessThanOrEqual(400);
          last = end;
        }
      }),
    );
  });
});

function paragraphOf(words: number): string {
  return 'lorem '.repeat(words);
}

const method = (name: string) =>
  `    /// Says ${name}.\n    fn ${name}(&self) -> usize {\n${'        let value = self.value + 1;\n'.repeat(20)}        value\n    }\n`;

describe('isCode', () => {
  test.each([
    ['main.rs', '', true],
    ['a/b.PY', 'words only', true],
    ['notes.md', 'fn a() {\n}\n'.repeat(20), false],
    ['program.txt', 'int a = 1;\nint b = 2;\n\nvoid f() {\n  g();\n}\n', true],
    [
      'letter.txt',
      'Dear heron,\n\nI write to you\nfrom the marsh,\nwhere the water\nis cold now.\n\nYours\n',
      false,
    ],
    ['empty.txt', '', false],
    ['short', 'a;\nb;\n', false],
  ])('%s', (path, text, expected) => {
    expect(isCode(path, text)).toBe(expected);
  });
});

describe('splitPassages of a program', () => {
  const names = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'];
  const text = `use std::fmt;\n\nimpl Heron {\n${names.map(method).join('\n')}}\n`;

  test('begins a passage at each definition, with the comment above it', () => {
    const passages = splitPassages(text, 'heron.rs');
    expect(passages.length).toBeGreaterThan(2);
    for (const { plain } of passages.slice(1)) expect(plain).toStartWith('/// Says');
  });

  test('does not mistake a comment for a heading', () => {
    expect(splitPassages('# not a heading\nx = 1\n', 'a.py')[0]).toMatchObject({ heading: '', start: 0 });
  });

  test('cuts a function of 1,000 lines at line ends', () => {
    const long = `fn long() {\n${'    call(one, two);\n'.repeat(1000)}}\n`;
    for (const { plain } of splitPassages(long, 'a.rs').slice(1)) expect(plain).toMatch(/^call.*[;}]$/s);
  });
});

const words = (text: string): string[] => [...(maskMarkup(text).match(/[\p{L}\p{N}]+/gu) ?? [])];

describe('maskMarkup', () => {
  test.each([
    ['a comment', 'one <!-- two --> three', ['one', 'three']],
    ['a comment over blank lines', 'one\n<!--\n\ntwo\n\n--> three', ['one', 'three']],
    ['two comments in a line', '<!--a-->one<!--b-->two', ['one', 'two']],
    ['a link and a picture', '[one](https://two.example/x "three") ![four](five.png)', ['one']],
    ['names of blocks', 'one{: #two key="three"} four [#five]', ['one', 'four']],
    ['marks of blocks', '::: tip one\ntwo\n:::\n^\n{{three.four}}\n[[toc]]', ['two']],
    ['a link reference', 'one\n\n[two]: https://three.example\n\nfour', ['one', 'four']],
    ['tags', 'one <a href="two">three</a><br/>four', ['one', 'three', 'four']],
    [
      'components',
      'one <Listing number="1" caption="two"> three </Listing> Vec<T> <T>',
      ['one', 'three', 'Vec', 'T', 'T'],
    ],
    ['the mark of an alert', '> [!NOTE]\n> one', ['one']],
    ['entities', 'one&nbsp;two&#8212;three&#x2014;four', ['one', 'two', 'three', 'four']],
  ])('blanks %s', (_, text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  test.each([
    ['a comment that never ends', 'one <!-- two\n\nthree'],
    ['fenced code', '```html\n<!-- one --> <a href="two">\n```'],
    ['code between backticks', 'Write `<!-- one -->` and `[a](b)`'],
    ['code with a name like a block’s', 'Write `{#if}`'],
    ['generics and comparisons', 'Vec<String> a < b && c > d'],
    ['a footnote', '[^1]: The note'],
    ['an address in angles', '<https://one.example>'],
  ])('leaves %s', (_, text) => {
    expect(maskMarkup(text)).toBe(text);
  });

  test('leaves formulas where there are some', () => {
    const text = '$a<b>c$ and \\([1](x)\\), &amp;';
    expect(maskMarkup(text, true)).toBe(text.replace('&amp;', '     '));
    expect(maskMarkup(text)).not.toContain('<b>');
  });

  test('keeps the length and every character that it does not blank', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '<!--',
        '-->',
        '](',
        ')',
        '`',
        '```',
        '\n',
        '\r\n',
        '<a ',
        '>',
        '&amp;',
        '[x]: y',
        '😀',
      ),
      fc.string({ unit: 'binary', maxLength: 8 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('');
        const masked = maskMarkup(text);
        expect(masked).toHaveLength(text.length);
        for (let i = 0; i < text.length; i++) if (!/[ \n]/.test(masked[i]!)) expect(masked[i]).toBe(text[i]);
      }),
    );
  });
});
