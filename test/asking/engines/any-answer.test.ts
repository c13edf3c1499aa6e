// Whatever a model writes: quotation marks hold the book's words alone, and brackets with numbers are the server's alone.
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { createAnswerFilter, type OpenAnswerParser } from '../../../src/asking/engines/answer-filter.ts';
import { citationParser } from '../../../src/asking/engines/anthropic.ts';
import { quoteParser } from '../../../src/asking/engines/compat.ts';
import { runs } from '../../helpers/runs.ts';

const BOOK =
  'The grey heron stands on one leg because the cold water would otherwise chill both. It does not eat salted bread. ' +
  'Few people of the village have seen it, and Anna’s dog said "nothing at all" about it in 1987.';
const SOURCE = { path: 'a.md', heading: '', start: 0, end: BOOK.length, text: BOOK };

/** An answer as a reader sees it; \0 is a marker of ours. */
function show(openParser: OpenAnswerParser, pieces: readonly string[]): string {
  const open = () => openParser([SOURCE], false);
  let shown: string[] = [];
  const filter = createAnswerFilter({ openParser: open, title: 'T', secret: null }, () => (shown = []));
  const push = (event: Parameters<typeof filter.push>[0]): void => {
    for (const one of filter.push(event)) shown.push(one.type === 'text' ? one.text : '\0');
  };
  for (const text of pieces) push({ type: 'text', text });
  push({ type: 'location', location: { source: 0, start: 0, end: 1 } });
  push({ type: 'block-end' });
  push({ type: 'stop', reason: 'end_turn' });
  return shown.join('');
}

const marks = [...'“”„«»‘’"\'「」‹›❝❞'];
const brackets = ['[', ']', '【', '】', '[1]', ' [1]', '[1', '1]', '[[1]1]', '１', '[^', 'P'];
const invisible = ['\u200b', '\u202e', '\u2060', '\u{e0041}', '\ud83d', '\u0007', '\u200d'];
const words = [
  'the cold water ',
  'stands on one leg',
  ' would otherwise',
  'eat salted bread',
  'people of the village',
  ' never ',
  ' Anna ',
  '…',
  ' ... ',
  '. ',
  '\n\n',
  '1987',
  '<think>',
  '</think>',
  '<b',
  '![',
];
const piece = fc.constantFrom(...marks, ...brackets, ...invisible, ...words);

test.each([
  ['compat', quoteParser],
  ['anthropic', citationParser],
] as const)('of any answer of %s, for any split', (_, parser) => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const shown = show(parser, pieces);
      expect(show(parser, pieces.join('').split(''))).toBe(shown);
      for (const [, quoted = ''] of shown.matchAll(/“(.*?)”(?=[\s.,;:!?)…]*(?:\0|[^”]*$|[^“]*“))/gs))
        expect(BOOK).toContain(quoted.replace(/^…|…$/g, ''));
      // The book's own text holds marks and numbers too.
      const own = shown.replace(/“…?[^“”]*…?”/g, '');
      expect(own).not.toMatch(/[“”„«»「」‹›❝❞]|(?<!\p{N})"/u);
      expect(own).not.toMatch(/[[【]\s*\p{Nd}{1,2}\s*[\]】]/u);
      expect(own).not.toMatch(/[\u200b\u202e\u2060\u0007]|[\ud800-\udfff]|\u{e0041}/u);
    }),
    { numRuns: runs(1500) },
  );
});
