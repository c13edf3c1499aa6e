// `bun run bench:meaning --content DIR [--program CHECKOUT]`: how many questions of readers find the section that answers them
// in books without questions.yaml: those that somebody wrote section by section, and those of test/bench/sections/asked.jsonl.
// The books are those of test/bench/natural-books.ts, and the project's own. test/bench/meaning.md has the figures.
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parseQuestions } from '../../src/catalog/questions.rule.ts';
import { listSections } from '../../src/asking/section-questions.ts';
import type { Asked } from './sections.ts';

const PROJECT = join(import.meta.dir, '../..');
const SHOWN = 3;
const NEAR = 1 / 2;

const { values: flags } = parseArgs({
  options: { content: { type: 'string' }, program: { type: 'string', default: PROJECT } },
});
if (flags.content === undefined) {
  console.error('Usage: bun run bench:meaning --content DIR [--program CHECKOUT]');
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

const all = [...published, ...own].map((book) => ({ book, sections: sectionsOf(book.folder) }));
const rows = all.map(({ book, sections }) => {
  const questions = [...(parseQuestions(readFileSync(book.yaml, 'utf8')).questions ?? [])];
  const its = questions.flatMap(([key, some]) =>
    some.map((question) => ({ question, gold: goldOf(sections, [key]) })),
  );
  return { name: book.name, ...judge(book, its) };
});
const readers = all.slice(0, published.length).map(({ book, sections }) => {
  const its = asked.filter((one) => one.book === book.name);
  return judge(
    book,
    its.map(({ question, gold }) => ({ question, gold: goldOf(sections, gold) })),
  );
});
console.table([...rows.map(shares), shares({ name: 'all of these', ...sum(rows) })]);
console.table([shares({ name: 'asked.jsonl', ...sum(readers) })]);

function sectionsOf(folder: string) {
  const files = [...new Bun.Glob('**/*.md').scanSync(folder)];
  return new Map(
    files.flatMap((path) => listSections(folder, path).map((one) => [one.key, { ...one, path }] as const)),
  );
}

function goldOf(sections: ReadonlyMap<string, Span>, keys: readonly string[]): readonly Span[] {
  return keys.map((key) => sections.get(key)).filter((section) => section !== undefined);
}

/** Asks a book that is compiled without its questions.yaml. */
function judge({ folder }: Book, questions: readonly Question[]) {
  const content = mkdtempSync(join(tmpdir(), 'bookstall-meaning-'));
  cpSync(folder, join(content, 'books/book'), { recursive: true });
  for (const left of ['questions.yaml', 'item.sig', 'item.signed', 'item.quotes', 'item.quotes.sig'])
    rmSync(join(content, 'books/book', left), { force: true });
  const set = compileSet(content);
  const { index: file, title } = set.books.get('book')!;
  const index = openIndex(file);
  const count = {
    questions: 0,
    first: 0,
    third: 0,
    shown: 0,
    near: 0,
    refused: 0,
    lost: 0,
    unseen: 0,
    micros: 0,
  };
  for (const { question } of questions.slice(0, 50)) index.search(question, SHOWN, title);
  for (const { question, gold } of questions) {
    if (gold.length === 0) continue;
    const before = process.cpuUsage();
    const { passages, quotes, coverage, neededCoverage } = index.search(question, 8, title);
    const { user, system } = process.cpuUsage(before);
    const rank = passages.findIndex((passage) => isHit(passage, gold));
    const isIn = ({ passage: { path }, start }: (typeof quotes)[number]): boolean =>
      gold.some((one) => one.path === path && one.start <= start && start < one.end);
    const isRefused = coverage < neededCoverage;
    const isLost = isRefused && rank >= 0 && rank < SHOWN;
    const isShown = !isRefused && quotes.some(isIn);
    const isNear = isRefused && coverage >= NEAR * neededCoverage && quotes.slice(0, 1).some(isIn);
    count.questions++;
    count.first += Number(rank === 0);
    count.third += Number(rank >= 0 && rank < SHOWN);
    count.shown += Number(isShown);
    count.near += Number(isNear);
    count.refused += Number(isRefused);
    count.lost += Number(isLost);
    count.unseen += Number(isLost && !isNear);
    count.micros += user + system;
  }
  index.close();
  set.close();
  rmSync(content, { recursive: true });
  return count;
}

type Count = ReturnType<typeof judge>;

function sum(counts: readonly Count[]): Count {
  const add = (name: keyof Count): number => counts.reduce((all, one) => all + one[name], 0);
  const [first] = counts;
  const names = Object.keys(first!).filter((name) => name !== 'name') as (keyof Count)[];
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
    refused: share(count.refused),
    'refused, in best 3': share(count.lost),
    'and not nearest': share(count.unseen),
    'ms of CPU': (count.micros / questions / 1000).toFixed(2),
  };
}
