// How many lies the quote checker takes for quotes, and how many true quotes it knows again; see quotes.md.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findQuote } from '../../src/passages/find-quote.ts';
import { type FoldedText, foldText } from '../../src/passages/fold.ts';
import { sentencesOf } from '../../src/passages/sentence.ts';
import { countWords } from '../../src/passages/words.ts';
import { createRandom, FLIPS, hideNegation, leaveOut, namesIn, pick, VARIANTS } from './quote-cases.ts';

type Book = { readonly names: readonly string[]; readonly sentences: readonly Sentence[] };
type Sentence = { readonly text: string; readonly file: FoldedText; readonly start: number };
type Row = {
  readonly kind: string;
  readonly cases: number;
  readonly taken: number;
  readonly wrong: readonly string[];
};

const SEED = 20261120;
const FLIPS_A_KIND = 1_800;
const VARIANTS_A_KIND = 1_000;
const FEWEST_WORDS = 5;
const MOST_WORDS = 58;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { show: { type: 'boolean', default: false } },
});
const random = createRandom(SEED);
const books = positionals.flatMap(booksOf);
const rows = {
  lies: [...Object.entries(FLIPS), ['negation hidden by an ellipsis', hideNegation] as const].map(
    ([kind, flip]) =>
      measure(kind, FLIPS_A_KIND, (book, sentence) => {
        const quote = flip(sentence.text, random, book.names);
        return quote === null ? null : judge(sentence.file, quote, (found) => found !== null);
      }),
  ),
  written: [...Object.entries(VARIANTS), ['ellipsis in the middle', leaveOut] as const].map(([kind, vary]) =>
    measure(kind, VARIANTS_A_KIND, (book, sentence) => {
      const quote = vary(sentence.text, random, book.names);
      return quote === null ? null : judge(sentence.file, quote, (found) => found !== sentence.text);
    }),
  ),
  printed: Object.entries(VARIANTS).map(([kind, vary]) =>
    measure(kind, VARIANTS_A_KIND, (book, sentence) => {
      const printed = vary(sentence.text, random, book.names);
      if (printed === null) return null;
      const file = foldText(`${sentence.file.text.slice(0, 2000)}\n\n${printed}\n\nAnother one.`);
      return judge(file, sentence.text, (found) => found === null);
    }),
  ),
};
void rows;

function booksOf(content: string): readonly Book[] {
  const root = join(content, 'books');
  return readdirSync(root).map((slug) => {
    const files = readdirSync(join(root, slug)).filter((name) => name !== 'item.yaml');
    const texts = files.map((name) => readFileSync(join(root, slug, name), 'utf8'));
    return { names: namesIn(texts.join('\n')), sentences: texts.flatMap(sentencesIn) };
  });
}
