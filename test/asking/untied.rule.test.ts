import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAnswerText } from '../../src/asking/answer-text.ts';
import { statementsOf } from '../../src/asking/untied.rule.ts';
import { sentencesOf } from '../../src/reading/sentence.rule.ts';
import { EN } from '../../src/words/en.ts';
import { createRandom } from '../catalog/proof-cases.ts';

/** The quotes by their numbers. */
const QUOTES = ['stands on one leg', 'forty herons in 1998, 1,500 in 2003', 'es sind 3,5 Meter'];
const markersIn = (answer: string) =>
  Array.from(answer.matchAll(/\[(\d)\]/g), ({ index: start, 0: text, 1: n }) => ({
    start,
    end: start + text.length,
    quote: QUOTES[Number(n) - 1]!,
    n: Number(n),
  }));
const untiedIn = (answer: string, question = '') =>
  statementsOf(answer, markersIn(answer), question)
    .filter(({ isTied }) => !isTied)
    .map(({ text }) => answer.slice(text.start, text.end));

describe('a statement is untied', () => {
  test.each<[string, string, readonly string[]]>([
    ['if no marker stands in it', 'It rests: “stands on one leg” [1]. It eats fish.', ['It eats fish.']],
    ['not if a marker stands directly behind it', 'It rests “so.” [1] It eats fish.', ['It eats fish.']],
    ['not if two markers do', 'It rests so. [1] [2] It eats fish.', ['It eats fish.']],
    [
      'if a marker before it belongs to the sentence before',
      'It rests so.\n\n[1] It eats fish.',
      ['It eats fish.'],
    ],
    ['not after an abbreviation', 'As Dr. Smith says, e.g. here, “so” [1].', []],
    ['as an item of a list', '- one “so” [1]\n- two. And three.\n- four “so” [1]', ['two. And three.']],
    ['as a numbered item, whose own number counts not', '7. seven “so” [1]\n8. eight', ['eight']],
    ['as a row of a table', '| a “so” [1] | b |\n| c | d |', ['| c | d |']],
    ['as a block of code', 'So [1].\n\n```sh\nls\nrm x\n```\n', ['ls\nrm x\n']],
    ['not as a block of code with a marker behind it', '```sh\nls\n```\n [1]', []],
    [
      'in an item that only ends with a question',
      '- Herons are fish. Right?\n- So [1].',
      ['Herons are fish. Right?'],
    ],
    [
      'behind a line that opens no block',
      'So [1].\n```A```\nIt eats fish.\n```\n [1]',
      ['```A```\nIt eats fish.'],
    ],
    ['in what ~~~ does not enclose', '~~~\nIt eats fish.\n~~~\n\nSo [1].', ['~~~\nIt eats fish.']],
    ['in scripts without blanks', '鷺は立つ「so」[1]。魚を食べる。', ['魚を食べる。']],
    ['in scripts from right to left', 'העורב עומד “so” [1]. הוא אוכל דגים.', ['הוא אוכל דגים.']],
    [
      'by a number that its quote lacks',
      'There were 45 in 1998 “so” [2].',
      ['There were 45 in 1998 “so” [2].'],
    ],
    ['not by a number that the quote has', 'In 1998 there were “so” [2].', []],
    ['not by the same number written otherwise', 'In 2003 there were 1500 “so” [2]; 3.5 m [3].', []],
    ['not by a number of the question', 'In 1984 there were “so” [1].', []],
    ['not as a question', 'So what? It stands “so” [1].', []],
    ['not without letters', '“so” [1]. …', []],
  ])('%s', (_, answer, untied) => {
    expect(untiedIn(answer, 'What of 1984?')).toEqual([...untied]);
  });
});

/** A page's HTML of an answer that comes in pieces, and the words in it that are shown in a quieter tone. */
function show(answer: string, random: (most: number) => number) {
  const page = createAnswerText(EN, () => '/books/net/read', '');
  let html = '';
  let at = 0;
  for (const { start, end, n, quote } of [
    ...markersIn(answer),
    { start: answer.length, end: answer.length, n: 0, quote: '' },
  ]) {
    while (at < start) {
      const length = Math.min(start - at, 1 + random(12));
      html += page.push({ text: answer.slice(at, at + length) });
      at += length;
    }
    const of = { at: [], path: '', heading: '', start: 0, end: 0, sha256: '' };
    if (n > 0) html += page.push({ text: answer.slice(start, end), citation: { n, quote, ...of } });
    at = end;
  }
  html += page.end();
  const quiet = Array.from(html.matchAll(/<span class="untied">([^<]*)<\/span>/g), ([, words]) => words);
  return { html, quiet: quiet.join('').replace(/\s+/g, ' ') };
}

test('a page shows what is untied in a quieter tone, in whatever pieces an answer comes', () => {
  const answer =
    'It **rests: “so” [1]. It eats** fish. Why?\n\n- one “so” [1]\n- *two*\n\n| c | d |\n\n```sh\nls\n```\nThen it “so” [1]. End & <b>.';
  const random = createRandom(5);
  for (let turn = 0; turn < 200; turn++) {
    const { html, quiet } = show(answer, random);
    expect(quiet.trim()).toBe('It eats fish.two| c | d |ls End &amp; &lt;b&gt;.');
    expect(html.replace(/<\/?span[^>]*>/g, '').match(/<li>/g)).toHaveLength(2);
  }
});

test('sentences of a book beside their own quote are tied, and none with an altered number', () => {
  const folder = join(import.meta.dir, '../../content/books');
  const chapters = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  const sentences = chapters
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .flatMap((text) => sentencesOf(text).map(({ start, end }) => text.slice(start, end)))
    .filter(
      (sentence) => /\d/.test(sentence) && !/[\n|[\]?]/.test(sentence) && /^[A-Z].*[.]$/.test(sentence),
    );
  expect(sentences.length).toBeGreaterThan(150);
  const isTied = (words: string, quote: string): boolean => {
    const marker = { start: words.length + 1, end: words.length + 4, quote };
    return statementsOf(`${words} [1]`, [marker], '').every((statement) => statement.isTied);
  };
  expect(sentences.filter((sentence) => !isTied(sentence, sentence))).toEqual([]);
  const altered = sentences.map(
    (sentence) => [sentence.replace(/\d+/, (n) => `${Number(n) + 1234567}`), sentence] as const,
  );
  expect(altered.filter(([words, sentence]) => isTied(words, sentence))).toEqual([]);
});

test('markers that follow each other by the thousand are read in a moment', () => {
  const answer = `So. ${'[1] '.repeat(20_000)}`;
  const markers = markersIn(answer);
  let read = 0;
  const counted = markers.map((one) => ({
    ...one,
    get start() {
      read += 1;
      return one.start;
    },
  }));
  expect(statementsOf(answer, counted, '').map(({ isTied }) => isTied)).toEqual([true]);
  expect(read).toBeLessThan(100 * markers.length);
});
