import { characterOf, normalForm } from '../platform/base/text.ts';
import { QUOTATION_MARK } from './quote-boundary.rule.ts';

const OPENING = /[[［【〔⟦⁽₍]/u;
const CLOSING = /[\]］】〕⟧⁾₎]/u;
const DIGIT = /[\p{Nd}\u00b2\u00b3\u00b9\u2070-\u2089]/u;
/** Matches a number in a circle, in brackets, with a point or in a box, written as a single character. */
const ENCLOSED =
  /[\u2460-\u249b\u24ea-\u24ff\u2776-\u2793\u20e3\u3251-\u325f\u32b1-\u32bf\u{1f100}-\u{1f10c}]/u;
/** Matches a text that ends with the beginning of an address, which many programs turn into a link without any markup. */
const LINKED = /(?::\/\/|(?<![\p{L}\p{N}])(?:www\.|mailto:|xmpp:)\S)$/iu;
/** Matches what may stand between the numbers of a citation marker, or unseen in it, such as marks that Markdown hides. */
const FILLER = /[\s,;.&、，；–—\\*_~`\p{M}\p{Default_Ignorable_Code_Point}-]/u;
/** Matches numbers that a short word follows, as in `1 and` or `1和` of a list of citations. */
const JOINED = /[^\p{L} ](?: \p{L}{1,4}|\p{Lo}{1,4})$/u;
const BLANK = /[\s\\*_~`\p{M}\p{Default_Ignorable_Code_Point}]/u;
const PREFIX = /[\^#Pp]/;
const WORD = /[\p{L}\p{N}_)]/u;

type Bracket = { readonly start: number; readonly before: string; digits: string; hasMarker: boolean };

/**
 * Makes a filter that drops numbers in brackets which a reader could take for a citation: `[1]`, `[ 1 ]`, `[1, 2]`, `[[3]]` and
 * `［１］`. Directly after a word it drops a bracket only if one of its numbers is from 1 to `most`, since others are more likely
 * an index, as in `a[0]`. It also drops numbers in circles, and puts a space into an address, so that no program makes it a
 * link.
 */
export function createMarkerFilter(most: number) {
  let held: string[] = [];
  let open: Bracket[] = [];
  let before = '';
  let tail = '';

  const flush = (): string => {
    const text = held.join('');
    held = [];
    open = [];
    return text;
  };

  const dropBlanks = (): void => {
    while (/^[ \u00a0]$/.test(held.at(-1) ?? '')) held.pop();
  };

  const close = (): void => {
    const bracket = open.pop()!;
    if (!bracket.hasMarker && !isMarker(bracket, most)) return;
    held.length = bracket.start;
    const outer = open.at(-1);
    if (outer !== undefined) outer.hasMarker = true;
    else dropBlanks();
  };

  const read = (character: string): string => {
    if (OPENING.test(character)) {
      open.push({ start: held.length, before: held.at(-1) ?? before, digits: '', hasMarker: false });
      held.push(character);
      return '';
    }
    const bracket = open.at(-1);
    if (ENCLOSED.test(character)) {
      if (bracket === undefined) dropBlanks();
      else bracket.hasMarker = true;
      return '';
    }
    if (bracket === undefined) {
      const isBlank = /[ \u00a0]/.test(character);
      const text = isBlank ? '' : flush();
      held.push(character);
      return text + (isBlank ? '' : flush());
    }
    held.push(character);
    if (CLOSING.test(character)) close();
    else if (DIGIT.test(character)) bracket.digits += character;
    else if (bracket.digits !== '' && FILLER.test(character))
      bracket.digits += bracket.digits.endsWith(' ') ? '' : ' ';
    else if (JOINED.test(bracket.digits.slice(-6) + character)) bracket.digits += character;
    else if (bracket.digits !== '' || !(BLANK.test(character) || PREFIX.test(character))) {
      if (!(bracket.hasMarker && FILLER.test(character))) return flush();
    }
    return '';
  };

  return {
    push(text: string): string {
      let shown = '';
      for (const character of text) {
        tail = (tail + character).slice(-10);
        const piece = (LINKED.test(tail) ? read(' ') : '') + read(character);
        shown += piece;
        before = Array.from(piece.slice(-2)).at(-1) ?? before;
      }
      return shown;
    },
    end(): string {
      const text = flush();
      before = Array.from(text.slice(-2)).at(-1) ?? before;
      return text;
    },
  };
}

