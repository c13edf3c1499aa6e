import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { artefactFile } from '../catalog/artefact.ts';
import { orderChapters } from '../catalog/text-order.ts';
import { readFileRecord } from '../catalog/file-record.ts';
import type { Edition } from '../catalog/catalog.ts';
import { inspectItem, listItemFolders } from './scan.ts';
import { type ItemFolder } from '../catalog/compile-job.ts';
import { readText } from '../catalog/file-scan.ts';
import { listSections, type NamedSection, nameSections, readQuestions } from '../asking/section-questions.ts';
import { readStall } from '../catalog/stall-edition.ts';
import { createExtractive } from '../asking/engines/extractive.ts';
import type { Limits } from '../platform/base/item-limits.ts';
import { Refusal } from '../platform/base/refusal.ts';
import { vectorFile } from '../asking/book-vectors.ts';
import { embedBatch } from '../asking/search/embedder.ts';
import { type Near, buildVectors, loadVectors, nearestPassages } from '../asking/search/vectors.ts';
import { openIndex } from '../asking/search/query.ts';
import type { EmbeddingsConfig } from '../platform/config/embeddings.ts';
import { type AskEvent, type Citation, type AnswerSource, citedAnswer } from '../asking/answer.ts';
import { refuseTextless } from '../asking/ask.ts';
import { openPool } from './publishing-session.ts';

export type Named = { readonly content: string; readonly slug: string; readonly limits: Limits };

/**
 * Compiles the book `slug` of a content directory, to ask it without a server. Refuses a missing book, one with
 * problems, and one without text.
 */
async function openLocalBook(named: Named) {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'bookstall-ask-'));
  const close = (): void => rmSync(dataDirectory, { recursive: true, force: true });
  try {
    const item = findBook(named);
    const edition = await compile(item, named, dataDirectory);
    const ask = (query: string, near?: Near) =>
      answerLocally(openSource(dataDirectory, near), { edition, query });
    return { edition, folder: item.folder, dataDirectory, ask, close };
  } catch (error) {
    close();
    throw error;
  }
}

/**
 * A book compiled into a temporary directory, which `close` removes, to be asked without a server. The engine that answers
 * needs no model.
 */
type LocalBook = Awaited<ReturnType<typeof openLocalBook>>;

export async function* askLocally({ query, ...named }: Named & { readonly query: string }) {
  const book = await openLocalBook(named);
  try {
    yield* book.ask(query);
  } finally {
    book.close();
  }
}

async function* answerLocally(
  source: AnswerSource,
  question: { readonly edition: Edition; readonly query: string },
): AsyncGenerator<AskEvent> {
  const { signal } = new AbortController();
  const startedAt = performance.now();
  for await (const event of citedAnswer(createExtractive(), source, question, signal))
    yield event.type === 'done' ? { ...event, latencyMs: Math.round(performance.now() - startedAt) } : event;
}

/**
 * A question of `questions.yaml` for the section `key`. `shown` are the keys of the sections that its answer cites, the
 * likeliest first; none without an answer. `meant` are those cited if a model's vectors help to find passages.
 */
type TriedQuestion = {
  readonly key: string;
  readonly question: string;
  readonly shown: readonly string[];
  readonly meant?: readonly string[];
};

/** A model for vectors, and the data directory of the server, which may have the book's already. */
type Model = { readonly embeddings: EmbeddingsConfig | null; readonly data: string };

export async function tryQuestions(named: Named & Model): Promise<readonly TriedQuestion[]> {
  const book = await openLocalBook(named);
  try {
    const questions = readQuestions(book.folder);
    const sections = book.edition.chapters.flatMap(({ path }) =>
      listSections(book.folder, path).map((section) => ({ ...section, path })),
    );
    const keyAt = ({ path, start }: Citation): string =>
      sections.find((one) => one.path === path && one.start <= start && start < one.end)?.key ?? path;
    const keysOf = async (question: string, near?: Near): Promise<readonly string[]> => [
      ...new Set((await citationsOf(book, question, near)).map(keyAt)),
    ];
    const nearOf = named.embeddings && (await openNear(book, named.embeddings, named.data));
    const tried: TriedQuestion[] = [];
    for (const [key, texts] of questions ?? []) {
      if (!sections.some((section) => section.key === key)) continue;
      for (const question of texts) {
        const meant = nearOf && { meant: await keysOf(question, await nearOf(question)) };
        tried.push({ key, question, shown: await keysOf(question), ...meant });
      }
    }
    return tried;
  } finally {
    book.close();
  }
}

