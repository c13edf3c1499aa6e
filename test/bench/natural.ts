// `bun run bench:natural --content DIR [--program CHECKOUT] [--list] [--json]`: how well questions as readers ask them are
// answered by books that nothing was tuned on. test/bench/natural.md says how the books come and what each figure means.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import books from './natural/books.json';

type Gold = { readonly path: string; readonly start: number; readonly end: number; readonly sha256: string };
type Asked = {
  readonly kind: 'answered' | 'near' | 'foreign' | 'true' | 'titled';
  readonly book: string;
  readonly question: string;
  /** In the book's words, in some of them, or sharing no content word with the gold span. */
  readonly wording?: 'book' | 'mixed' | 'own';
  readonly gold: readonly Gold[];
};
type Span = { readonly path: string; readonly start: number; readonly end: number };
type Outcome = Asked & {
  readonly language: string;
  /** Coverage over what the book needs: below 1 the question is refused. */
  readonly ratio: number;
  readonly rank: number;
  readonly isShown: boolean;
  readonly isFirst: boolean;
  readonly isDoubted: boolean;
  /** Whether a citation lies below the same heading as a gold span. */
  readonly isPlace: boolean;
  /** By length of the excerpt in words: whether one of the three best passages, cut to it, holds the gold span. */
  readonly curve: readonly boolean[];
  readonly isWhole: boolean;
  readonly shown: readonly string[];
};

const LENGTHS = [60, 90, 120, 180, 240];
const MOST = 60;
const SHOWN = 3;
const KEPT = 0.95;

