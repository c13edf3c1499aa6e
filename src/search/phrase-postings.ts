import type { Postings } from './postings.ts';

/** The occurrences of tokens right after one another, each where its first token is. */
export function phrasePostings([first, ...others]: readonly Postings[]): Postings {
  return others.reduce((found, next, i) => followed(found, next, i + 1), first!);
}

/** The occurrences of `a` that `b` follows at this distance, both in the text or both in the heading. */
function followed(a: Postings, b: Postings, distance: number): Postings {
  const passages: number[] = [];
  const starts = [0];
  const headings: number[] = [];
  const offsets: number[] = [];
  for (let i = 0, j = 0; i < a.passages.length && j < b.passages.length;) {
    const [left, right] = [a.passages[i]!, b.passages[j]!];
    if (left === right) {
      const text = b.offsets.subarray(b.starts[j], b.headings[j]);
      const heading = b.offsets.subarray(b.headings[j], b.starts[j + 1]);
      const before = offsets.length;
      for (let at = a.starts[i]!; at < a.headings[i]!; at++)
        if (text.includes(a.offsets[at]! + distance)) offsets.push(a.offsets[at]!);
      const parted = offsets.length;
      for (let at = a.headings[i]!; at < a.starts[i + 1]!; at++)
        if (heading.includes(a.offsets[at]! + distance)) offsets.push(a.offsets[at]!);
      if (offsets.length > before) {
        passages.push(left);
        headings.push(parted);
        starts.push(offsets.length);
      }
    }
    if (left <= right) i++;
    if (right <= left) j++;
  }
  return {
    passages: Int32Array.from(passages),
    starts: Int32Array.from(starts),
    headings: Int32Array.from(headings),
    offsets: Int32Array.from(offsets),
  };
}