/**
 * Makes the vectors of a book's passages that the server has not made yet. Returns a function that finds passages by them.
 */
async function openNear({ edition, dataDirectory }: LocalBook, config: EmbeddingsConfig, data: string) {
  const { name } = edition.artefacts.index!;
  const [made, file] = [vectorFile(data, edition), vectorFile(dataDirectory, edition)];
  mkdirSync(dirname(file), { recursive: true });
  if (existsSync(made)) copyFileSync(made, file);
  const its = { name, index: artefactFile(dataDirectory, { kind: 'index', name }), file, config };
  const { language } = edition.manifest;
  await buildVectors({
    ...its,
    foreign: join(dirname(file), 'foreign'),
    language,
    isDoubted: false,
    isWhole: true,
  });
  const loaded = loadVectors(its);
  return async (question: string): Promise<Near> => {
    const [vector] = await embedBatch(config, [config.queryPrefix + question]);
    return nearestPassages(loaded, vector!)!;
  };
}

async function citationsOf({ ask }: LocalBook, question: string, near?: Near): Promise<readonly Citation[]> {
  for await (const event of ask(question, near)) if (event.type === 'done') return event.citations;
  return [];
}

type ListedSection = NamedSection & {
  readonly headings: readonly string[];
  readonly text: string;
  readonly questions: readonly string[];
};

/** Reads a book's sections in reading order, also those without text. Refuses a book with errors. */
export function readBookSections({ content, slug, limits }: Named) {
  const item = { ...findBook({ content, slug }), defaults: readStall(content).stall.defaults };
  const { manifest, files } = inspectItem(item, limits, null);
  if (manifest === null) throw unservable(slug);
  const questions = readQuestions(item.folder);
  const sections = orderChapters(item.folder, manifest, files).flatMap(({ path }): ListedSection[] => {
    const chapter = readText(item.folder, path) ?? '';
    return nameSections(path, chapter).map((section, n, all) => ({
      ...section,
      headings: headingsOf(all.slice(0, n + 1)),
      text: chapter.slice(section.start, section.end),
      questions: questions?.get(section.key) ?? [],
    }));
  });
  return { folder: item.folder, manifest, sections };
}

/**
 * Returns the titles of the sections that contain the last one, the highest first, and then its own. Leaves out empty
 * titles.
 */
const headingsOf = (sections: readonly NamedSection[]): readonly string[] =>
  sections
    .filter(({ level }, n) => sections.slice(n + 1).every((later) => later.level > level))
    .flatMap(({ title }) => title || []);

function findBook({ content, slug }: Pick<Named, 'content' | 'slug'>): ItemFolder {
  const item = listItemFolders(content)?.find((one) => one.kind === 'book' && one.slug === slug);
  if (item === undefined)
    throw Refusal.missing(
      `Cannot find the book "${slug}" in the content directory "${content}": name a folder of its "books", or choose another directory with --content`,
    );
  return item;
}

const unservable = (slug: string): Refusal =>
  new Refusal(
    'no-content',
    `Cannot ask "${slug}": it cannot be served; "bookstall check" names its problems`,
  );

async function compile(
  item: ItemFolder,
  { content, slug, limits }: Named,
  dataDirectory: string,
): Promise<Edition> {
  const pool = openPool();
  try {
    const { edition } = await pool.compile({
      item: { ...item, defaults: readStall(content).stall.defaults },
      previous: null,
      dataDirectory,
      limits,
      rebuild: false,
      settledBefore: null,
    });
    if (edition === null) throw unservable(slug);
    refuseTextless(edition);
    return edition;
  } finally {
    pool.close();
  }
}

const openSource = (dataDirectory: string, near?: Near): AnswerSource => ({
  indexes: {
    search: async ({ artefacts, manifest }, { question, limit }) => {
      const index = openIndex(artefactFile(dataDirectory, artefacts.index!));
      try {
        return index.search(question, limit, manifest.title, near);
      } finally {
        index.close();
      }
    },
  },
  artefacts: {
    read: async (edition, path) => {
      const file = edition.files.find((one) => one.path === path);
      return file === undefined ? '' : readFileRecord(dataDirectory, edition, file).content;
    },
  },
});
