import { countWords } from '../text/words.ts';
import type { Sentence } from './quotable-sentence.ts';
import { QUOTE_WORDS } from './quote.ts';

/** Sentences of a passage by number; `end` is an offset within the last one, or its end. */
type Stretch = { readonly from: number; readonly to: number; readonly end: number };

const LEADS_IN = /[:：][*_`"”»]*$/;
/** White space and the fence of a code block may stand between a lead-in and what it introduces. */
const BESIDE = /^\s*(?:[`~]{3}[^\n]*(?:\n\s*)?)?$/;

/** A stretch with the list or code it introduces, or with the sentence that introduces it, as far as 60 words allow. */
export function withLeadIn(
  text: string,
  sentences: readonly Sentence[],
  { from, to }: { readonly from: number; readonly to: number },
): Stretch {
  const first = leadInOf(text, sentences, from, to);
  const start = sentences[first]!.start;
  const fits = (end: number): boolean => countWords(text.slice(start, end)) <= QUOTE_WORDS;
  let last = to;
  let end = sentences[to]!.end;
  const isOpen = LEADS_IN.test(text.slice(sentences[to]!.start, end)) || first < from;
  while (isOpen && isIntroduced(text, sentences, last + 1)) {
    const next = sentences[last + 1]!;
    const lines = lineEnds(text, next).filter(fits);
    if (lines.length === 0) break;
    last++;
    end = lines.at(-1)!;
    if (end < next.end) break;
  }
  return { from: first, to: last, end };
}

/** The number of the sentence that introduces the list or code of a stretch, or the stretch's first. */
function leadInOf(text: string, sentences: readonly Sentence[], from: number, to: number): number {
  let first = from;
  while (isIntroduced(text, sentences, first)) first--;
  const { start, end } = sentences[first]!;
  const isLeadIn = first < from && LEADS_IN.test(text.slice(start, end));
  return isLeadIn && countWords(text.slice(start, sentences[to]!.end)) <= QUOTE_WORDS ? first : from;
}

/** Whether a sentence is an item or code right after the sentence before it. */
function isIntroduced(text: string, sentences: readonly Sentence[], n: number): boolean {
  const [before, one] = [sentences[n - 1], sentences[n]];
  if (before === undefined || one === undefined || one.kind === 'prose') return false;
  return BESIDE.test(text.slice(before.end, one.start));
}

/** The ends of a sentence's lines if it is code, else its end. */
function lineEnds(text: string, { start, end, kind }: Sentence): readonly number[] {
  if (kind !== 'code') return [end];
  const breaks = Array.from(text.slice(start, end).matchAll(/\n/g), ({ index }) => start + index);
  return [...breaks, end].filter((one) => one > start);
}
