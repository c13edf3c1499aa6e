// Format 3, of version 0.2: an FTS5 table read through fts5vocab, https://sqlite.org/fts5.html §5. A stall that was just
// updated answers from such indexes until its books are compiled again.
import type { Database } from 'bun:sqlite';
import { isCode } from '../passages/text/code.ts';
import { maskMarkup } from '../passages/text/markup.ts';
import type { Tokenizer } from '../passages/text/tokenizer.ts';
import type { IndexFile, StoredPassage } from './index-file.ts';
import { layOut } from './layout.ts';
import type { Postings } from './postings.ts';
import { indexSentences } from './sentences.ts';
import { tokenize } from './vocabulary.ts';

/** The contents of an index of the previous format. */
export function openOldIndexFile(db: Database): IndexFile {
  const { tokenizer } = db.query<{ tokenizer: Tokenizer }, []>('SELECT tokenizer FROM book').get()!;
  const sizes = db.query('SELECT sz FROM passage_docsize ORDER BY id').values() as [Uint8Array][];
  const chapters = db.query('SELECT chapter FROM place ORDER BY id').values() as [number][];
  const counted = db.prepare<{ doc: number }, [string]>('SELECT doc FROM term WHERE term = ?');
  const found = db.prepare(
    `SELECT doc, offset, col = 'heading' FROM token WHERE term = ? ORDER BY doc, col = 'heading', offset`,
  );
  const place = db.prepare<Omit<StoredPassage, 'sentences'>, [number]>(
    'SELECT path, heading, start, end, text FROM place JOIN chapter ON chapter.id = chapter WHERE place.id = ?',
  );
  return {
    tokenizer,
    aliases: new Map(),
    layout: layOut(
      // SQLite's varints, the first column's first, https://sqlite.org/fileformat2.html §1.6.
      sizes.map(([size]) => readBigEndian(size)),
      chapters.map(([chapter]) => chapter),
    ),
    count: (token) => counted.get(token)?.doc ?? 0,
    postings: (token) => gather(found.values(token) as [number, number, number][]),
    passage: (number) => {
      const row = place.get(number)!;
      const isProgram = isCode(row.path, row.text);
      const plain = isProgram ? row.text : maskMarkup(row.text);
      const count = (text: string): number => tokenize(text, tokenizer).length;
      return { ...row, sentences: indexSentences({ plain, isProgram }, tokenizer, count) };
    },
    close() {
      // SQLite keeps a closed database open until its last statement ends, which would wait for a garbage collection.
      for (const statement of [counted, found, place]) statement.finalize();
      db.close();
    },
  };
}

/** The postings of places in the order of passages, text before heading, and offsets. */
function gather(places: readonly [passage: number, offset: number, isHeading: number][]): Postings {
  const passages: number[] = [];
  const starts: number[] = [];
  const headings: number[] = [];
  for (const [i, [passage, , isHeading]] of places.entries()) {
    if (passage !== passages.at(-1)) {
      passages.push(passage);
      starts.push(i);
      headings.push(i);
    }
    if (isHeading === 0) headings[headings.length - 1] = i + 1;
  }
  return {
    passages: Int32Array.from(passages),
    starts: Int32Array.from([...starts, places.length]),
    headings: Int32Array.from(headings),
    offsets: Int32Array.from(places, ([, offset]) => offset),
  };
}

function readBigEndian(bytes: Uint8Array): number {
  let value = 0;
  for (const byte of bytes) {
    value = value * 128 + (byte & 127);
    if (byte < 128) break;
  }
  return value;
}
