/** A line of a text without trailing blanks and line end: its UTF-16 offsets and its text. */
export type Line = { readonly start: number; readonly end: number; readonly text: string };

/** The lines of `text` from the offset `from`, each ended by LF or CRLF. */
export function* linesOf(text: string, from = 0): Generator<Line> {
  for (let start = from; start < text.length;) {
    const mark = text.indexOf('\n', start);
    const next = mark < 0 ? text.length : mark + 1;
    const line = text.slice(start, mark < 0 ? text.length : mark);
    const end = start + line.trimEnd().length;
    yield { start, end, text: text.slice(start, end) };
    start = next;
  }
}
