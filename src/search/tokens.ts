import type { Database, Statement } from 'bun:sqlite';
import type { Tokenizer } from '../passages/text/tokenizer.ts';
import { tokensSchema } from './schema.ts';

/** A token of the text numbered `text`; `offset` counts that text's tokens. */
export type Token = { readonly text: number; readonly token: string; readonly offset: number };

/** Tokenizes texts exactly as the index does, with SQLite's own stemmer. */
export type Tokens = {
  /** All tokens of all texts, in order. */
  readonly cut: (texts: readonly string[]) => readonly Token[];
  /** For each list of tokens, the numbers of the texts that hold one of them. */
  readonly holding: (
    texts: readonly string[],
    lists: readonly (readonly string[])[],
  ) => readonly ReadonlySet<number>[];
};

export function openTokens(db: Database, tokenizer: Tokenizer): Tokens {
  db.run(tokensSchema(tokenizer));
  const add = db.prepare('INSERT INTO temp.asked(rowid, text) VALUES (?, ?)');
  const clear = db.prepare(`INSERT INTO temp.asked(asked) VALUES ('delete-all')`);
  const all: Statement<Token, []> = db.prepare(
    'SELECT doc AS text, term AS token, offset FROM temp.asked_token ORDER BY doc, offset',
  );
  const one = db.prepare('SELECT DISTINCT doc FROM temp.asked_token WHERE term = ?');
  const withTexts = <T>(texts: readonly string[], read: () => T): T =>
    db.transaction(() => {
      for (const [i, text] of texts.entries()) add.run(i, text);
      const found = read();
      clear.run();
      return found;
    })();
  const holdersOf = (token: string): readonly number[] =>
    (one.values(token) as [number][]).map(([text]) => text);
  return {
    cut: (texts) => withTexts(texts, () => all.all()),
    holding: (texts, lists) =>
      withTexts(texts, () => lists.map((tokens) => new Set(tokens.flatMap(holdersOf)))),
  };
}
