import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { artefactFile } from '../../src/catalog/artefact.ts';
import type { Edition } from '../../src/catalog/catalog.ts';
import { readFileRecord } from '../../src/catalog/file-record.ts';
import { refreshItem } from '../../src/publishing/refresh.ts';
import { listItemFolders } from '../../src/publishing/scan.ts';
import { defaultLimits } from '../../src/platform/base/item-limits.ts';
import { makeRelatedWords } from '../../.ci/related-words.ts';
import { buildIndex } from '../../src/asking/search/build.sql.ts';

/** One question of a set; `gold` are the spans that answer it, in UTF-16 offsets. */
export type SetQuestion = {
  readonly book: string;
  readonly question: string;
  readonly answerable: boolean;
  readonly gold: readonly Span[];
  readonly answers: readonly string[];
  readonly split?: string;
  /** The book to ask it of as a foreign question, where not every other one is. */
  readonly foreign?: string;
};

export type Span = { readonly path: string; readonly start: number; readonly end: number };

/** A book compiled by the product's own ingest, with the path of its index and the contents of its files. */
export type SetBook = {
  readonly title: string;
  readonly edition: Edition;
  readonly index: string;
  readonly contentOf: (path: string) => string;
};

/** Whether the rerank learns from a question: from those about half of the texts. */
const isLearned = ({ book, gold: [first] }: SetQuestion): boolean =>
  Bun.hash.crc32(`${book}/${first?.path}`) % 2 === 0;

/**
 * Reads a set of questions, one JSON object a line; `split` keeps those of that split. Of sets without splits, "learned" and
 * "unseen" are those that the rerank is trained on and the others.
 */
export function readQuestions(file: string, split: string | null): readonly SetQuestion[] {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const questions = lines.map((line) => JSON.parse(line) as SetQuestion);
  if (split === 'learned' || split === 'unseen')
    return questions.filter((one) => one.answerable && isLearned(one) === (split === 'learned'));
  return split === null ? questions : questions.filter((one) => one.split === split);
}

/** Compiles every book of a content directory into a directory of its own, which `close` removes. */
export function compileSet(content: string) {
  makeRelatedWords(join(import.meta.dir, '../..'));
  const dataDirectory = mkdtempSync(join(tmpdir(), 'bookstall-qa-'));
  const books = new Map<string, SetBook>();
  const contents = new Map<string, string>();
  for (const item of listItemFolders(content) ?? []) {
    if (item.kind !== 'book') continue;
    const { edition, problems } = refreshItem(
      { item, previous: null, dataDirectory, limits: defaultLimits, rebuild: false, settledBefore: null },
      (file, { manifest, chapters }) =>
        buildIndex(file, { language: manifest.language, aliases: manifest.aliases, chapters }).passages > 0,
    );
    const index = edition?.artefacts.index;
    if (edition === null || index === undefined)
      throw new Error(`Cannot ask "${item.slug}": ${JSON.stringify(problems)}`);
    books.set(item.slug, {
      title: edition.manifest.title,
      edition,
      index: artefactFile(dataDirectory, index),
      contentOf: (path) => {
        const key = `${item.slug}/${path}`;
        const file = edition.files.find((one) => one.path === path)!;
        const content = contents.get(key) ?? readFileRecord(dataDirectory, edition, file).content;
        contents.set(key, content);
        return content;
      },
    });
  }
  return { books, close: () => rmSync(dataDirectory, { recursive: true, force: true }) };
}

/** Whether a passage answers: it holds half of a gold span, or 80 % of it lies in one. */
export function isHit(passage: Span, gold: readonly Span[]): boolean {
  return gold.some((span) => {
    if (span.path !== passage.path) return false;
    const shared = Math.min(span.end, passage.end) - Math.max(span.start, passage.start);
    return shared >= (span.end - span.start) / 2 || shared >= 0.8 * (passage.end - passage.start);
  });
}
