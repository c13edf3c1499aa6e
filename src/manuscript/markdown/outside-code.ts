const FENCE = /^(?:[ \t]|>|[-*+][ \t]|\d{1,9}[.)][ \t])*(`{3,}(?=[^`]*$)|~{3,})/;

/** Changes the parts of a Markdown text that are no code: neither fenced blocks nor code in a line. */
export function mapOutsideCode(text: string, change: (prose: string) => string): string {
  return splitFences(text)
    .map(({ isCode, text: part }) => (isCode ? part : mapParagraphs(part, change)))
    .join('');
}

/** A part of a text: a fenced code block with its fences, or the lines between two. */
type FencedPart = { readonly isCode: boolean; readonly text: string };

/** Cuts a text into fenced code blocks and all the rest; the parts joined are the text. */
export function splitFences(text: string): readonly FencedPart[] {
  const parts: FencedPart[] = [];
  let lines: string[] = [];
  let fence: string | null = null;
  const close = (isCode: boolean): void => {
    if (lines.length > 0) parts.push({ isCode, text: lines.join('') });
    lines = [];
  };
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const mark = FENCE.exec(line.trimEnd())?.[1];
    if (fence === null && mark !== undefined) {
      close(false);
      fence = mark;
      lines.push(line);
    } else {
      lines.push(line);
      if (fence !== null && isEnd(line, fence)) {
        close(true);
        fence = null;
      }
    }
  }
  close(fence !== null);
  return parts;
}

function isEnd(line: string, fence: string): boolean {
  const mark = line.replace(/^[ \t>]+/, '').trimEnd();
  return mark.length >= fence.length && mark === fence[0]!.repeat(mark.length);
}

/** Code in a line ends with its paragraph. */
function mapParagraphs(text: string, change: (prose: string) => string): string {
  return text
    .split(/(\n[ \t]*\n)/)
    .map((part, n) => (n % 2 === 1 ? part : mapSpans(part, change)))
    .join('');
}

/** An HTML tag with its attributes, https://spec.commonmark.org/0.31.2/#raw-html */
export const TAG = /<\/?[a-zA-Z][\w-]*(?:\s+[\w:.-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*\s*\/?>/g;
const RUN = /`+/g;
const RUN_OR_TAG = new RegExp(`\\\\[^]|${RUN.source}|${TAG.source}`, 'g');

/** A run of backticks opens code if a later run of the same length closes it; a tag that begins before it holds text. */
function mapSpans(text: string, change: (prose: string) => string): string {
  if (!text.includes('`')) return change(text);
  const closing = createRunFinder(text);
  let out = '';
  let [from, at] = [0, 0];
  for (;;) {
    RUN_OR_TAG.lastIndex = at;
    const found = RUN_OR_TAG.exec(text);
    if (found === null) return out + change(text.slice(from));
    at = RUN_OR_TAG.lastIndex;
    const end = found[0].startsWith('`') ? closing(at, found[0].length) : null;
    if (end === null) continue;
    out += change(text.slice(from, found.index)) + text.slice(found.index, end);
    from = at = end;
  }
}

/** Finds where the next run of a length ends; each length's runs are walked once, since the places asked for only grow. */
function createRunFinder(text: string): (after: number, length: number) => number | null {
  const ends = new Map<number, number[]>();
  for (const { index, 0: run } of text.matchAll(RUN)) {
    const same = ends.get(run.length);
    if (same === undefined) ends.set(run.length, [index + run.length]);
    else same.push(index + run.length);
  }
  const heads = new Map<number, number>();
  return (after, length) => {
    const same = ends.get(length) ?? [];
    let head = heads.get(length) ?? 0;
    while (head < same.length && same[head]! <= after) head++;
    heads.set(length, head);
    return same[head] ?? null;
  };
}
