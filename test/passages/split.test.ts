import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { splitPassages } from '../../src/passages/split.ts';
import { countWords } from '../../src/passages/words.ts';
import { processorTime } from '../processor-time.ts';

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
    const text = '# A\n\none\n\n## B\n\ntwo\n\n## B\n\nthree\n\nTitle\n=====\n\nfour\n\nCHAPTER IV\n\nfive\n';
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
  ])('splits a 5 MB line of %s quickly into small passages', (_, unit) => {
    const text = unit.repeat(5_000_000 / unit.length) + ' end';
    const began = processorTime();
    const passages = splitPassages(text, 'a.md');
    expect(processorTime() - began).toBeLessThan(5_000);
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