const { values: flags } = parseArgs({
  options: {
    content: { type: 'string' },
    program: { type: 'string', default: join(import.meta.dir, '../..') },
    list: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
if (flags.content === undefined) {
  console.error('Usage: bun run bench:natural --content DIR [--program CHECKOUT] [--list] [--json]');
  process.exit(2);
}
const program = resolve(flags.program);
const { compileSet, isHit } = (await import(
  join(program, 'test/bench/qa-set.ts')
)) as typeof import('./qa-set.ts');
const { openIndex } = (await import(
  join(program, 'src/asking/search/query.ts')
)) as typeof import('../../src/asking/search/query.ts');
const { splitPassages } = (await import(
  join(program, 'src/asking/split.rule.ts')
)) as typeof import('../../src/asking/split.rule.ts');
const { createExtractive } = (await import(
  join(program, 'src/asking/engines/extractive.ts')
)) as typeof import('../../src/asking/engines/extractive.ts');

const questions = readFileSync(join(import.meta.dir, 'natural/questions.jsonl'), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Asked);
const set = compileSet(flags.content);
const open = new Map(
  books.map(({ slug, language }) => {
    const book = set.books.get(slug);
    if (book === undefined) throw new Error(`Cannot find the book "${slug}" in "${flags.content}"`);
    return [slug, { ...book, language, index: openIndex(book.index) }] as const;
  }),
);
const outcomes: Outcome[] = [];
for (const question of questions) outcomes.push(await ask(question));
for (const { index } of open.values()) index.close();
set.close();
if (flags.list) for (const one of outcomes) console.log(line(one));
if (flags.json) console.log(JSON.stringify({ figures: figures(), titled: titled(), outcomes }));
else {
  console.table(figures());
  console.table(languages());
  console.table(causes());
  console.table(chances());
  console.table(titled());
}

async function ask(asked: Asked): Promise<Outcome> {
  const book = open.get(asked.book)!;
  for (const { path, start, end, sha256 } of asked.gold) {
    const text = book.contentOf(path).slice(start, end);
    if (!new Bun.CryptoHasher('sha256').update(text).digest('hex').startsWith(sha256))
      throw new Error(`Cannot judge "${asked.question}": "${path}" is not the file that it was written for`);
  }
  const found = book.index.search(asked.question, MOST, book.title);
  const headingAt = (path: string, at: number): string | undefined =>
    splitPassages(book.contentOf(path), path).findLast(({ start }) => start <= at)?.heading;
  const shown: (Span & { readonly quote: string })[] = [];
  let isDoubted = false;
  const signal = new AbortController().signal;
  const { title, language } = book;
  const engine = createExtractive();
  for await (const event of engine.answer({
    ...found,
    query: asked.question,
    book: { title, language },
    signal,
  }))
    if (event.type === 'cite') {
      const { path, start, end } = event;
      shown.push({ path, start, end, quote: event.quote ?? '' });
    } else if (event.type === 'text' && event.isPlain === true) isDoubted = true;
  const rank = found.passages.findIndex((passage) => isHit(passage, asked.gold)) + 1;
  const best = found.passages.slice(0, SHOWN);
  const ratio = found.neededCoverage === 0 ? 1 : found.coverage / found.neededCoverage;
  const cut = (words: number): boolean =>
    best.some((passage) => holds(windowOf(passage, asked.question, best, words), asked.gold));
  return {
    ...asked,
    language,
    ratio,
    rank: rank === 0 ? Infinity : rank,
    isShown: shown.some((span) => holds(span, asked.gold)),
    isFirst: shown[0] !== undefined && holds(shown[0], asked.gold),
    isDoubted,
    isPlace: shown.some(({ path, start }) =>
      asked.gold.some((gold) => gold.path === path && headingAt(path, gold.start) === headingAt(path, start)),
    ),
    curve: LENGTHS.map((words) => ratio >= 1 && cut(words)),
    isWhole: ratio >= 1 && best.some((passage) => holds(passage, asked.gold)),
    shown: shown.map(({ quote }) => quote),
  };
}

function holds(span: Span, gold: readonly Span[]): boolean {
  return gold.some(({ path, start, end }) => span.path === path && span.start <= start && end <= span.end);
}

function wordsOf(text: string): readonly { readonly word: string; readonly at: number }[] {
  return [...new Intl.Segmenter('und', { granularity: 'word' }).segment(text)]
    .filter(({ isWordLike }) => isWordLike === true)
    .map(({ segment, index }) => ({ word: segment.toLowerCase().slice(0, 5), at: index }));
}

/**
 * A passage cut to at most so many words, at sentences: those that hold most of the question's words, a word weighing less
 * the more it stands in the passages found. Simpler than the program's own choice, so that the curve is of the length alone.
 */
function windowOf(
  passage: Span & { readonly text: string },
  question: string,
  all: readonly { readonly text: string }[],
  most: number,
): Span {
  const everywhere = all.flatMap(({ text }) => wordsOf(text).map(({ word }) => word));
  const weights = new Map(
    wordsOf(question).map(({ word }) => [word, 1 / (1 + everywhere.filter((one) => one === word).length)]),
  );
  const sentences = [...new Intl.Segmenter('und', { granularity: 'sentence' }).segment(passage.text)].map(
    ({ segment, index }) => ({
      start: index,
      end: index + segment.length,
      words: wordsOf(segment).map(({ word }) => word),
    }),
  );
  let best = { start: 0, end: 0, score: -1 };
  for (let from = 0; from < sentences.length; from++) {
    let count = 0;
    const held = new Set<string>();
    for (let to = from; to < sentences.length; to++) {
      const sentence = sentences[to]!;
      count += sentence.words.length;
      if (count > most && to > from) break;
      for (const word of sentence.words) if (weights.has(word)) held.add(word);
      const score = [...held].reduce((sum, word) => sum + weights.get(word)!, 0);
      const isLonger = score === best.score && sentence.end - sentences[from]!.start > best.end - best.start;
      if (score > best.score || isLonger) best = { start: sentences[from]!.start, end: sentence.end, score };
    }
  }
  return { path: passage.path, start: passage.start + best.start, end: passage.start + best.end };
}

function figures() {
  const of = (kind: Asked['kind']) => outcomes.filter((one) => one.kind === kind);
  const answered = of('answered');
  const rows = {
    all: answered,
    'in the book’s words': answered.filter(({ wording }) => wording === 'book'),
    'in some of them': answered.filter(({ wording }) => wording === 'mixed'),
    'in others': answered.filter(({ wording }) => wording === 'own'),
  };
  return Object.fromEntries(
    Object.entries(rows).map(([name, some]) => [
      name,
      {
        questions: some.length,
        shown: share(some, ({ isShown }) => isShown),
        ...Object.fromEntries([1, 3, 8, MOST].map((k) => [`top ${k}`, share(some, ({ rank }) => rank <= k)])),
        ...Object.fromEntries(
          LENGTHS.map((words, i) => [`${words} words`, share(some, ({ curve }) => curve[i]!)]),
        ),
        passages: share(some, ({ isWhole }) => isWhole),
        refused: share(some, ({ ratio }) => ratio < 1),
        ...(name === 'all' ? { 'near refused': share(of('near'), ({ ratio }) => ratio < 1) } : {}),
      },
    ]),
  );
}

function languages() {
  const all = [...new Set(outcomes.map(({ language }) => language))];
  return Object.fromEntries(
    all.map((language) => {
      const own = outcomes.filter((one) => one.language === language);
      const kept = own.filter(({ kind }) => kind === 'answered' || kind === 'true');
      const foreign = own.filter(({ kind }) => kind === 'foreign');
      const answered = own.filter(({ kind }) => kind === 'answered');
      const inWords = kept.filter(({ wording }) => wording !== 'own');
      return [
        language,
        {
          answered: answered.length,
          shown: share(answered, ({ isShown }) => isShown),
          'top 3': share(answered, ({ rank }) => rank <= 3),
          'top 8': share(answered, ({ rank }) => rank <= 8),
          true: kept.length,
          kept: share(kept, ({ ratio }) => ratio >= 1),
          foreign: foreign.length,
          refused: share(foreign, ({ ratio }) => ratio < 1),
          'at 95 %': share(foreign, ({ ratio }) => ratio < thresholdOf(kept)),
          'not in others': inWords.length,
          'kept of these': share(inWords, ({ ratio }) => ratio >= 1),
          'at 95 % of these': share(foreign, ({ ratio }) => ratio < thresholdOf(inWords)),
          near: share(
            own.filter(({ kind }) => kind === 'near'),
            ({ ratio }) => ratio < 1,
          ),
        },
      ];
    }),
  );
}

/** The highest ratio below which refusing still keeps the share. */
function thresholdOf(some: readonly Outcome[]): number {
  const ratios = some.map(({ ratio }) => ratio).sort((a, b) => a - b);
  return ratios[Math.floor((1 - KEPT) * ratios.length)] ?? 0;
}

/** Where the answers that show no gold span are lost. */
function causes() {
  const where: Readonly<Record<string, (one: Outcome) => boolean>> = {
    shown: ({ isShown }) => isShown,
    'in the best three, not shown': ({ rank }) => rank <= SHOWN,
    'at rank 4 to 8': ({ rank }) => rank <= 8,
    'at rank 9 to 60': ({ rank }) => rank <= MOST,
    'not among 60': () => true,
  };
  const names = Object.keys(where);
  const answered = outcomes.filter(({ kind }) => kind === 'answered');
  const causeOf = (one: Outcome): string => names.find((name) => where[name]!(one))!;
  return Object.fromEntries(
    names.map((name) => {
      const some = answered.filter((one) => causeOf(one) === name);
      const count = (is: (one: Outcome) => boolean): number => some.filter(is).length;
      return [
        name,
        {
          answered: count(({ ratio }) => ratio >= 1),
          refused: count(({ ratio }) => ratio < 1),
          book: count(({ wording }) => wording === 'book'),
          mixed: count(({ wording }) => wording === 'mixed'),
          own: count(({ wording }) => wording === 'own'),
        },
      ];
    }),
  );
}

/** How many answers show the gold span, by coverage over what the book needs; those of questions not covered show none. */
function chances() {
  const edges = [1, 1.3, 1.8, 2.5, Infinity];
  const given = outcomes.filter(({ kind, ratio }) => (kind === 'answered' || kind === 'near') && ratio >= 1);
  return Object.fromEntries(
    edges.slice(1).map((to, i) => {
      const some = given.filter(({ ratio }) => ratio >= edges[i]! && ratio < to);
      return [`${edges[i]} to ${to}`, { answers: some.length, shown: share(some, ({ isShown }) => isShown) }];
    }),
  );
}

/** "What is X in <title>?": those that the book answers, and those of the same form that it does not. */
function titled() {
  const all = outcomes.filter(({ kind }) => kind === 'titled');
  const rows = {
    covered: all.filter(({ gold }) => gold.length > 0),
    'not covered': all.filter(({ gold }) => gold.length === 0),
  };
  return Object.fromEntries(
    Object.entries(rows).map(([name, some]) => [
      name,
      {
        questions: some.length,
        shown: share(some, ({ isShown }) => isShown),
        place: share(some, ({ isPlace }) => isPlace),
        first: share(some, ({ isFirst }) => isFirst),
        'place with doubt': share(some, ({ isPlace, isDoubted }) => isPlace && isDoubted),
        refused: share(some, ({ ratio }) => ratio < 1),
        'wrong with doubt': share(some, ({ isPlace, isDoubted }) => !isPlace && isDoubted),
        'wrong without': share(some, (one) => one.ratio >= 1 && !one.isPlace && !one.isDoubted),
      },
    ]),
  );
}

function share(some: readonly Outcome[], is: (one: Outcome) => boolean): string {
  const count = some.filter(is).length;
  return `${count} (${Math.round((100 * count) / Math.max(1, some.length))} %)`;
}

function line(one: Outcome): string {
  const doubt = one.isDoubted ? ' with doubt' : '';
  const outcome =
    one.ratio < 1 ? 'refused' : `${one.isShown ? 'shown' : one.isPlace ? 'place' : 'answered'}${doubt}`;
  return [one.kind, one.book, outcome, one.rank, one.ratio.toFixed(2), one.question].join('\t');
}
