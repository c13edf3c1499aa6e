import type { Database } from 'bun:sqlite';
import { searchable } from '../passages/question/searchable.ts';
import type { Tokenizer } from '../passages/text/tokenizer.ts';
import { createPostings } from './postings.ts';
import { type IndexedSentence, indexSentences } from './sentences.ts';
import { createVocabulary } from './vocabulary.ts';

/** Occurrences kept in memory, 12 bytes each, before a part is written. */
export const MOST_IN_MEMORY = 4_000_000;

/** Writes the tokens of passages, added in ascending order, to the table `posting`. */
export function createPostingsWriter(db: Database, tokenizer: Tokenizer, mostInMemory: number) {
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
