// How many lies the quote checker takes for quotes, and how many true quotes it loses; the table is in quotes.md.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findQuote } from '../../src/asking/quote-match.rule.ts';
import { type NormalizedText, normalizeText } from '../../src/asking/normalized-text.rule.ts';
import { quoteSentences, widenQuote } from '../../src/asking/quote-boundary.rule.ts';
import { countWords, type Range, sentencesOf } from '../../src/reading/sentence.rule.ts';
import { createRandom } from './random.ts';
import { isBent, LIES } from './shown-quotes.ts';
import { type Change, FLIPS, hideNegation, leaveOut, namesIn, pick, VARIANTS } from './quote-cases.ts';

type Book = {
  readonly text: NormalizedText;
  readonly names: readonly string[];
  readonly ranges: readonly Range[];
  readonly sentences: readonly string[];
};

/** Whether the case went wrong; null where the change does not apply to the sentence. */
type Case = (book: Book, sentence: string) => boolean | null;

const SEED = 20261120;
const LIES_A_KIND = 1_800;
const QUOTES_A_KIND = 1_000;
const ANSWERS_A_KIND = 600;
const TRIES_A_CASE = 100;
const FEWEST_WORDS = 5;
// Hyphenation and blocks add words: none of the variants is over the 60 words of a quote.
const MOST_WORDS = 45;
const SPEED_UNITS = 5_000_000;
const SPEED_QUOTES = 20;

const contents = process.argv.slice(2);
if (contents.length === 0) {
  console.error('Usage: bun run bench:quotes CONTENT_DIR…');
  process.exit(2);
}
const random = createRandom(SEED);
const books = contents.flatMap(readBooks);
const sentences = books.reduce((sum, book) => sum + book.sentences.length, 0);
console.log(`${books.length} books, ${sentences} sentences of ${FEWEST_WORDS} to ${MOST_WORDS} words\n`);

print('The sentence as it is', 'lost', [['unchanged', QUOTES_A_KIND, quoted((sentence) => sentence)]]);
print(
  'Flipped sentences',
  'accepted',
  [...Object.entries(FLIPS), ['a negation hidden by an ellipsis', hideNegation] as const].map(
    ([kind, flip]) => [kind, LIES_A_KIND, flipped(flip)],
  ),
);
print(
  'A reader sees in quotation marks',
  'differs from the book',
  Object.entries(LIES).map(([kind, lie]) => [kind, ANSWERS_A_KIND, bent(lie)]),
);
print(
  'Harmless, by who quotes',
  'lost',
  [...Object.entries(VARIANTS), ['words left out for an ellipsis', leaveOut] as const].map(([kind, vary]) => [
    kind,
    QUOTES_A_KIND,
    quoted(vary),
  ]),
);
print(
  'Harmless, in the book',
  'lost',
  Object.entries(VARIANTS).map(([kind, vary]) => [kind, QUOTES_A_KIND, printed(vary)]),
);
printSpeed();

function readBooks(content: string): readonly Book[] {
  const root = join(content, 'books');
  return readdirSync(root).map((slug) => {
    const files = readdirSync(join(root, slug)).filter((name) => name !== 'item.yaml');
    const text = files.map((name) => readFileSync(join(root, slug, name), 'utf8')).join('\n\n');
    const normalized = normalizeText(text);
    const ranges = quoteSentences(normalized);
    return { text: normalized, names: namesIn(text), ranges, sentences: [...proseOf(text)] };
  });
}

function* proseOf(text: string): Generator<string> {
  for (const { 0: paragraph } of text.matchAll(/(?:[^\n]+\n?)+/g)) {
    if (paragraph.startsWith('#')) continue;
    for (const { start, end } of sentencesOf(paragraph)) {
      const sentence = paragraph.slice(start, end);
      const words = countWords(sentence);
      if (words >= FEWEST_WORDS && words <= MOST_WORDS) yield sentence;
    }
  }
}

function flipped(flip: Change): Case {
  return (book, sentence) => {
    const quote = flip(sentence, random, book.names);
    if (quote === null) return null;
    const found = findQuote(book.text, normalizeText(quote));
    if (found === null) return false;
    // A lie is accepted if what is shown for it says no more than it does.
    const { start, end } = widenQuote(book.text, book.ranges, found);
    return lettersOf(book.text.text.slice(start, end)) === lettersOf(quote);
  };
}

function bent(lie: (typeof LIES)[string]): Case {
  return ({ text: { text }, names, sentences: all }, sentence) =>
    isBent(lie, { text, names, sentences: all }, all.indexOf(sentence), random);
}

function quoted(vary: Change): Case {
  return (book, sentence) => {
    const quote = vary(sentence, random, book.names);
    return quote === null ? null : !isFound(book.text, quote, sentence);
  };
}

function printed(vary: Change): Case {
  return (book, sentence) => {
    const text = vary(sentence, random, book.names);
    if (text === null) return null;
    const lead = 'A paragraph before it.\n\n';
    const found = findQuote(normalizeText(`${lead}${text}\n\nAnother one.`), normalizeText(sentence));
    return found === null || found.start < lead.length || found.end > lead.length + text.length;
  };
}

/** Whether the slice is the sentence, or one that says the same elsewhere in the book. */
function isFound(text: NormalizedText, quote: string, sentence: string): boolean {
  const found = findQuote(text, normalizeText(quote));
  return found !== null && lettersOf(text.text.slice(found.start, found.end)) === lettersOf(sentence);
}

function lettersOf(text: string): string {
  return normalizeText(text).normal.replace(/^…|…$/g, '').toLowerCase();
}

function print(title: string, verb: string, rows: readonly (readonly [string, number, Case])[]): void {
  console.log(`| ${title} | cases | ${verb} | share |\n| --- | --- | --- | --- |`);
  const counts = rows.map(([kind, most, one]) => ({ kind, ...count(most, one) }));
  const cases = counts.reduce((sum, row) => sum + row.cases, 0);
  const wrong = counts.reduce((sum, row) => sum + row.wrong, 0);
  for (const row of rows.length > 1 ? [...counts, { kind: 'together', cases, wrong }] : counts)
    console.log(
      `| ${row.kind} | ${row.cases} | ${row.wrong} | ${((100 * row.wrong) / row.cases).toFixed(2)} % |`,
    );
  console.log('');
}

function count(most: number, one: Case): { readonly cases: number; readonly wrong: number } {
  let [cases, wrong] = [0, 0];
  for (let tries = 0; cases < most && tries < most * TRIES_A_CASE; tries++) {
    const book = pick(books, random);
    const isWrong = one(book, pick(book.sentences, random));
    if (isWrong === null) continue;
    cases++;
    if (isWrong) wrong++;
  }
  return { cases, wrong };
}

function printSpeed(): void {
  const all = books.map(({ text }) => text.text).join('\n\n');
  const text = all.repeat(Math.ceil(SPEED_UNITS / all.length)).slice(0, SPEED_UNITS);
  const begun = performance.now();
  const folded = normalizeText(text);
  const done = performance.now();
  for (let i = 0; i < SPEED_QUOTES; i++)
    findQuote(folded, normalizeText(`He went “all” the way to the ${i}th town of a man — unknown`));
  const [fold, search] = [done - begun, performance.now() - done];
  console.log(
    `Folding 5,000,000 characters: ${fold.toFixed(0)} ms; then ${SPEED_QUOTES} quotes that are not there: ${search.toFixed(0)} ms`,
  );
}
