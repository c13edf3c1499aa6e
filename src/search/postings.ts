import { createIntegers } from './integers.ts';
import { createVarints, readVarints } from './varint.ts';

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
