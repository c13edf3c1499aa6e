// `bun run bench:qa --content DIR --questions FILE [--split NAME] [--json]`: how well the product's own ingest and search
// answer a set of questions. test/bench/qa.md says what each figure means.
import { parseArgs } from 'node:util';
import { createExtractive } from '../../src/asking/engines/extractive.ts';
import { type Index, openIndex } from '../../src/asking/search/query.ts';
import type { Found } from '../../src/asking/split.rule.ts';
import { countWords } from '../../src/reading/sentence.rule.ts';
import { openPlain } from './qa-plain.ts';
import { generator } from './qa-random.ts';
import { compileSet, isHit, readQuestions, type SetBook, type SetQuestion, type Span } from './qa-set.ts';

const KS = [1, 3, 5, 10, 20] as const;
const MOST = 20;
const KEPT = 0.95;

type Book = SetBook & {
  readonly slug: string;
  readonly search: Index['search'];
  readonly plain: (question: string) => readonly Span[];
};

const { values: flags } = parseArgs({
  options: {
    content: { type: 'string' },
    questions: { type: 'string' },
    split: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
if (flags.content === undefined || flags.questions === undefined) {
  console.error('Usage: bun run bench:qa --content DIR --questions FILE [--split NAME] [--json]');
  process.exit(2);
}
const questions = readQuestions(flags.questions, flags.split ?? null);
const set = compileSet(flags.content);
const books = new Map([...set.books].map(([slug, book]) => [slug, openBook(slug, book)]));
const figures = await measure(questions.map((question) => ({ question, book: bookOf(question) })));
set.close();
if (!flags.json) console.table(figures);
else console.log(JSON.stringify(figures));

function openBook(slug: string, book: SetBook): Book {
  const { search } = openIndex(book.index);
  return { ...book, slug, search, plain: openPlain(book.index) };
}

function bookOf({ book }: SetQuestion): Book {
  const found = books.get(book);
  if (found === undefined) throw new Error(`Cannot find the book "${book}" in "${flags.content}"`);
  return found;
}

async function measure(asked: readonly { readonly question: SetQuestion; readonly book: Book }[]) {
  const own = asked.map(({ question, book }) => ({
    question,
    book,
    found: book.search(question.question, MOST, book.title),
  }));
  const answerable = own.filter(({ question }) => question.answerable);
  const ranks = answerable.map(({ question, found }) => rankOf(found.passages, question.gold));
  const plain = answerable.map(({ question, book }) => rankOf(book.plain(question.question), question.gold));
  const quotes = await Promise.all(answerable.map(quote));
  const listed = answerable
    .map(({ question }, i) => ({ answers: question.answers, quotes: quotes[i]! }))
    .filter(({ answers }) => answers.length > 0);
  return {
    ...Object.fromEntries(KS.map((k) => [`recall@${k}`, percent(ranks, (rank) => rank <= k)])),
    'mrr@10': round((100 * ranks.reduce((sum, rank) => sum + (rank <= 10 ? 1 / rank : 0), 0)) / ranks.length),
    ...Object.fromEntries(KS.map((k) => [`plain@${k}`, percent(plain, (rank) => rank <= k)])),
    'plainMrr@10': round(
      (100 * plain.reduce((sum, rank) => sum + (rank <= 10 ? 1 / rank : 0), 0)) / plain.length,
    ),
    ...refusals(
      answerable,
      own.filter(({ question }) => !question.answerable),
    ),
    shown:
      listed.length === 0
        ? null
        : percent(listed, ({ answers, quotes }) =>
            answers.some((answer) => quotes.some(({ text }) => text.includes(answer))),
          ),
    excerpts: round(quotes.flat().length / quotes.length),
    words: round(quotes.flat().reduce((sum, { text }) => sum + countWords(text), 0) / quotes.length),
    verbatim: percent(quotes.flat(), ({ isVerbatim }) => isVerbatim),
    questions: own.length,
  };
}

type Answered = { readonly question: SetQuestion; readonly book: Book; readonly found: Found };

/** The rank of the first hit among passages, from 1; Infinity if there is no hit. */
function rankOf(passages: readonly Span[], gold: readonly Span[]): number {
  const first = passages.findIndex((passage) => isHit(passage, gold));
  return first < 0 ? Infinity : first + 1;
}

/** The quotes of the extractive engine with its gate off, compared with the book's own text. */
async function quote({ question, book, found }: Answered) {
  const quotes: { readonly text: string; readonly isVerbatim: boolean }[] = [];
  const asked = {
    ...found,
    query: question.question,
    book: { title: book.title },
    signal: new AbortController().signal,
  };
  for await (const event of createExtractive(0).answer(asked)) {
    if (event.type !== 'cite') continue;
    const text = event.quote ?? '';
    quotes.push({ text, isVerbatim: book.contentOf(event.path).slice(event.start, event.end) === text });
  }
  return quotes;
}

/** Each question also asked of another book of the set, chosen by a seeded generator. */
function refusals(answerable: readonly Answered[], unanswerable: readonly Answered[]) {
  const random = generator(1);
  const slugs = [...books.keys()].sort();
  const own = answerable.map(({ found }) => found);
  const coverages = own.map(({ coverage }) => coverage).sort((a, b) => a - b);
  // The highest threshold that still keeps the share.
  const threshold = coverages[Math.floor((1 - KEPT) * coverages.length)] ?? 0;
  console.error(`Threshold that keeps ${100 * KEPT} %: ${threshold.toFixed(3)}`);
  const adversarial = unanswerable.map(({ found }) => found);
  const foreign = answerable.flatMap(({ question, book }) => {
    const others = slugs.filter((slug) => slug !== book.slug);
    const other = books.get(others[Math.floor(random() * others.length)] ?? '');
    return other === undefined ? [] : [other.search(question.question, 1, other.title)];
  });
  const share = (all: readonly Found[], is: (one: Found) => boolean) =>
    all.length === 0 ? null : percent(all, is);
  const isBelow = ({ coverage }: Found): boolean => coverage < threshold;
  const isRefused = ({ coverage, neededCoverage }: Found): boolean => coverage < neededCoverage;
  return {
    refused: share(foreign, isBelow),
    kept: percent(own, (one) => !isBelow(one)),
    refusedShipped: share(foreign, isRefused),
    keptShipped: percent(own, (one) => !isRefused(one)),
    refusedUnanswerable: share(adversarial, isBelow),
    refusedUnanswerableShipped: share(adversarial, isRefused),
  };
}

function percent<T>(all: readonly T[], is: (one: T) => boolean): number {
  return round((100 * all.filter(is).length) / Math.max(1, all.length));
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
