const FRONT_MATTER = /^---[ \t]*\r?\n(?=[A-Za-z_][\w-]*:)[\s\S]*?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;
const FENCE = /^ {0,3}(?:`{3,}|~{3,})/;
const ATX = /^ {0,3}#{1,6}[ \t]+(?=\S)(.*?)(?:[ \t]#+)?(?<![ \t])[ \t]*$/;
const ADOC = /^=[ \t]+(?=\S)(.*)$/;
const UNDERLINE = /^ {0,3}(?:=+|-{3,})[ \t]*$/;
const PROSE = /\.(?:md|markdown|txt|adoc|rst)$/i;
const LONGEST = 200;

/** The title of a chapter that has none: the first heading of its text, else its file name in words. */
export function titleOfChapter(path: string, text: string): string {
  return headingOf(path, text) ?? nameInWords(path);
}

function headingOf(path: string, text: string): string | null {
  if (!PROSE.test(path)) return null;
  const lines = text
    .replace(/^\uFEFF/, '')
    .replace(FRONT_MATTER, '')
    .split(/\r\n|[\n\r]/);
  let isCode = false;
  for (const [i, line] of lines.entries()) {
    if (FENCE.test(line)) isCode = !isCode;
    if (isCode || line.length > 2 * LONGEST) continue;
    const found = ATX.exec(line)?.[1] ?? ADOC.exec(line)?.[1] ?? (isUnderlined(lines, i) ? line : null);
    const title = found === null ? '' : withoutMarks(found);
    if (title !== '') return [...title].slice(0, LONGEST).join('');
  }
  return null;
}

function isUnderlined(lines: readonly string[], i: number): boolean {
  return (
    /[\p{L}\p{N}]/u.test(lines[i]!) &&
    UNDERLINE.test(lines[i + 1] ?? '') &&
    (lines[i - 1] ?? '').trim() === ''
  );
}

function withoutMarks(heading: string): string {
  return heading
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/\{#[^{}]*\}\s*$/, '')
    .replace(/<[^<>]{1,200}>/g, '')
    .replace(/[*`]|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, '')
    .trim();
}

/** "02-the_first-day.md" is "The first day"; a program keeps its name. */
function nameInWords(path: string): string {
  const name = path.split('/').at(-1)!;
  if (!PROSE.test(name)) return name;
  const words = name
    .replace(/\.[^.]*$/, '')
    .replace(/^\d+[-_. ]+(?=\S)/, '')
    .replace(/[-_]+/g, ' ')
    .trim();
  return words === '' ? name : words[0]!.toUpperCase() + words.slice(1);
}
