import { constants, Database } from 'bun:sqlite';
import { pathToFileURL } from 'node:url';
import type { Span } from './qa-set.ts';

const STOP = new Set(
  (
    'a about after again all also am an and any are aren as at be because been before being both but by can could ' +
    'couldn d did didn do does doesn doing don done during each either else ever every few for from further get got ' +
    'had hadn has hasn have haven having he her here hers herself him himself his how however i if in into is isn it ' +
    'its itself just let ll m many may me might mine more most much must my myself neither no nor not now of off on ' +
    'once one only or other our ours out over own please re s same shall she should shouldn so some such t tell than ' +
    'that the their theirs them themselves then there these they this those though through to too under until up upon ' +
    'us ve very was wasn we were weren what whatever when where whether which while who whom whose why will with ' +
    'would wouldn yes yet you your yours'
  ).split(' '),
);
const MOST = 20;

/** Plain FTS5 over the same passages as written: the baseline for the product's search. */
export function openPlain(index: string): (question: string) => readonly Span[] {
  const book = new Database(
    `${pathToFileURL(index).href}?immutable=1`,
    constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI,
  );
  const db = new Database(':memory:');
  db.run(`CREATE VIRTUAL TABLE plain USING fts5(text, tokenize = 'porter unicode61 remove_diacritics 2')`);
  const add = db.prepare('INSERT INTO plain(rowid, text) VALUES (?, ?)');
  const places = new Map<number, Span>();
  for (const { id, text, ...place } of book
    .query<Span & { id: number; text: string }, []>(
      'SELECT passage.id, path, start, end, text FROM passage JOIN chapter ON chapter.id = chapter',
    )
    .all()) {
    add.run(id, text);
    places.set(id, place);
  }
  book.close();
  const best = db.prepare<{ rowid: number }, [string, number]>(
    'SELECT rowid FROM plain WHERE plain MATCH ? ORDER BY bm25(plain) LIMIT ?',
  );
  return (question) => {
    const words =
      question
        .normalize('NFKC')
        .toLowerCase()
        .match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu) ?? [];
    const terms = [...new Set(words)].filter((word) => !STOP.has(word));
    if (terms.length === 0) return [];
    return best
      .all(terms.map((term) => `"${term}"`).join(' OR '), MOST)
      .map(({ rowid }) => places.get(rowid)!);
  };
}
