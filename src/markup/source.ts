const FRONT_MATTER = /^---[ \t]*(?:\r\n?|\n)(?=[A-Za-z_][\w-]*[ \t]*:)/;
const FRONT_MATTER_END = /(?:^|\r\n?|\n)(?:---|\.\.\.)[ \t]*(?:\r\n?|\n|$)/;

/** A line of a source without its end, in UTF-16 offsets. */
type SourceLine = { readonly start: number; readonly end: number };

/** A text as the parser reads it: LF alone, without a byte order mark and front matter; `lines` say where its lines come from. */
export type Source = {
  readonly original: string;
  readonly text: string;
  readonly lines: readonly SourceLine[];
};

/** Prepares a Markdown text for the parser. */
export function readSource(original: string): Source {
  const lines: SourceLine[] = [];
  const from = bodyStart(original);
  const ends = /\r\n?|\n/g;
  ends.lastIndex = from;
  let start = from;
  for (let end = ends.exec(original); end !== null; end = ends.exec(original)) {
    lines.push({ start, end: end.index });
    start = ends.lastIndex;
  }
  lines.push({ start, end: original.length });
  const text = original.slice(from).replace(/\r\n?/g, '\n');
  return { original, text, lines };
}

/** The offset at which the text itself begins, after a byte order mark and front matter. */
export function bodyStart(original: string): number {
  const bom = original.startsWith('\ufeff') ? 1 : 0;
  const begin = FRONT_MATTER.exec(original.slice(bom, bom + 1000))?.[0].length;
  if (begin === undefined) return bom;
  const rest = bom + begin;
  const end = FRONT_MATTER_END.exec(original.slice(rest));
  return end === null ? bom : rest + end.index + end[0].length;
}
