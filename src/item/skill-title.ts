/**
 * The characters that are removed from titles of skills: controls, bidirectional and invisible characters, and those
 * that YAML 1.2 §5.1 forbids.
 */
const INVISIBLE = /[\p{Cc}\p{Cs}\uFFFE\uFFFF]|(?![\u200C\u200D])\p{Cf}/gu;
const MARKUP = /[<>[\]|$`]/g;
/** At the end of a link's text it would keep the link open. */
const LAST_ESCAPE = /(?<![\s\\])[\s\\]+$/;

/** A publisher's words as one line for an agent: without controls, invisible characters and markup. */
export function plainTitle(text: string): string {
  const line = text.replace(/\s+/g, ' ').replace(INVISIBLE, '').replace(MARKUP, '').replace(/ {2,}/g, ' ');
  return line.replace(LAST_ESCAPE, '').trim();
}

/** The same cut at a length in UTF-16 units, between two words where there are some. */
export function cutTitle(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text
    .slice(0, most - 1)
    .toWellFormed()
    .replace(/\uFFFD$/, '');
  const space = cut.lastIndexOf(' ');
  return `${cut.slice(0, space > most / 2 ? space : undefined).trimEnd()}…`;
}

/** The target of a Markdown link to a path: between angle brackets, unless it is plain. */
export function linkTarget(path: string): string {
  if (/^[\p{L}\p{N}/._-]+$/u.test(path)) return path;
  return `<${path.replace(/[<>[\]|$`%\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => encodeURIComponent(character))}>`;
}
