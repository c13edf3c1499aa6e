/**
 * The occurrences of a token, grouped by passage in ascending order. Entry `e` is in `passages[e]`; its offsets in the
 * text are `offsets[starts[e]..headings[e]]`, those in the heading `offsets[headings[e]..starts[e + 1]]`, each ascending.
 */
export type Postings = {
  readonly passages: Int32Array;
  readonly starts: Int32Array;
  readonly headings: Int32Array;
  readonly offsets: Int32Array;
};

/** One stored part of the postings of the token with this number; `passages` counts its entries. */
type PostingsPart = { readonly token: number; readonly passages: number; readonly bytes: Uint8Array };

/**
 * Gathers the occurrences of numbered tokens. Texts are added in the order of passages, a passage's heading after its
 * text.
 */
export function createPostings() {
  const tokens = createIntegers();
  // The texts: the passage of each, doubled and one more for a heading, and where its tokens end.
  const texts = createIntegers();
  const ends = createIntegers();
  return {
    /** The tokens so far; those pushed before `endText` are a text's. */
    tokens,
    endText(passage: number, isHeading: boolean): void {
      texts.push(2 * passage + (isHeading ? 1 : 0));
      ends.push(tokens.length());
    },
    /** The postings of all tokens in a given order; the bytes of one are overwritten by the next. */
    *parts(order: readonly number[]): Generator<PostingsPart> {
      const places = placesOf(texts.values(), ends.values());
      const { indexes, starts } = groupByToken(tokens.values(), order.length);
      const varints = createVarints();
      for (const token of order) {
        const own = indexes.subarray(starts[token], starts[token + 1]);
        yield { token, ...encode(own, places, varints) };
      }
    },
  };
}

type Places = { readonly texts: Int32Array; readonly offsets: Int32Array };

/** The text and offset of each occurrence. */
function placesOf(texts: Int32Array, ends: Int32Array): Places {
  const all = ends.at(-1) ?? 0;
  const places = { texts: new Int32Array(all), offsets: new Int32Array(all) };
  for (let text = 0, at = 0; text < texts.length; text++)
    for (const from = at; at < ends[text]!; at++) {
      places.texts[at] = texts[text]!;
      places.offsets[at] = at - from;
    }
  return places;
}

/** The indexes of all occurrences, sorted by token, and where those of each token start. */
function groupByToken(
  tokens: Int32Array,
  count: number,
): { readonly indexes: Int32Array; readonly starts: Int32Array } {
  const starts = new Int32Array(count + 1);
  for (let i = 0; i < tokens.length; i++) starts[tokens[i]! + 1] = starts[tokens[i]! + 1]! + 1;
  for (let token = 0; token < count; token++) starts[token + 1] = starts[token + 1]! + starts[token]!;
  const next = starts.slice();
  const indexes = new Int32Array(tokens.length);
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    indexes[next[token]!] = i;
    next[token] = next[token]! + 1;
  }
  return { indexes, starts };
}

/**
 * An entry is the distance to the passage before, doubled, and one more if the entry is a single occurrence in the text,
 * whose offset follows. Else two counts follow, of the text and of the heading, and the distances between offsets.
 */
function encode(
  indexes: Int32Array,
  { texts, offsets }: Places,
  varints: ReturnType<typeof createVarints>,
): Omit<PostingsPart, 'token'> {
  varints.clear();
  let count = 0;
  let before = 0;
  for (let from = 0, to = 0; from < indexes.length; from = to) {
    const passage = texts[indexes[from]!]! >> 1;
    let inText = 0;
    for (; to < indexes.length && texts[indexes[to]!]! >> 1 === passage; to++)
      if (texts[indexes[to]!]! % 2 === 0) inText++;
    const isSingle = to - from === 1 && inText === 1;
    varints.push(2 * (passage - before) + (isSingle ? 1 : 0));
    if (!isSingle) {
      varints.push(inText);
      varints.push(to - from - inText);
    }
    for (let i = from, offset = 0; i < to; i++) {
      if (i === from + inText) offset = 0;
      const next = offsets[indexes[i]!]!;
      varints.push(next - offset);
      offset = next;
    }
    before = passage;
    count++;
  }
  return { passages: count, bytes: varints.bytes() };
}

