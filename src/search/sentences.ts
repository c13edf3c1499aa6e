import { searchable } from '../passages/searchable.ts';
import { quotableSentences, type Sentence, type SentenceKind } from '../passages/best-quote.ts';
import type { Tokenizer } from '../passages/words.ts';
import { createVarints, readVarints } from './postings.ts';

/** A sentence of a passage, and where it begins and ends among the tokens of the passage. */
export type IndexedSentence = Sentence & { readonly from: number; readonly to: number };

/** The sentences of a passage's text. The text goes in pieces to `read`, which returns the number of tokens in a piece. */
export function indexSentences(
  { plain, isProgram }: { readonly plain: string; readonly isProgram: boolean },
  tokenizer: Tokenizer,
  read: (searchable: string) => number,
): readonly IndexedSentence[] {
  // A trigram reaches over the end of a sentence, and begins at each character.
  const isWhole = tokenizer === 'trigram';
  let whole = '';
  let done = 0;
  let tokens = 0;
  const readTo = (end: number): number => {
    const piece = searchable(plain.slice(done, end));
    done = end;
    if (isWhole) whole += piece;
    return (tokens += isWhole ? [...piece].length : read(piece));
  };
  const sentences = quotableSentences(plain, isProgram).map((sentence) => {
    const from = readTo(sentence.start);
    return { ...sentence, from, to: readTo(sentence.end) };
  });
  readTo(plain.length);
  if (isWhole) read(whole);
  return sentences;
}

const KINDS: readonly SentenceKind[] = ['prose', 'item', 'table', 'code'];
const CUT_BEFORE = 4;
const CUT_AFTER = 8;

/** The sentences as bytes. */
export function writeSentences(sentences: readonly IndexedSentence[]): Uint8Array {
  const varints = createVarints();
  let [end, to] = [0, 0];
  for (const sentence of sentences) {
    varints.push(sentence.start - end);
    varints.push(sentence.end - sentence.start);
    varints.push(sentence.words);
    varints.push(sentence.from - to);
    varints.push(sentence.to - sentence.from);
    varints.push(
      KINDS.indexOf(sentence.kind) +
        (sentence.isCutBefore ? CUT_BEFORE : 0) +
        (sentence.isCutAfter ? CUT_AFTER : 0),
    );
    ({ end, to } = sentence);
  }
  return varints.bytes();
}

const FIELDS = 6;

/** The sentences that `writeSentences` wrote. */
export function readSentences(bytes: Uint8Array): readonly IndexedSentence[] {
  const values = readVarints(bytes);
  const sentences: IndexedSentence[] = [];
  let [end, to] = [0, 0];
  for (let at = 0; at < values.length; at += FIELDS) {
    const start = end + values[at]!;
    end = start + values[at + 1]!;
    const from = to + values[at + 3]!;
    to = from + values[at + 4]!;
    const marks = values[at + 5]!;
    sentences.push({
      start,
      end,
      words: values[at + 2]!,
      kind: KINDS[marks % CUT_BEFORE]!,
      isCutBefore: (marks & CUT_BEFORE) !== 0,
      isCutAfter: (marks & CUT_AFTER) !== 0,
      from,
      to,
    });
  }
  return sentences;
}
