import { countWords, cutToWords, type Range, sentencesOf, UNSPACED } from '../reading/sentence.rule.ts';
import { lazySegmenter } from '../platform/base/text.ts';
import type { NormalizedText } from './normalized-text.rule.ts';
import { QUOTE_WORDS } from './best-quote.rule.ts';

const NO_WORD = /[^\p{L}\p{N}\p{M}\s]+/gu;

// The number of UTF-16 units examined on each side of an offset, to tell whether it is inside a word, a number or a grapheme.
const REACH = 32;
// Matches marks that readers do not see as the end of a word: "un**able**" and "snake_case" are one word each.
const SEEN_THROUGH = /[*_`~\u00ad\u200b\u2060\ufeff]+/g;
const ONE_UNSPACED = `[${UNSPACED}]`;
const words = lazySegmenter('en', 'word');

const LETTER = '[\\p{L}\\p{N}\\p{M}]';
const HYPHEN = '-\\u2010\\u2011';
// Characters that join two parts of a word (well-known, it's, and/or, a@b, R&D) or of a number (3.5, 1,000, 12:30, 1939–1945).
const JOINER = `[${HYPHEN}'’&/@\\\\]`;
const COUNTED = '[.,:\\u2013\\u2014]';

const UNSPACED_PAIR = `${ONE_UNSPACED}\\0${ONE_UNSPACED}`;
const IS_UNSPACED = new RegExp(UNSPACED_PAIR, 'u');

/** Matches an offset, written as \0, whose neighbouring characters must not be separated. */
const INSIDE = new RegExp(
  [
    // UAX #29 GB9, GB11, GB12: marks, joiners, modifiers, flags.
    '\\0[\\p{M}\\u200c\\u200d\\p{Emoji_Modifier}\\u{e0020}-\\u{e007f}]',
    '\\u200d\\0',
    '\\p{Regional_Indicator}\\0\\p{Regional_Indicator}',
    '[\\ud800-\\udbff]\\0[\\udc00-\\udfff]',
    `(?!${UNSPACED_PAIR})${LETTER}\\0${LETTER}`,
    `${LETTER}\\0${JOINER}${LETTER}`,
    `${LETTER}${JOINER}\\0${LETTER}`,
    `\\p{L}(?:\\0\\.|\\.\\0)(?!${ONE_UNSPACED})\\p{L}`,
    `\\p{N}(?:\\0${COUNTED}|${COUNTED}\\0)\\p{N}`,
    // "-5", ".5", "$5", "<5" and "5%", "5°", "5<sup>2": the sign or unit is part of the number.
    `(?:(?<![.…\\p{L}])\\.|\\p{S}|(?<!\\p{Dash})[${HYPHEN}\\u2012\\u2013])\\0\\p{N}`,
    '\\p{N}\\0[\\p{S}%‰]',
    // The sign is part of the word, as in C++, C# and x^2.
    '\\p{L}\\0[+#^]',
  ].join('|'),
  'u',
);

export function isQuoteBoundary(text: string, offset: number): boolean {
  const before = text.slice(Math.max(0, offset - REACH), offset).replace(SEEN_THROUGH, '');
  const after = text.slice(offset, offset + REACH).replace(SEEN_THROUGH, '');
  if (before === '' || after === '') return true;
  const both = `${before}\0${after}`;
  if (INSIDE.test(both)) return false;
  if (!IS_UNSPACED.test(both)) return true;
  return (
    words()
      .segment(before + after)
      .containing(before.length)?.index === before.length
  );
}

/** The closing quotation marks for each opening mark, in many languages. */
export const CLOSINGS: Readonly<Record<string, string>> = Object.fromEntries(
  `“” „“” ‟” ”” "" ＂＂ «» »« ‹› ›‹ 「」 『』 ﹁﹂ ﹃﹄ ｢｣ 〝〞〟 ‘’ ‚‘’ ‛’ ’’ '' ＇＇ ❝❞ ❛❜ ″″`
    .split(' ')
    .map((marks) => [marks.slice(0, 1), marks.slice(1)]),
);

/** Matches every character that a reader takes for a quotation mark: Unicode's property, ornaments and double primes. */
export const QUOTATION_MARK = /[\p{Quotation_Mark}❛-❞❮❯″‶ʺˮ״\u{1f676}-\u{1f678}]/gu;
const APOSTROPHE = /['‘’‛＇״]/;
const INCH = /["'’″]/;
/**
 * Matches marks that also close quotations or occur within words. They open one only at the beginning, or after a blank, an
 * opening bracket, a dash or the like.
 */
const AMBIGUOUS = /["'’‘‛＇＂”»›″]/;
const WORD_END = /[\p{L}\p{N}\p{M}_]$/u;
const BEFORE_OPENING = /(?:^|[\s([{<¿¡—–*_-])$/u;

/** Reports whether the mark at `offset` may open a quotation; `before` is the text before `text`. */
export function isOpening(text: string, offset: number, before: string): boolean {
  const left = offset === 0 ? before.slice(-1) : text[offset - 1]!;
  return (
    CLOSINGS[text[offset]!] !== undefined && (!AMBIGUOUS.test(text[offset]!) || BEFORE_OPENING.test(left))
  );
}

/** Reports whether a single mark may be an apostrophe and not the end of a quotation: a letter or digit follows it. */
export const isApostrophe = (text: string, offset: number): boolean =>
  APOSTROPHE.test(text[offset]!) && /[\p{L}\p{N}]/u.test(text[offset + 1] ?? '');

/**
 * Drops quotation marks from a text, except apostrophes and the marks of feet and inches. `before` is the text before `text`.
 */
export const dropQuotationMarks = (text: string, before: string): string =>
  text.replace(QUOTATION_MARK, (mark, offset: number) => {
    const left = offset === 0 ? before.slice(-2) : text.slice(Math.max(0, offset - 2), offset);
    const isKept =
      WORD_END.test(left) && (APOSTROPHE.test(mark) || (/\p{N}$/u.test(left) && INCH.test(mark)));
    return isKept ? mark : '';
  });

/** A slice of a text. `isCutBefore` says that it begins inside a sentence, `isCutAfter` that it ends inside one. */
type QuoteContext = Range & { readonly isCutBefore: boolean; readonly isCutAfter: boolean };

/** The maximum number of words that a slice may lack on one side of a sentence and still be widened to the whole sentence. */
const MOST_WIDENED = 5;
/** A last sentence with no end and at least this many words counts as cut off where the passage ends. */
const LONG_SENTENCE = 100;
const WORD = /[\p{L}\p{N}]/u;
/** Matches the `>` marks at the beginning of a quotation's lines, which end no sentence. */
const QUOTATION = /^(?:[ \t]{0,3}>)+/gm;
const HIDDEN = /[\s\u00ad]/;
const UNFINISHED = /[\p{L}\p{N},;:-]\s*$/u;

/**
 * Widens a slice to whole sentences if it lacks only a few of their words, or a negation right beside it: without these it
 * could mean the opposite. Never widens beyond 60 words.
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
  ].find((one) => cutToWords(source.text, QUOTE_WORDS, one.start, one.end) === one.end);
  const slice = widened ?? range;
  return {
    ...slice,
    isCutBefore: first !== undefined && isCutBefore(source.text, first, slice.start),
    isCutAfter: last !== undefined && isCutAfter(source.text, last, slice.end),
  };
}

export const quoteSentences = ({ text }: NormalizedText): readonly Range[] =>
  sentencesOf(text.replace(QUOTATION, (marks) => ' '.repeat(marks.length)));

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

// Words that negate their neighbours, in common languages. They only decide how much of a sentence a quote shows. Some are left
// out because they mean something else in another of these languages: Spanish "sin", Italian "mai" (German "Mai"), French
// "personne".
const WORDS =
  'no not never none nobody nothing nowhere neither nor cannot without hardly scarcely barely nay ' +
  "[a-z]*n['’]t nicht nichts nie niemals niemand kein keine keinen keinem keiner keines weder ohne ne pas jamais aucun " +
  'aucune rien ni sans non nunca jamás nada nadie ningún ninguno ninguna não nem sem niente nessuno nessuna senza niet ' +
  'geen nooit niets zonder inte ikke aldrig aldri ingen не ни нет никогда ничего без нельзя ні немає δεν μην ποτέ değil ' +
  'hiç لا لم لن ليس غير בלי לא אין नहीं मत';
const CHARACTERS = '[不没沒無无未非勿莫别別]|ない|ません|なか|なく|ไม่|มิได้';
const NEGATION = `(?<![\\p{L}\\p{N}])(?:${WORDS.replaceAll(' ', '|')})(?![\\p{L}\\p{N}\\p{M}])|${CHARACTERS}`;
const CONTEXT_REACH = 40;
// Matches what may stand between a negation and its clause: markup and one line break, but no punctuation and no end of a
// paragraph.
const APART = '[ \\t\\u00a0*_`\\u00ad]*(?:\\r?\\n[ \\t>]*)?[*_`\\u00ad]*';

const LAST = new RegExp(`(?:${NEGATION})${APART}$`, 'iu');
const FIRST = new RegExp(`^${APART}(?:${NEGATION})`, 'iu');
const OPEN_END = /[\p{L}\p{N}\p{M}*_`]$/u;

/** Reports whether a negation comes right before `start`: "[Not] a soul was there". */
export const isAfterNegation = (text: string, start: number): boolean =>
  LAST.test(text.slice(Math.max(0, start - CONTEXT_REACH), start));

/** Reports whether a negation comes right after `start..end`: "I know him [not]". */
const isBeforeNegation = (text: string, start: number, end: number): boolean =>
  OPEN_END.test(text.slice(start, end)) && FIRST.test(text.slice(end, end + CONTEXT_REACH));

export const countQuoteWords = (text: string): number => countWords(text.replace(NO_WORD, ' ').trim());
