import { type Range, sentencesOf } from '../text/sentence.ts';
import { countWords, cutToWords } from '../text/words.ts';
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

// Words that negate their neighbours, in common languages. They only decide how much of a sentence a quote shows. Words that mean something else in another of these languages
// are left out (Spanish "sin", Italian and German "mai", French "personne").
const WORDS =
  'no not never none nobody nothing nowhere neither nor cannot without hardly scarcely barely nay ' +
  "[a-z]*n['’]t nicht nichts nie niemals niemand kein keine keinen keinem keiner keines weder ohne ne pas jamais aucun " +
  'aucune rien ni sans non nunca jamás nada nadie ningún ninguno ninguna não nem sem niente nessuno nessuna senza niet ' +
  'geen nooit niets zonder inte ikke aldrig aldri ingen не ни нет никогда ничего без нельзя ні немає δεν μην ποτέ değil ' +
  'hiç لا لم لن ليس غير בלי לא אין नहीं मत';
const CHARACTERS = '[不没沒無无未非勿莫别別]|ない|ません|なか|なく|ไม่|มิได้';
const NEGATION = `(?<![\\p{L}\\p{N}])(?:${WORDS.replaceAll(' ', '|')})(?![\\p{L}\\p{N}\\p{M}])|${CHARACTERS}`;
const REACH = 40;
// A negation may be separated from its clause by markup and one line break, but not by punctuation or a paragraph's end.
const APART = '[ \\t\\u00a0*_`\\u00ad]*(?:\\r?\\n[ \\t>]*)?[*_`\\u00ad]*';

const LAST = new RegExp(`(?:${NEGATION})${APART}$`, 'iu');
const FIRST = new RegExp(`^${APART}(?:${NEGATION})`, 'iu');
const OPEN_END = /[\p{L}\p{N}\p{M}*_`]$/u;

/** Whether there is a negation right before `start`: "[Not] a soul was there". */
export function isAfterNegation(text: string, start: number): boolean {
  return LAST.test(text.slice(Math.max(0, start - REACH), start));
}

/** Whether there is a negation right after `start..end`: "I know him [not]". */
function isBeforeNegation(text: string, start: number, end: number): boolean {
  return OPEN_END.test(text.slice(start, end)) && FIRST.test(text.slice(end, end + REACH));
}
