import { parseYaml } from './strict-yaml.ts';

const FRONT_MATTER = /^---[ \t]*\r?\n(?=[A-Za-z_][\w-]*:)[\s\S]*?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;
const FENCE = /^ {0,3}(?:`{3,}|~{3,})/;
const ATX = /^ {0,3}#{1,6}[ \t]+(?=\S)(.*?)(?:[ \t]#+)?(?<![ \t])[ \t]*$/;
const ADOC = /^=[ \t]+(?=\S)(.*)$/;
const UNDERLINE = /^ {0,3}(?:=+|-{3,})[ \t]*$/;
const PROSE = /\.(?:md|markdown|txt|adoc|rst)$/i;
const LONGEST = 200;
/** A longer front matter is not read for a title. */
const LONGEST_FRONT = 16_384;
/** A heading so many lines below another may be right below it. */
const NEAR = 10;

/** The title of a chapter that has none: that of its front matter, else the first heading of its text, else its file name in words. */
export function titleOfChapter(path: string, text: string): string {
  return titlesOfChapter(path, text)[0]!;
}

/** The titles that a chapter may have, the likeliest first: that of its front matter alone, else its first heading, one right below it, and its file name in words. */
export function titlesOfChapter(path: string, text: string): readonly string[] {
  const name = nameInWords(path);
  if (!PROSE.test(path)) return [name];
  const plain = text.replace(/^\uFEFF/, '');
  const front = FRONT_MATTER.exec(plain)?.[0] ?? '';
  const body = plain.slice(front.length);
  const own = frontTitle(front);
  if (own !== null) return [own];
  const first = headingOf(body);
  if (first === null) return [name];
  const below = headingOf(first.below);
  return [first.title, ...(below?.isAtOnce === true ? [below.title] : []), name];
}

/** `title` of a front matter; null without one that is text. */
function frontTitle(front: string): string | null {
  if (front.length > LONGEST_FRONT) return null;
  const yaml = front.replace(/^---.*|\n(?:---|\.\.\.)\s*$/g, '');
  const title = /^title:/m.test(yaml) ? parseYaml(yaml, '').entries?.get('title') : undefined;
  return typeof title === 'string' && title.trim() !== ''
    ? [...title.trim()].slice(0, LONGEST).join('')
    : null;
}

/** The first heading of a text, the lines below it, and whether nothing is above it. */
function headingOf(text: string): { title: string; below: string; isAtOnce: boolean } | null {
  const lines = text.split(/\r\n|[\n\r]/);
  let isCode = false;
  for (const [i, line] of lines.entries()) {
    if (FENCE.test(line)) isCode = !isCode;
    if (isCode || line.length > 2 * LONGEST) continue;
    const marked = ATX.exec(line)?.[1] ?? ADOC.exec(line)?.[1];
    const found = marked ?? (isUnderlined(lines, i) ? line : null);
    const title = found === null ? '' : withoutMarks(found);
    if (title === '') continue;
    const next = i + (marked === undefined ? 2 : 1);
    const below = lines.slice(next, next + NEAR).join('\n');
    const isAtOnce = lines.slice(0, i).every((above) => above.trim() === '');
    return { title: [...title].slice(0, LONGEST).join(''), below, isAtOnce };
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
