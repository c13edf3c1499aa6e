import { Database } from 'bun:sqlite';
import { splitPassages } from '../passages/split.ts';
import { type Tokenizer, tokenizerFor } from '../passages/words.ts';
import { indexSchema } from './index-file.ts';
import { type IndexedSentence, indexSentences, writeSentences } from './sentences.ts';
import { createPostings, createVarints } from './postings.ts';
import { searchable } from '../passages/searchable.ts';
import { createVocabulary } from './vocabulary.ts';

/** A text file of a book, in reading order; `title` is used as heading if the text has none. */
export type Chapter = { readonly path: string; readonly content: string; readonly title: string | null };

/**
 * The contents of an index; `language` is a BCP 47 tag, or null to detect the script. `aliases` are words of readers, each
 * with the words that the book uses instead.
 */
type IndexedBook = {
  readonly language: string | null;
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  readonly chapters: Iterable<Chapter>;
};

/** Characters of the first chapters that are read to detect the script. */
const SAMPLE = 20_000;

/**
 * Writes the search index of one book to `file`, which must not exist: one SQLite file, nothing beside it, the same
 * bytes for the same book. Returns the number of passages. A failure leaves a broken `file` for the caller to remove.
 */
export function buildIndex(
  file: string,
  { language, aliases = {}, chapters }: IndexedBook,
  mostInMemory = MOST_IN_MEMORY,
): { readonly passages: number } {
  const db = new Database(file, { create: true, readwrite: true, strict: true });
  try {
    db.run('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;');
    return { passages: db.transaction(() => fill(db, { language, aliases, chapters }, mostInMemory))() };
  } finally {
    db.close();
  }
}

function fill(
  db: Database,
  { language, aliases, chapters }: Required<IndexedBook>,
  mostInMemory: number,
): number {
  const { first, rest } = peek(chapters);
  const tokenizer = tokenizerFor(language, first.map(({ content }) => content.slice(0, SAMPLE)).join('\n'));
  db.run(indexSchema());
  const writer = createWriter(db, createPostingsWriter(db, tokenizer, mostInMemory));
  for (const chapter of first) writer.add(chapter);
  for (const chapter of rest) writer.add(chapter);
  return writer.finish(aliases);
}

function createWriter(db: Database, postings: ReturnType<typeof createPostingsWriter>) {
  const addChapter = db.prepare('INSERT INTO chapter VALUES (?, ?)');
  const addPassage = db.prepare('INSERT INTO passage VALUES (?, ?, ?, ?, ?, ?, ?)');
  const lengths = createVarints();
  const chaptersOf = createVarints();
  let passages = 0;
  let chapters = 0;
  return {
    add({ path, content, title }: Chapter): void {
      addChapter.run(chapters, path);
      for (const passage of splitPassages(content, path)) {
        const { heading: own, start, end } = passage;
        const heading = own || (title ?? '');
        passages++;
        const { sentences, length } = postings.add(passages, passage, heading);
        lengths.push(length);
        chaptersOf.push(chapters);
        const text = content.slice(start, end);
        addPassage.run(passages, chapters, heading, start, end, text, writeSentences(sentences));
      }
      chapters++;
    },
    finish(aliases: Required<IndexedBook>['aliases']): number {
      postings.finish();
      const row = [postings.tokenizer, lengths.bytes(), chaptersOf.bytes(), JSON.stringify(aliases)] as const;
      db.prepare('INSERT INTO book VALUES (?, ?, ?, ?)').run(...row);
      return passages;
    },
  };
}

/** Separates the first chapters, enough to detect the script, from the others: a book is never whole in memory. */
function peek(chapters: Iterable<Chapter>): {
  readonly first: readonly Chapter[];
  readonly rest: Iterable<Chapter>;
} {
  const rest = Iterator.from(chapters);
  const first: Chapter[] = [];
  for (let seen = 0; seen < SAMPLE;) {
    const { value, done } = rest.next();
    if (done === true) break;
    first.push(value);
    seen += value.content.length + 1;
  }
  return { first, rest };
}

/** Occurrences kept in memory, 12 bytes each, before a part is written. */
const MOST_IN_MEMORY = 4_000_000;

/** Writes the tokens of passages, added in ascending order, to the table `posting`. */
function createPostingsWriter(db: Database, tokenizer: Tokenizer, mostInMemory: number) {
  const insert = db.prepare('INSERT INTO posting VALUES (?, ?, ?, ?)');
  let vocabulary = createVocabulary(tokenizer);
  let postings = createPostings();
  let part = 0;

  const write = (): void => {
    const tokens = vocabulary.tokens();
    // In the order of the table's key, so that its pages are filled one after the other.
    const order = Array.from(tokens, (_, token) => token).sort((a, b) => (tokens[a]! < tokens[b]! ? -1 : 1));
    for (const { token, passages, bytes } of postings.parts(order))
      insert.run(tokens[token]!, part, passages, bytes);
    part++;
    vocabulary = createVocabulary(tokenizer);
    postings = createPostings();
  };

  return {
    tokenizer,
    /** Returns the sentences of the text, and its length in tokens. */
    add(
      passage: number,
      text: { readonly plain: string; readonly isProgram: boolean },
      heading: string,
    ): { readonly sentences: readonly IndexedSentence[]; readonly length: number } {
      const { tokens } = postings;
      const before = tokens.length();
      const sentences = indexSentences(text, tokenizer, (piece) => {
        const from = tokens.length();
        vocabulary.read(piece, tokens);
        return tokens.length() - from;
      });
      const length = tokens.length() - before;
      postings.endText(passage, false);
      vocabulary.read(searchable(heading), tokens);
      postings.endText(passage, true);
      if (tokens.length() > mostInMemory) write();
      return { sentences, length };
    },
    finish: write,
  };
}
