import type { Postings } from './postings.ts';

const NONE: Postings = {
  passages: new Int32Array(0),
  starts: new Int32Array(1),
  headings: new Int32Array(0),
  offsets: new Int32Array(0),
};

/** The occurrences of any of several tokens as those of one. */
export function mergePostings(all: readonly Postings[]): Postings {
  const [first = NONE, ...others] = all;
  return others.reduce(mergeTwo, first);
}

function mergeTwo(a: Postings, b: Postings): Postings {
  if (a.passages.length === 0) return b;
  if (b.passages.length === 0) return a;
  const passages: number[] = [];
  const starts = [0];
  const headings: number[] = [];
  const offsets = new Int32Array(a.offsets.length + b.offsets.length);
  let end = 0;
  const put = (ranges: readonly Int32Array[]): number => {
    const from = end;
    for (const range of ranges) {
      offsets.set(range, end);
      end += range.length;
    }
    if (ranges.length > 1) offsets.subarray(from, end).sort();
    return end;
  };
  for (let i = 0, j = 0; i < a.passages.length || j < b.passages.length;) {
    const passage = Math.min(a.passages[i] ?? Infinity, b.passages[j] ?? Infinity);
    const entries: (readonly [Postings, number])[] = [];
    if (a.passages[i] === passage) entries.push([a, i++]);
    if (b.passages[j] === passage) entries.push([b, j++]);
    passages.push(passage);
    headings.push(put(entries.map(([one, e]) => one.offsets.subarray(one.starts[e], one.headings[e]))));
    starts.push(put(entries.map(([one, e]) => one.offsets.subarray(one.headings[e], one.starts[e + 1]))));
  }
  return {
    passages: Int32Array.from(passages),
    starts: Int32Array.from(starts),
    headings: Int32Array.from(headings),
    offsets,
  };
}
