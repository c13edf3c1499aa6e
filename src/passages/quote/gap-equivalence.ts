/**
 * The characters between two letters, `left` and `right` ('' at either end of the text): white space, quotation marks,
 * dashes and Markdown. `raw` is the text itself, `shown` the same with its markup hidden.
 */
export type Gap = {
  readonly left: string;
  readonly right: string;
  readonly raw: string;
  readonly shown: string;
};

/** Soft hyphen (which replaces hidden markup), zero width space, word joiner, zero width no-break space (a BOM). */
const INVISIBLE = /[\u00ad\u200b\u2060\ufeff]+/g;
// Unicode's properties (PropList.txt).
const MARKS = /\p{Quotation_Mark}+/gu;
const DASHES = / ?\p{Dash}[ \p{Dash}]*/gu;
const SINGLE = /^[\u0027\u2018-\u201b\u2039\u203a\uff07]$/;

const WORD = /[\p{L}\p{N}\p{M}_]/u;
const NUMBER = /\p{N}/u;
const CJK =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]/u;
const LINE_END = /^[-\u2010][ \t]*\r?\n\s*$/;
const OPENS = /[([{=<>+*/^|]/;
const SIGN = /[-\u2010\u2011\u2212\ufe63\uff0d]$/;
const SIGN_OF_NUMBER = /[-\u2010-\u2013\u2212\ufe63\uff0d]$/;

/**
 * Whether two gaps mean the same. White space equals one space, and no space beside an ellipsis, before `!?;:` and between
 * Chinese or Japanese characters. Dashes of any kind, with or without spaces, are equal, but a minus is not a dash.
 * Quotation marks count only within a word (it's) and after a digit (5', 5"), where single and double differ. A hyphen
 * between letters at a line's end is optional. A link's target may be left out but not changed.
 */
export function gapsAreEquivalent(one: Gap, other: Gap): boolean {
  if (one.raw === other.raw && one.shown === other.shown) return true;
  const [inOne, inOther] = [hiddenWords(one), hiddenWords(other)];
  if (inOne !== '' && inOther !== '' && inOne !== inOther) return false;
  const readings = readingsOf(other);
  return readingsOf(one).some((reading) => readings.includes(reading));
}

// A bullet may also be a dash at the beginning of a line, so the raw gap is read too.
function readingsOf(gap: Gap): readonly string[] {
  return [gap.shown, gap.raw].flatMap((text) => {
    const seen = text.replace(INVISIBLE, '');
    const hyphenated = LINE_END.test(seen) && /^\p{L}\p{L}$/u.test(gap.left + gap.right);
    return hyphenated ? ['', '-'] : [read(seen, gap)];
  });
}

function read(seen: string, { left, right }: Gap): string {
  const unquoted = seen.replace(MARKS, (marks, offset: number) => {
    if (offset === 0 && NUMBER.test(left)) return SINGLE.test(marks) ? "'" : '"';
    return marks === seen && WORD.test(left) && WORD.test(right) ? "'" : '';
  });
  if (isSign(unquoted, left, right)) return `${unquoted.length > 1 ? ' ' : ''}\u2212`;
  const spaced = unquoted.replace(/\s+/g, ' ').replace(DASHES, '-');
  const closed = left === '…' || right === '…' || /[!?;:]/.test(right) || (CJK.test(left) && CJK.test(right));
  return closed ? spaced.replace(' ', '') : spaced;
}

function isSign(gap: string, left: string, right: string): boolean {
  const sign = NUMBER.test(right) ? SIGN_OF_NUMBER : SIGN;
  if (!sign.test(gap) || !/[\p{L}\p{N}.\p{Sc}]/u.test(right)) return false;
  return gap.length > 1 ? /^\s+.$/.test(gap) : left === '' || OPENS.test(left);
}

/** The letters and digits in hidden markup: a link's target, a footnote's label, a tag's attributes. */
function hiddenWords({ raw, shown }: Gap): string {
  if (raw === shown) return '';
  return Array.from(raw, (_, i) => (raw[i] !== shown[i] && WORD.test(raw[i] ?? '') ? raw[i] : '')).join('');
}
