import { constants, Database, type Statement } from 'bun:sqlite';
import { pathToFileURL } from 'node:url';
import { bestQuotes, quotableSentences } from '../passages/quote/best-quote.ts';
import type { FoundPassage, FoundQuote } from '../passages/text/passage.ts';
import { searchable } from '../passages/question/searchable.ts';
import type { Tokenizer } from '../passages/text/tokenizer.ts';
import { openCandidates } from './candidate.ts';
import { coverageOf } from './coverage.ts';
import type { Terms } from './occurrence.ts';
import { rerankScore } from './rerank.ts';
import { openTokens, type Tokens } from './tokens.ts';

/** The result of a search, best first. `coverage` is 0 to 1, and 0 when nothing was found. */
export type Found = {
  readonly passages: readonly FoundPassage[];
  readonly quotes: readonly FoundQuote[];
  readonly coverage: number;
};

/** An open index; `search` returns at most `limit` passages and three quotes. No question makes it throw. */
export type Index = {
  readonly search: (question: string, limit: number) => Found;
  readonly close: () => void;
};

type Row = Omit<FoundPassage, 'score'>;

const NOTHING: Found = { passages: [], quotes: [], coverage: 0 };
const MOST_QUOTES = 3;
/** Passages whose sentences are weighed. */
const QUOTED = 8;

/** Opens the index that `buildIndex` wrote; the file is never written and must not change while it is open. */
export function openIndex(file: string): Index {
  const uri = `${pathToFileURL(file).href}?immutable=1`;
  const db = new Database(uri, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI);
  try {
    return { search: openSearch(db), close: () => db.close() };
  } catch (error) {
    db.close();
    throw error;
  }
}

function openSearch(db: Database): Index['search'] {
  const { tokenizer } = db.query<{ tokenizer: Tokenizer }, []>('SELECT tokenizer FROM book').get()!;
  // In KiB: many books are open at once, and the system keeps their pages anyway.
  db.run('PRAGMA cache_size = -256');
  const tokens = openTokens(db, tokenizer);
  const findCandidates = openCandidates(db, tokenizer, tokens);
  const place: Statement<Row, [number]> = db.prepare(
    'SELECT path, heading, start, end, text FROM place JOIN chapter ON chapter.id = chapter WHERE place.id = ?',
  );
  return (question, limit) => {
    const { terms, candidates } = findCandidates(question);
    if (candidates.length === 0) return NOTHING;
    const passages = candidates
      .map(({ passage, features }) => ({ passage, score: rerankScore(features) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, limit)
      .map(({ passage, score }) => ({ ...place.get(passage)!, score }));
    const quotes = quotesOf(passages.slice(0, QUOTED), terms, tokens);
    return { passages, quotes, coverage: coverageOf(candidates, terms) };
  };
}

function quotesOf(
  passages: readonly FoundPassage[],
  { held, weight }: Terms,
  tokens: Tokens,
): readonly FoundQuote[] {
  const sentences = passages.map(quotableSentences);
  const texts = passages.flatMap(({ text }, p) =>
    sentences[p]!.map(({ start, end }) => searchable(text.slice(start, end))),
  );
  const overlaps = new Float64Array(texts.length);
  for (const [t, holders] of tokens
    .holding(
      texts,
      held.map((term) => term.tokens),
    )
    .entries())
    for (const text of holders) overlaps[text]! += held[t]!.weight / weight;
  let next = 0;
  const judged = passages.map((passage, p) => {
    const from = next;
    next += sentences[p]!.length;
    return { passage, sentences: sentences[p]!, overlaps: [...overlaps.subarray(from, next)] };
  });
  return bestQuotes(judged, MOST_QUOTES);
}
