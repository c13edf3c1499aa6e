// `bun run bench:meaning --content DIR [--program CHECKOUT]`: how many questions of readers find the section that answers them
// in books without questions.yaml: those that somebody wrote section by section, and those of test/bench/sections/asked.jsonl.
// The books are those of test/bench/natural-books.ts, and the project's own. test/bench/meaning.md has the figures.
// `--embeddings URL --model NAME` asks every question with the vectors of that model too, and so does `--oracle`: with the
// gold place's for `all`, or for the `half` of the questions whose words the book has least, with noise for the others, or with
// noise for all (`none`).
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parseQuestions } from '../../src/catalog/questions.rule.ts';
import { listSections } from '../../src/asking/section-questions.ts';
import { readEmbeddingsConfig } from '../../src/platform/config/embeddings.ts';
import { openIndexFile } from '../../src/asking/search/index-file.sql.ts';
import type { Near } from '../../src/asking/search/vectors.ts';
import { openVectors } from './qa-vectors.ts';
import { openOracle } from './oracle.ts';
import type { Found } from '../../src/asking/split.rule.ts';
import type { Asked } from './sections.ts';

const PROJECT = join(import.meta.dir, '../..');
const SHOWN = 3;

const { values: flags } = parseArgs({
  options: {
    content: { type: 'string' },
    program: { type: 'string', default: PROJECT },
    embeddings: { type: 'string' },
    model: { type: 'string', default: 'oracle' },
    oracle: { type: 'string' },
  },
});
if (flags.content === undefined) {
  console.error(
    'Usage: bun run bench:meaning --content DIR [--program CHECKOUT] [--embeddings URL --model NAME | --oracle all|half|none]',
  );
  process.exit(2);
}
const program = resolve(flags.program);
const { compileSet, isHit } = (await import(
  join(program, 'test/bench/qa-set.ts')
)) as typeof import('./qa-set.ts');
const { openIndex } = (await import(
  join(program, 'src/asking/search/query.ts')
)) as typeof import('../../src/asking/search/query.ts');

type Span = { readonly path: string; readonly start: number; readonly end: number };
type Question = { readonly question: string; readonly gold: readonly Span[] };
type Book = { readonly name: string; readonly folder: string; readonly yaml: string };

