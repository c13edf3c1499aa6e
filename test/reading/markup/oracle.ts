// The words of a stretch of Markdown by a parser that shares nothing with the product's: micromark, which knows offsets.
import { decodeNamedCharacterReference } from 'decode-named-character-reference';
import { parse, postprocess, preprocess } from 'micromark';
import { gfm } from 'micromark-extension-gfm';

/** A shown stretch of a source; `text` is null where it is the source itself, character for character. */
type Shown = { readonly start: number; readonly end: number; readonly text: string | null };

const VERBATIM = new Set(['data', 'characterEscapeValue', 'codeTextData', 'codeFlowValue']);

/** Tokens whose data no page shows as its text. */
const HIDDEN = new Set([
  ...['resource', 'reference', 'definition', 'codeFencedFence', 'image', 'htmlText', 'tableDelimiterRow'],
  ...['gfmFootnoteCall', 'gfmFootnoteDefinitionLabel', 'taskListCheck'],
]);
const WHOLE = new Set([
  'literalAutolinkHttp',
  'literalAutolinkWww',
  'literalAutolinkEmail',
  'autolinkProtocol',
  'autolinkEmail',
]);

/** All that a Markdown text shows, in the order of the source, from the offset `from` on. */
export function shownBy(markdown: string, from: number): readonly Shown[] {
  const body = markdown.slice(from);
  const events = postprocess(
    parse({ extensions: [gfm()] })
      .document()
      .write(preprocess()(body, undefined, true)),
  );
  const shown: Shown[] = [];
  let [hidden, html] = [0, [] as Shown[]];
  for (const [kind, token] of events) {
    if (HIDDEN.has(token.type) || WHOLE.has(token.type)) hidden += kind === 'enter' ? 1 : -1;
    if (kind === 'enter' || hidden > 0) continue;
    const [start, end] = [token.start.offset, token.end.offset];
    if (VERBATIM.has(token.type) || WHOLE.has(token.type)) shown.push({ start, end, text: null });
    if (token.type === 'characterReference')
      shown.push({ start, end, text: decode(body.slice(start + 1, end - 1)) });
    if (token.type === 'htmlFlowData') html.push({ start, end, text: null });
    if (token.type === 'htmlFlow') {
      shown.push(...textOfHtml(html, body));
      html = [];
    }
  }
  return shown.map(({ start, end, text }) => ({ start: start + from, end: end + from, text }));
}

/** The words of the slice, without white space: line ends and indentation are no words. */
export function wordsOf(shown: readonly Shown[], markdown: string, start: number, end: number): string {
  return shown
    .map((one) => {
      if (one.text !== null) return one.start >= start && one.end <= end ? one.text : '';
      return markdown.slice(Math.max(start, one.start), Math.max(start, Math.min(end, one.end)));
    })
    .join('')
    .replace(/\s+/g, '');
}

function decode(name: string): string {
  const number = /^#(?:x([\da-f]+)|(\d+))$/i.exec(name);
  if (number === null) return decodeNamedCharacterReference(name) || `&${name};`;
  return String.fromCodePoint(number[1] === undefined ? Number(number[2]) : parseInt(number[1], 16));
}

const TAGS =
  /<!--[^]*?(?:-->|$)|<(script|style|svg|math|template|noscript|iframe|object|video|audio|title|textarea|select)\b[^]*?(?:<\/\1\s*>|$)|<[/!?a-z](?:"[^"]*"|'[^']*'|[^>"'])*>|&(#?\w+);/gi;

/** The text of a block of HTML, whose lines are `lines` without the marks around them. */
function textOfHtml(lines: readonly Shown[], body: string): readonly Shown[] {
  const html = lines.map(({ start, end }) => body.slice(start, end)).join('\n');
  const gone = [...html.matchAll(TAGS)];
  const shown: Shown[] = [];
  const add = (from: number, to: number, text: string | null): void => {
    let at = 0;
    for (const { start, end } of lines) {
      const [first, last] = [Math.max(from, at), Math.min(to, at + end - start)];
      if (first < last) shown.push({ start: start + first - at, end: start + last - at, text });
      at += end - start + 1;
    }
  };
  let at = 0;
  for (const { 0: tag, 2: entity, index } of gone) {
    add(at, index, null);
    at = index + tag.length;
    if (entity !== undefined) add(index, at, decode(entity));
  }
  add(at, html.length, null);
  return shown;
}