/** Reads one stored part. */
export function readPostings({ passages: count, bytes }: Omit<PostingsPart, 'token'>): Postings {
  const values = readVarints(bytes);
  const passages = new Int32Array(count);
  const starts = new Int32Array(count + 1);
  const headings = new Int32Array(count);
  const offsets = new Int32Array(values.length);
  let at = 0;
  let next = 0;
  for (let entry = 0, passage = 0; entry < count; entry++) {
    const head = values[at++]!;
    passages[entry] = passage += head >>> 1;
    const isSingle = head % 2 === 1;
    const inText = isSingle ? 1 : values[at++]!;
    const inHeading = isSingle ? 0 : values[at++]!;
    for (let i = 0, offset = 0; i < inText; i++) offsets[next++] = offset += values[at++]!;
    headings[entry] = next;
    for (let i = 0, offset = 0; i < inHeading; i++) offsets[next++] = offset += values[at++]!;
    starts[entry + 1] = next;
  }
  return { passages, starts, headings, offsets };
}

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

/**
 * Facts about a book's passages that scoring needs, by passage number: from 1 to `total`, with an empty passage of no
 * chapter before and after. `penalty` is BM25's for the length of a text; `chapterSize` counts passages.
 */
export type Layout = {
  readonly total: number;
  readonly penalty: Float64Array;
  readonly chapter: Int32Array;
  readonly chapterSize: readonly number[];
};

const K1 = 1.2;
const B = 0.75;
/** A term counts at most this many times its weight, however often it occurs. */
export const MOST_PER_TERM = K1 + 1;

/** The layout of passages with these lengths in tokens and these chapters, the first passage first. */
export function layOut(lengths: ArrayLike<number>, chapters: ArrayLike<number>): Layout {
  const total = lengths.length;
  let sum = 0;
  for (let i = 0; i < total; i++) sum += lengths[i]!;
  const average = sum / Math.max(1, total);
  const penalty = new Float64Array(total + 2);
  const chapter = new Int32Array(total + 2).fill(-1);
  const chapterSize: number[] = [];
  for (let i = 0; i < total; i++) {
    penalty[i + 1] = K1 * (1 - B + (B * lengths[i]!) / average);
    const one = chapters[i]!;
    chapter[i + 1] = one;
    chapterSize[one] = (chapterSize[one] ?? 0) + 1;
  }
  return { total, penalty, chapter, chapterSize };
}

/** The score that `count` occurrences of a term of weight 1 add to a passage. */
export function saturate(count: number, penalty: number): number {
  return (count * MOST_PER_TERM) / (count + penalty);
}

// Unsigned integers in groups of seven bits, the lowest first, as in LEB128.
const MORE = 128;
const MOST_BYTES = 5;

/** A growing sequence of varints. */
export function createVarints() {
  let bytes = new Uint8Array(64);
  let length = 0;
  return {
    push(value: number): void {
      if (length + MOST_BYTES > bytes.length) {
        const larger = new Uint8Array(2 * bytes.length);
        larger.set(bytes);
        bytes = larger;
      }
      let left = value;
      for (; left >= MORE; left >>>= 7) bytes[length++] = (left & 127) | MORE;
      bytes[length++] = left;
    },
    bytes: (): Uint8Array => bytes.subarray(0, length),
    clear(): void {
      length = 0;
    },
  };
}

/** The integers that `createVarints` wrote. */
export function readVarints(bytes: Uint8Array): Uint32Array {
  const values = new Uint32Array(bytes.length);
  let count = 0;
  let value = 0;
  let shift = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    value |= (byte & 127) << shift;
    if (byte < MORE) {
      values[count++] = value;
      value = shift = 0;
    } else shift += 7;
  }
  return values.subarray(0, count);
}

const FEWEST = 64;

/** A growing list of integers in one typed array. */
export function createIntegers(): Integers {
  let values = new Int32Array(FEWEST);
  let length = 0;
  return {
    push(value: number): void {
      if (length === values.length) {
        const larger = new Int32Array(2 * length);
        larger.set(values);
        values = larger;
      }
      values[length++] = value;
    },
    at: (index: number): number => values[index]!,
    length: () => length,
    values: (): Int32Array => values.subarray(0, length),
  };
}

export type Integers = {
  readonly push: (value: number) => void;
  readonly at: (index: number) => number;
  readonly length: () => number;
  readonly values: () => Int32Array;
};