const sets = join(PROJECT, 'test/bench/sections');
const published = ['handbook', 'guide', 'nomicon'].map((slug): Book => ({
  name: slug,
  folder: join(flags.content!, 'books', slug),
  yaml: join(sets, `${slug}.yaml`),
}));
const own = ['handbook', 'the-sky-before-rain', 'what-day-is-it'].map((slug): Book => {
  const folder = join(PROJECT, 'content/books', slug);
  return { name: `own ${slug}`, folder, yaml: join(folder, 'questions.yaml') };
});
const asked = readFileSync(join(sets, 'asked.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Asked)
  .filter(({ kind }) => kind === 'answered');

const oracle = flags.oracle === undefined ? null : openOracle();
const config = readEmbeddingsConfig(
  {
    BOOKSTALL_EMBEDDINGS: oracle?.url ?? flags.embeddings,
    BOOKSTALL_EMBEDDINGS_MODEL: flags.model,
  },
  (problem) => {
    throw new Error(problem);
  },
);
const all = [...published, ...own].map((book) => {
  const sections = sectionsOf(book.folder);
  const listed = [...(parseQuestions(readFileSync(book.yaml, 'utf8')).questions ?? [])].flatMap(
    ([key, some]) => some.map((question) => ({ question, gold: goldOf(sections, [key]) })),
  );
  const its = asked
    .filter((one) => published.includes(book) && one.book === book.name)
    .map(({ question, gold }) => ({ question, gold: goldOf(sections, gold) }));
  return { book, listed, asked: its };
});
/** The questions that the oracle brings near to their places. */
const aimed = new Set<Question>();
const rows: (Count & { readonly name: string })[] = [];
const noise: typeof rows = [];
const readers: (Count & { readonly name: string })[] = [];
for (const { book, listed, asked: its } of all) {
  const foreign = all
    .filter((other) => other.book !== book)
    .flatMap((other) => other.listed.filter((_, n) => n % 8 === 0).map(({ question }) => question));
  const judged = await judge(book, [...listed, ...its], foreign);
  for (const [way, count] of Object.entries(judged)) {
    rows.push({ name: `${book.name} ${way}`, ...count(listed) });
    if (flags.oracle === 'half')
      noise.push({ name: `with noise ${way}`, ...count(listed.filter((one) => !aimed.has(one))) });
    if (its.length > 0) readers.push({ name: `asked.jsonl ${way}`, ...count(its) });
  }
}
oracle?.close();
const ways = config === null ? ['by words'] : ['by words', 'by meaning'];
const those = (some: typeof rows, way: string) => some.filter(({ name }) => name.endsWith(way));
console.table([
  ...rows.map(shares),
  ...ways.map((way) => shares({ name: `all of these ${way}`, ...sum(those(rows, way)) })),
]);
console.table(ways.map((way) => shares({ name: `asked.jsonl ${way}`, ...sum(those(readers, way)) })));
if (noise.length > 0)
  console.table(ways.map((way) => shares({ name: `with noise ${way}`, ...sum(those(noise, way)) })));

function sectionsOf(folder: string) {
  const files = [...new Bun.Glob('**/*.md').scanSync(folder)];
  return new Map(
    files.flatMap((path) => listSections(folder, path).map((one) => [one.key, { ...one, path }] as const)),
  );
}

function goldOf(sections: ReadonlyMap<string, Span>, keys: readonly string[]): readonly Span[] {
  return keys.map((key) => sections.get(key)).filter((section) => section !== undefined);
}

/**
 * Asks a book that is compiled without its questions.yaml, its own questions and those of other books. Returns for each way a
 * function that counts the results of some of its questions.
 */
async function judge({ folder }: Book, questions: readonly Question[], foreign: readonly string[]) {
  const content = mkdtempSync(join(tmpdir(), 'bookstall-meaning-'));
  cpSync(folder, join(content, 'books/book'), { recursive: true });
  for (const left of ['questions.yaml', 'item.sig', 'item.signed', 'item.quotes', 'item.quotes.sig'])
    rmSync(join(content, 'books/book', left), { force: true });
  const set = compileSet(content);
  const { index: file, title, edition } = set.books.get('book')!;
  const index = openIndex(file);
  const search = (question: string, near: Near | null = null) => index.search(question, 8, title, near);
  const answered = questions.filter(({ gold }) => gold.length > 0);
  if (oracle !== null) aimOracle(file, answered, search);
  const near = config && (await openVectors(config, file, edition.manifest.language));
  const nearOf = async (question: string): Promise<Near | null> =>
    near === null ? null : (await near([question]))[0]!;
  for (const { question } of questions.slice(0, 50)) search(question);
  const counts = { 'by words': new Map<Question, Count>(), 'by meaning': new Map<Question, Count>() };
  for (const one of answered) {
    counts['by words'].set(
      one,
      outcomeOf(one, () => search(one.question)),
    );
    const its = await nearOf(one.question);
    if (its !== null)
      counts['by meaning'].set(
        one,
        outcomeOf(one, () => search(one.question, its)),
      );
  }
  const refused = { 'by words': { all: 0, near: 0 }, 'by meaning': { all: 0, near: 0 } };
  const count = (way: keyof typeof refused, { coverage, neededCoverage, isNear, quotes }: Found): void => {
    if (coverage >= neededCoverage) return;
    refused[way].all++;
    if (isNear === true && quotes.length > 0) refused[way].near++;
  };
  for (const question of foreign) {
    count('by words', search(question));
    if (near !== null) count('by meaning', search(question, await nearOf(question)));
  }
  index.close();
  set.close();
  rmSync(content, { recursive: true });
  const counter = (way: keyof typeof counts) => (some: readonly Question[]) => ({
    ...sum(some.flatMap((one) => counts[way].get(one) ?? [])),
    foreign: foreign.length,
    foreignRefused: refused[way].all,
    foreignNear: refused[way].near,
  });
  return {
    'by words': counter('by words'),
    ...(near === null ? {} : { 'by meaning': counter('by meaning') }),
  };
}

/** Brings questions near to their gold passages: all, or the half whose words the book covers least. */
function aimOracle(
  index: string,
  questions: readonly Question[],
  search: (question: string) => { readonly coverage: number },
): void {
  const file = openIndexFile(index);
  const passages = Array.from({ length: file.total }, (_, n) => file.passage(n + 1));
  file.close();
  const byCoverage = questions.toSorted((a, b) => search(a.question).coverage - search(b.question).coverage);
  const share = { all: 1, half: 1 / 2 }[flags.oracle!] ?? 0;
  for (const one of byCoverage.slice(0, share * byCoverage.length)) {
    const { question, gold } = one;
    aimed.add(one);
    oracle!.aim(
      question,
      passages
        .filter((passage) => isHit(passage, gold))
        .map(({ heading, plain, text }) => `${heading}\n${plain ?? text}`),
    );
  }
}

/** Counts how a question ends, each as 1 or 0. */
function outcomeOf({ gold }: Question, search: () => Found) {
  const before = process.cpuUsage();
  const { passages, quotes, coverage, neededCoverage, isNear: isWorth } = search();
  const { user, system } = process.cpuUsage(before);
  const rank = passages.findIndex((passage) => isHit(passage, gold));
  const isIn = ({ passage: { path }, start }: (typeof quotes)[number]): boolean =>
    gold.some((one) => one.path === path && one.start <= start && start < one.end);
  const isRefused = coverage < neededCoverage;
  const isLost = isRefused && rank >= 0 && rank < SHOWN;
  const isNear = isRefused && isWorth === true && quotes.slice(0, 1).some(isIn);
  return {
    questions: 1,
    first: Number(rank === 0),
    third: Number(rank >= 0 && rank < SHOWN),
    shown: Number(!isRefused && quotes.some(isIn)),
    near: Number(isNear),
    elsewhere: Number(isRefused && isWorth === true && quotes.length > 0 && !isNear),
    refused: Number(isRefused),
    lost: Number(isLost),
    unseen: Number(isLost && !isNear),
    micros: user + system,
    foreign: 0,
    foreignRefused: 0,
    foreignNear: 0,
  };
}

type Count = ReturnType<typeof outcomeOf>;

function sum(counts: readonly Count[]): Count {
  const add = (name: keyof Count): number => counts.reduce((all, one) => all + one[name], 0);
  const [first] = counts;
  const names = Object.keys(first ?? {}).filter((name) => name !== 'name') as (keyof Count)[];
  return Object.fromEntries(names.map((name) => [name, add(name)])) as Count;
}

function shares({ name, questions, ...count }: Count & { readonly name: string }) {
  const share = (value: number): string => `${((100 * value) / questions).toFixed(1)} %`;
  return {
    name,
    questions,
    'best 1': share(count.first),
    'best 3': share(count.third),
    shown: share(count.shown),
    'shown or nearest': share(count.shown + count.near),
    'nearest elsewhere': share(count.elsewhere),
    refused: share(count.refused),
    'refused, in best 3': share(count.lost),
    'and not nearest': share(count.unseen),
    'foreign refused': `${((100 * count.foreignRefused) / count.foreign).toFixed(1)} %`,
    'with a nearest': `${((100 * count.foreignNear) / count.foreign).toFixed(1)} %`,
    'ms of CPU': (count.micros / questions / 1000).toFixed(2),
  };
}
