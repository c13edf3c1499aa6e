import type { Database } from 'bun:sqlite';

/**
 * Facts about a book's passages that scoring needs, by passage number: from 1 to `total`, with an empty passage of no
 * chapter before and after. `length` counts the tokens of a text, `chapterSize` the passages of a chapter.
 */
export type Layout = {
  readonly total: number;
  readonly average: number;
  readonly length: Uint32Array;
  readonly chapter: Int32Array;
  readonly chapterSize: readonly number[];
};

/** Reads the layout of an index. FTS5's docsize table holds the lengths as varints, the first column first. */
export function readLayout(db: Database): Layout {
  const sizes = db.query('SELECT id, sz FROM passage_docsize').values() as [number, Uint8Array][];
  const total = sizes.length;
  const length = new Uint32Array(total + 2);
  for (const [id, size] of sizes) length[id] = readVarint(size);
  const chapter = new Int32Array(total + 2).fill(-1);
  const chapterSize: number[] = [];
  for (const [id, number] of db.query('SELECT id, chapter FROM place').values() as [number, number][]) {
    chapter[id] = number;
    chapterSize[number] = (chapterSize[number] ?? 0) + 1;
  }
  const average = length.reduce((sum, one) => sum + one, 0) / Math.max(1, total);
  return { total, average, length, chapter, chapterSize };
}

/** SQLite's varint, big-endian in groups of seven bits (sqlite.org/fileformat2.html §1.6). */
function readVarint(bytes: Uint8Array): number {
  let value = 0;
  for (const byte of bytes) {
    value = value * 128 + (byte & 127);
    if (byte < 128) break;
  }
  return value;
}