function isMarker({ before, digits }: Bracket, most: number): boolean {
  const numbers = digits
    .split(/[ \p{L}]+/u)
    .filter(Boolean)
    .map(valueOf);
  if (numbers.length === 0 || /\p{L} ?$/u.test(digits)) return false;
  if (!WORD.test(before)) return true;
  return numbers.some((number) => number >= 1 && number <= most);
}

const valueOf = (digits: string): number =>
  Array.from(normalForm(digits, 'NFKC'), (digit) => {
    const code = digit.codePointAt(0)!;
    let zero = code;
    while (code - zero < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero--;
    return code - zero;
  }).reduce((sum, one) => sum * 10 + one, 0);

// The tags that models and their chat templates put around reasoning: DeepSeek, Qwen, Magistral, Seed, Kimi, Command, and
// the channels of Gemma and Harmony (https://cookbook.openai.com/articles/openai-harmony).
const NAME =
  '(?:ant|(?:[a-z]{1,20}[:_-]){1,3})?(?:think(?:ing)?|thoughts?|cot|reasoning|reflection|analysis|scratchpad|monologue)(?:_process|_content)?';
const OPEN = '[<\\[◁]\\|?';
const CLOSE = '\\|?[>\\]▷]';
const TAG = new RegExp(
  [
    `(?<end>${OPEN}(?:/|end_(?:of_)?)${NAME}\\s*${CLOSE}|<channel\\|>)`,
    `(?<begin>${OPEN}(?:(?:begin|start)_(?:of_)?)?${NAME}(?:\\s[^<>\\]]{0,60})?${CLOSE})`,
    '<\\|channel\\|?>\\s*(?<channel>analysis|commentary|thought|final)',
    '(?<control><\\|start\\|>assistant|<\\|(?!(?:start|channel)\\|)[a-z_]{1,30}\\|>)',
  ].join('|'),
  'iu',
);
// Matches the end of a text that may be the beginning of a tag.
const PENDING =
  /(?:<\|(?:start|channel)\|?>[^<]{0,80}(?:<\|?[a-z]{0,10}\|?)?|[<[◁][|/]{0,2}[a-z_:-]{0,40}(?:\s[^<>\]]{0,60})?\|?)$/iu;
const LONGEST_PENDING = 160;

/**
 * Makes a filter that drops a model's reasoning from streamed text. `isBare` reports a closing tag without an opening one: all
 * text so far was reasoning then, since the model's chat template had opened it.
 */
export function createReasoningFilter() {
  let held = '';
  let isHidden = false;

  const read = (isEnd: boolean): { readonly text: string; readonly isBare: boolean } => {
    let text = '';
    let isBare = false;
    for (let tag = TAG.exec(held); tag !== null; tag = TAG.exec(held)) {
      const { end, begin, channel } = tag.groups!;
      if (!isHidden) text += held.slice(0, tag.index);
      held = held.slice(tag.index + tag[0].length);
      if (end !== undefined && !isHidden) [isBare, text] = [true, ''];
      if (end !== undefined) isHidden = false;
      if (begin !== undefined) isHidden = true;
      if (channel !== undefined) isHidden = channel.toLowerCase() !== 'final';
    }
    const pending = isEnd ? 0 : (PENDING.exec(held.slice(-LONGEST_PENDING))?.[0].length ?? 0);
    if (!isHidden) text += held.slice(0, held.length - pending);
    held = held.slice(held.length - pending);
    return { text, isBare };
  };

  return {
    push(text: string) {
      held += text;
      return read(false);
    },
    end: () => read(true),
  };
}

// Matches the characters that begin tags, links, images and link definitions (CommonMark 0.31 §6.3-6.6, §4.6-4.7), and notes
// inside a line, which Pandoc and others know.
const ACTIVE = /<(?=[A-Za-z/!?])|\](?=[([:])|[!^](?=\[)/g;
// Matches the ampersand of a character reference (WHATWG HTML §13.5). HTML reads numbers and some names without a semicolon.
const REFERENCE = /&(?=#|(?:quot|[lr]aquo|sup[1-3]|nbsp)|([a-z][a-z\d]{1,31});)/gi;
/** Matches an end that may begin a tag, link or reference; only the next characters tell. */
const PENDING_MARKUP = /(?:[<\]!^]|&[a-z\d]{0,32})$/i;
// Matches code between single backticks without `|`, which in a table may end the cell and so the code.
const CODE_SPAN = /((?<!`)`[^`|\n]+`(?!`))/;
/** Matches text whose backticks all belong to code between single ones. Another backtick could begin code around these. */
const CLOSED = /^(?:[^`\\]|\\(?!`)|(?<!`)`[^`|\n]+`(?!`))*$/;
const TO_BLANK_LINE = /^[^]*\n[ \t]*\n/;
const LONGEST_PARAGRAPH = 4_000;
/** Matches characters that would make a link of the bracket before them. */
const LINKING = /^[([:]/;
// Control characters except tab and line feed, directional overrides and invisible tags, which steer terminals or hide text.
const STEERING = /(?![\t\n])[\p{Cc}\u200b\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

const QUOTING = new RegExp(QUOTATION_MARK, 'u');
const isTelling = (character: string | undefined): boolean =>
  character !== undefined &&
  character !== '&' &&
  [QUOTING, OPENING, CLOSING, DIGIT, ENCLOSED, FILLER].some((one) => one.test(character));

/** Puts a space into what would begin markup, and into character references that may show a quotation mark or a marker. */
const disarm = (text: string): string =>
  text
    .replace(ACTIVE, '$& ')
    .replace(REFERENCE, (sign, name?: string) =>
      name === undefined || isTelling(characterOf(name)) ? `${sign} ` : sign,
    );

/**
 * Makes a filter that lets no markup of a model take effect. It puts a space after each `<`, `]`, `!` and `^` that would begin
 * a tag, a link, an image or a note, and after the `&` of a reference that may show a quotation mark or part of a citation
 * marker. It also drops control characters. `push` holds an end back that may begin markup, and `flush` returns it. `mark`
 * returns it too, before the program's own marker `[n]`.
 */
export function createSanitizer() {
  let held = '';
  let isMarked = false;
  let paragraph = '';
  const note = (text: string): void => {
    paragraph = (paragraph + text).replace(TO_BLANK_LINE, '');
    if (paragraph.length > LONGEST_PARAGRAPH) paragraph = '``';
  };
  const flush = (): string => {
    const last = held;
    held = '';
    return last;
  };
  return {
    push(text: string): string {
      const inert = text.replace(STEERING, '');
      note(inert);
      const shown = held + inert;
      if (shown === '') return '';
      const apart = isMarked && LINKING.test(shown) ? ' ' : '';
      isMarked = false;
      const all = apart + disarm(shown);
      held = PENDING_MARKUP.exec(all)?.[0] ?? '';
      return all.slice(0, all.length - held.length);
    },
    flush,
    /**
     * Works like `push` on a quotation of the book, but leaves its code as it is, unless backticks before it could make code
     * begin at another place.
     */
    quote(text: string): string {
      const inert = text.replace(STEERING, '');
      const isCode = CLOSED.test(paragraph) && CLOSED.test(inert);
      note(inert);
      const parts = isCode ? inert.split(CODE_SPAN) : [inert];
      return flush() + parts.map((part, n) => (n % 2 === 0 ? part.replace(ACTIVE, '$& ') : part)).join('');
    },
    mark(): string {
      isMarked = true;
      return flush();
    },
  };
}

// Matches invisible characters, and control characters except tab and line feed. Leaves joiners and variation selectors, which
// Persian, Indian scripts and emoji need.
const INVISIBLE =
  /(?![\t\n\u200c\u200d\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/gu;
const HIGH_SURROGATE = /[\ud800-\udbff]$/;

/** Makes a filter that drops invisible and control characters from streamed text, even if a surrogate pair is split. */
export function createTextCleaner() {
  let half = '';
  return {
    push(text: string): string {
      const whole = half + text;
      half = HIGH_SURROGATE.exec(whole)?.[0] ?? '';
      return clean(whole.slice(0, whole.length - half.length));
    },
    end(): string {
      const rest = clean(half);
      half = '';
      return rest;
    },
  };
}

const clean = (text: string): string => text.toWellFormed().replace(INVISIBLE, '');
