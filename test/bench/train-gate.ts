// `bun run train:gate --content DIR --questions FILE [--split NAME] …`, each option once for every set (a split of "all" is
// the whole set, `--kept` the share of its answerable questions to keep): fits src/asking/search/gate.json, so that every set keeps its share of answerable questions and as many as
// possible of the questions asked of another book of the set are refused. A split of "kept" is the whole of a set whose
// questions are only to be kept: its books are translations of each other, or one. With `--refused SHARE`, once for every
// set, the gate keeps its shape, and its base is the least that refuses this share of each set's foreign questions.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openIndexFile } from '../../src/asking/search/index-file.sql.ts';
import { openIndex, wayOf } from '../../src/asking/search/query.ts';
import before from '../../src/asking/search/gate.json';
import { generator } from './qa-random.ts';
import { compileSet, readQuestions } from './qa-set.ts';

/** A little more than the 95 % that are promised: new questions differ, and new books differ more. */
const KEPT = 0.952;
const WHOLE = ['all', 'kept'];
const FROM = [1, 20, 40, 60, 80, 100, 150];
const EXPONENTS = Array.from({ length: 31 }, (_, i) => i / 100);
const MOST = [200, 300, 400, 600, 1000];

type Asked = { readonly passages: number; readonly coverage: number };
type QuestionSet = {
  readonly name: string;
  readonly kept: number;
  readonly way: keyof typeof before;
  readonly own: readonly Asked[];
  readonly foreign: readonly Asked[];
};
type Gate = {
  readonly base: number;
  readonly from: number;
  readonly exponent: number;
  readonly most: number;
};

const { values: flags } = parseArgs({
  options: {
    content: { type: 'string', multiple: true, default: [] },
    questions: { type: 'string', multiple: true, default: [] },
    split: { type: 'string', multiple: true, default: [] },
    kept: { type: 'string', multiple: true, default: [] },
    refused: { type: 'string', multiple: true, default: [] },
  },
});
if (flags.content.length === 0 || flags.content.length !== flags.questions.length) {
  console.error('Usage: bun run train:gate --content DIR --questions FILE [--split NAME] …');
  process.exit(2);
}
const sets = flags.content.map((content, i) =>
  ask(content, flags.questions[i]!, flags.split[i] ?? 'all', Number(flags.kept[i] ?? KEPT)),
);
const trained = Object.fromEntries(
  Object.entries(Object.groupBy(sets, ({ way }) => way)).map(([way, its]) => {
    const gates =
      flags.refused.length > 0
        ? [refusing(its, before[its[0]!.way])]
        : FROM.flatMap((from) =>
            EXPONENTS.flatMap((exponent) => MOST.map((most) => fit(its, { from, exponent, most }))),
          );
    const best = gates.reduce((a, b) => (scoreOf(its, b) > scoreOf(its, a) ? b : a));
    for (const { name, own, foreign } of its) {
      const [kept, refused] = [1 - refusedOf(own, best), refusedOf(foreign, best)].map(
        (share) => `${(100 * share).toFixed(2)} %`,
      );
      console.log(`${name}: ${kept} kept${foreign.length === 0 ? '' : `, ${refused} refused`}`);
    }
    const asked = its.reduce((sum, { own }) => sum + own.length, 0);
    const note = `bun run train:gate on ${asked} questions of ${its.length} sets`;
    return [way, { trainedBy: note, ...best }];
  }),
);
const file = join(import.meta.dir, '../../src/asking/search/gate.json');
writeFileSync(file, `${JSON.stringify({ ...before, ...trained }, null, 2)}\n`);
console.log(trained);

/** Asks every answerable question of its own book, and of another book of the set. */
function ask(content: string, questions: string, split: string, kept: number): QuestionSet {
  const random = generator(1);
  const set = compileSet(content);
  const books = new Map(
    [...set.books].map(([slug, { index }]) => {
      const file = openIndexFile(index);
      const { total, tokenizer } = file;
      file.close();
      return [slug, { total, tokenizer, search: openIndex(index).search }] as const;
    }),
  );
  const askOf = (slug: string, question: string): Asked => {
    const { total, search } = books.get(slug)!;
    return { passages: total, coverage: search(question, 1).coverage };
  };
  const all = readQuestions(questions, WHOLE.includes(split) ? null : split).filter(
    ({ answerable }) => answerable,
  );
  const own = all.map(({ book, question }) => askOf(book, question));
  const foreign = (split === 'kept' ? [] : all).flatMap(({ book, question, foreign }) => {
    const others = [...books.keys()].sort().filter((slug) => slug !== book);
    const other = foreign ?? others[Math.floor(random() * others.length)];
    return other === undefined ? [] : [askOf(other, question)];
  });
  set.close();
  const [first] = all;
  const way = wayOf(books.get(first!.book)!.tokenizer, first!.question);
  return { name: questions, kept, way, own, foreign };
}

/** The gate of a shape whose base is as high as every set allows. */
function fit(sets: readonly QuestionSet[], shape: Omit<Gate, 'base'>): Gate {
  const bases = sets.map(({ own, kept }) => {
    const bearable = own
      .map((one) => one.coverage / needed(one.passages, { base: 1, ...shape }))
      .sort((a, b) => a - b);
    return bearable[Math.floor((1 - kept) * bearable.length)]!;
  });
  return { base: Math.floor(1000 * Math.min(...bases)) / 1000, ...shape };
}

/** The gate of a shape whose base is as low as the wanted shares of refused questions allow. */
function refusing(sets: readonly QuestionSet[], { from, exponent, most }: Omit<Gate, 'base'>): Gate {
  const shape = { from, exponent, most };
  const bases = sets.map(({ foreign }, i) => {
    const ratios = foreign
      .map((one) => one.coverage / needed(one.passages, { base: 1, ...shape }))
      .sort((a, b) => a - b);
    return ratios[Math.ceil(Number(flags.refused[i]) * ratios.length)] ?? 0;
  });
  return { base: Math.ceil(1000 * Math.max(...bases)) / 1000, ...shape };
}

/** The sum of the shares of refused questions over the sets. */
function scoreOf(sets: readonly QuestionSet[], gate: Gate): number {
  return sets.reduce((sum, { foreign }) => sum + refusedOf(foreign, gate), 0);
}

function refusedOf(asked: readonly Asked[], gate: Gate): number {
  const refused = asked.filter(({ passages, coverage }) => coverage < needed(passages, gate));
  return refused.length / Math.max(1, asked.length);
}

function needed(passages: number, { base, from, exponent, most }: Gate): number {
  return base * (Math.max(from, Math.min(passages, most)) / from) ** exponent;
}
