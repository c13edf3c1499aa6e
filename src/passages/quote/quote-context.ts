import { type Range, sentencesOf } from '../text/sentence.ts';
import { countWords, cutToWords } from '../text/words.ts';
import { isAfterNegation, isBeforeNegation } from './negation.ts';
import type { NormalizedText } from './normalized-text.ts';
import { QUOTE_WORDS } from './quote.ts';
import { countQuoteWords } from './quote-match.ts';

/** A slice of a text, and whether its first sentence begins before it and its last one ends after it. */
type QuoteContext = Range & { readonly isCutBefore: boolean; readonly isCutAfter: boolean };

/** A slice that leaves out at most this many words of its sentence is widened to it. */
const MOST_WIDENED = 5;
/** A passage may begin or end inside a sentence only if the sentence is longer than a passage. */
const LONG_SENTENCE = 100;
const WORD = /[\p{L}\p{N}]/u;
/** A sentence goes on over the lines of a quotation. */
const QUOTATION = /^(?:[ \t]{0,3}>)+/gm;
const HIDDEN = /[\s\u00ad]/;
const UNFINISHED = /[\p{L}\p{N},;:-]\s*$/u;

/**
 * Widens a slice by the few words, or by a negation beside it, that it leaves out of its sentences, so that they cannot turn
 * its meaning round; never beyond 60 words.
 */
export function widenQuote(source: NormalizedText, sentences: readonly Range[], range: Range): QuoteContext {
  const first = sentences.find(({ start, end }) => start <= range.start && range.start < end);
  const last = sentences.find(({ start, end }) => start < range.end && range.end <= end);
  const start = first === undefined ? range.start : widenedStart(source, first, range);
  const end = last === undefined ? range.end : widenedEnd(source, last, range);
  const widened = [
    { start, end },
    { start, end: range.end },
    { start: range.start, end },
  ].find((one) => fits(source.text, one));
  const slice = widened ?? range;
  return {
    ...slice,
    isCutBefore: first !== undefined && isCutBefore(source.text, first, slice.start),
    isCutAfter: last !== undefined && isCutAfter(source.text, last, slice.end),
  };
}

/** The sentences of a source, as `widenQuote` needs them. */
export function quoteSentences({ text }: NormalizedText): readonly Range[] {
  return sentencesOf(text.replace(QUOTATION, (marks) => ' '.repeat(marks.length)));
}

function widenedStart({ text, shown }: NormalizedText, first: Range, { start }: Range): number {
  const words = countQuoteWords(text.slice(first.start, start));
  if (words === 0 || (words > MOST_WIDENED && !isAfterNegation(text, start))) return start;
  let begin = first.start;
  while (begin < start && HIDDEN.test(shown[begin]!)) begin++;
  return begin;
}

function widenedEnd({ text }: NormalizedText, last: Range, { start, end }: Range): number {
  const words = countQuoteWords(text.slice(end, last.end));
  return words === 0 || (words > MOST_WIDENED && !isBeforeNegation(text, start, end)) ? end : last.end;
}

function fits(text: string, { start, end }: Range): boolean {
  return cutToWords(text, QUOTE_WORDS, start, end) === end;
}

function isCutBefore(text: string, first: Range, start: number): boolean {
  if (WORD.test(text.slice(first.start, start))) return true;
  return first.start === 0 && /^\p{Ll}/u.test(text);
}

function isCutAfter(text: string, last: Range, end: number): boolean {
  if (WORD.test(text.slice(end, last.end))) return true;
  return (
    last.end >= text.trimEnd().length &&
    UNFINISHED.test(text) &&
    countWords(text.slice(last.start, last.end)) >= LONG_SENTENCE
  );
}
