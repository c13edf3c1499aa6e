// `bun run bench:sections --content DIR`: how many questions of readers show the section that answers them, with and without
// questions.yaml, which somebody wrote who had not seen the questions. The books are those of test/bench/natural-books.ts.
import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { listSections } from '../../src/asking/section-questions.ts';
import { createExtractive } from '../../src/asking/engines/extractive.ts';
import { openIndex } from '../../src/asking/search/query.ts';
import { compileSet, type SetBook } from './qa-set.ts';

export type Asked = {
  readonly book: string;
  readonly kind: 'answered' | 'near' | 'foreign';
  readonly question: string;
  /** Keys of sections, as in questions.yaml. */
  readonly gold: readonly string[];
};

const { values: flags } = parseArgs({
  options: { content: { type: 'string' }, list: { type: 'boolean', default: false } },
});
if (flags.content === undefined) {
  console.error('Usage: bun run bench:sections --content DIR [--list]');
  process.exit(2);
}
const from = flags.content;
const sets = join(import.meta.dir, 'sections');
const asked = readFileSync(join(sets, 'asked.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Asked);
console.table({ without: await figures(false), with: await figures(true) });

async function figures(withQuestions: boolean) {
  const content = mkdtempSync(join(tmpdir(), 'bookstall-sections-'));
  for (const slug of new Set(asked.map(({ book }) => book))) {
    cpSync(join(from, 'books', slug), join(content, 'books', slug), { recursive: true });
    if (withQuestions)
      copyFileSync(join(sets, `${slug}.yaml`), join(content, 'books', slug, 'questions.yaml'));
  }
  const set = compileSet(content);
  const outcomes: (Asked & { readonly isShown: boolean; readonly isRefused: boolean })[] = [];
  for (const one of asked) {
    const folder = join(content, 'books', one.book);
    outcomes.push({ ...one, ...(await ask(set.books.get(one.book)!, folder, one)) });
  }
  set.close();
  rmSync(content, { recursive: true });
  if (flags.list)
    for (const { kind, book, isShown, isRefused, question } of outcomes)
      console.log([kind, book, isShown ? 'shown' : isRefused ? 'refused' : 'other', question].join('\t'));
  const count = (kind: Asked['kind'], is: (one: (typeof outcomes)[number]) => boolean): string => {
    const some = outcomes.filter((one) => one.kind === kind);
    return `${some.filter(is).length} of ${some.length}`;
  };
  return {
    shown: count('answered', ({ isShown }) => isShown),
    'wrongly refused': count('answered', ({ isRefused }) => isRefused),
    'near refused': count('near', ({ isRefused }) => isRefused),
    'foreign refused': count('foreign', ({ isRefused }) => isRefused),
  };
}

async function ask({ edition, index, title }: SetBook, folder: string, { question, gold }: Asked) {
  const opened = openIndex(index);
  const found = opened.search(question, 8, title);
  opened.close();
  const sections = edition.chapters.flatMap(({ path }) =>
    listSections(folder, path).map((section) => ({ ...section, path })),
  );
  const { language } = edition.manifest;
  const { signal } = new AbortController();
  const shown: string[] = [];
  for await (const event of createExtractive().answer({
    ...found,
    query: question,
    book: { title, language },
    signal,
  }))
    if (event.type === 'cite') {
      const { path, start } = event;
      const own = sections.find((one) => one.path === path && one.start <= start && start < one.end);
      shown.push(own?.key ?? path);
    }
  return { isShown: shown.some((key) => gold.includes(key)), isRefused: shown.length === 0 };
}
