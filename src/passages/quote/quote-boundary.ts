import { UNSPACED } from '../text/script.ts';
import { lazySegmenter } from '../../segmenter.ts';

// A quote never begins or ends inside a word, a number, a code point or a grapheme.
const REACH = 32;
// A reader sees "un**able**" and "snake_case" as one word.
const SEEN_THROUGH = /[*_`~\u00ad\u200b\u2060\ufeff]+/g;
const ONE_UNSPACED = `[${UNSPACED}]`;
const words = lazySegmenter('en', 'word');

const LETTER = '[\\p{L}\\p{N}\\p{M}]';
const HYPHEN = '-\\u2010\\u2011';
// Characters that join two parts of a word (well-known, it's, and/or, a@b, R&D) or of a number (3.5, 1,000, 12:30, 1939–1945).
const JOINER = `[${HYPHEN}'’&/@\\\\]`;
const COUNTED = '[.,:\\u2013\\u2014]';

/** An offset is inside something if the text before and after it match one of these pairs. */
const INSIDE: readonly (readonly [before: RegExp, after: RegExp])[] = (
  [
    // UAX #29 GB9, GB11, GB12: marks, joiners, modifiers, flags.
    ['', '[\\p{M}\\u200c\\u200d\\p{Emoji_Modifier}\\u{e0020}-\\u{e007f}]'],
    ['\\u200d', ''],
    ['\\p{Regional_Indicator}', '\\p{Regional_Indicator}'],
    ['[\\ud800-\\udbff]', '[\\udc00-\\udfff]'],
    [LETTER, `${JOINER}${LETTER}`],
    [`${LETTER}${JOINER}`, LETTER],
    ['\\p{L}', `\\.(?!${ONE_UNSPACED})\\p{L}`],
    ['\\p{L}\\.', `(?!${ONE_UNSPACED})\\p{L}`],
    ['\\p{N}', `${COUNTED}\\p{N}`],
    [`\\p{N}${COUNTED}`, '\\p{N}'],
    // "-5", ".5", "$5", "<5" and "5%", "5°", "5<sup>2": the sign or unit is part of the number.
    [`(?:(?<![.…\\p{L}])\\.|\\p{S}|(?<!\\p{Dash})[${HYPHEN}\\u2012\\u2013])`, '\\p{N}'],
    ['\\p{N}', '[\\p{S}%‰]'],
    // C++, C#, x^2
    ['\\p{L}', '[+#^]'],
  ] as const
).map(([before, after]) => [new RegExp(`${before}$`, 'u'), new RegExp(`^${after}`, 'u')] as const);

const ENDS_IN_LETTER = new RegExp(`${LETTER}$`, 'u');
const BEGINS_WITH_LETTER = new RegExp(`^${LETTER}`, 'u');
const UNSPACED_BEFORE = new RegExp(`${ONE_UNSPACED}$`, 'u');
const UNSPACED_AFTER = new RegExp(`^${ONE_UNSPACED}`, 'u');

/** Whether a quote may begin or end at a UTF-16 offset of `text`. */
export function isQuoteBoundary(text: string, offset: number): boolean {
  const before = text.slice(Math.max(0, offset - REACH), offset).replace(SEEN_THROUGH, '');
  const after = text.slice(offset, offset + REACH).replace(SEEN_THROUGH, '');
  if (before === '' || after === '') return true;
  if (INSIDE.some(([left, right]) => left.test(before) && right.test(after))) return false;
  if (!ENDS_IN_LETTER.test(before) || !BEGINS_WITH_LETTER.test(after)) return true;
  if (!UNSPACED_BEFORE.test(before) || !UNSPACED_AFTER.test(after)) return false;
  return (
    words()
      .segment(before + after)
      .containing(before.length)?.index === before.length
  );
}
