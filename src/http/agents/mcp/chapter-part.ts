/** The characters from `start` to `end` of a text, in UTF-16 units as citations count them. No code point is cut. */
type Part = { readonly text: string; readonly start: number; readonly end: number };

/** The part of at most `limit` characters from an offset on; one code point at least, if there is one. */
export function partOf(text: string, offset: number, limit: number): Part {
  const start = isCut(text, offset) ? offset - 1 : Math.min(offset, text.length);
  const most = start + limit;
  const end = isCut(text, most) ? Math.max(most - 1, start + 2) : Math.min(most, text.length);
  return { text: text.slice(start, end), start, end };
}

/** The part with a last line that says how long the whole text is and where the next part begins. */
export function writePart(part: Part, total: number, next: string | null): string {
  const { text, end } = part;
  const then = next === null ? '' : `; the next text is ${JSON.stringify(next)}`;
  const line =
    end < total
      ? `[${end} of ${total} characters; go on with offset ${end}]`
      : `[${total} of ${total} characters; this is the end${then}]`;
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}\n${line}`;
}

/** Whether an offset lies between the two units of one code point. */
function isCut(text: string, offset: number): boolean {
  return isBetween(text.charCodeAt(offset - 1), 0xd800) && isBetween(text.charCodeAt(offset), 0xdc00);
}

function isBetween(unit: number, first: number): boolean {
  return unit >= first && unit < first + 0x400;
}
