import { plainText, writeBlocks } from './blocks.ts';
import { HtmlWriter } from './html-writer.ts';
import { createIds } from './ids.ts';
import { createFormulaReader } from './math-ml.ts';
import type { Links } from '../item-links.ts';
import { type Heading, type Rendered, TooMuch } from './rendered.ts';
import { escapeXml } from '../../platform/base/text.ts';
import { parseMarkdown, readSource } from './parser.ts';
import { bookText as ENGLISH } from '../../words/en/book-text.ts';
import type { Words } from '../../words/words.ts';

/**
 * How to render a text. `math` tells whether $…$ is a formula, `shift` is added to the level of each heading, and
 * `words` are labels in the text's language. With `anchors` headings get ids; use it if the page has only this text.
 */
type MarkdownOptions = {
  readonly links: Links;
  readonly math?: boolean;
  readonly words?: Words['bookText'];
  readonly shift?: number;
  readonly anchors?: boolean;
};

/**
 * Renders Markdown as HTML: CommonMark, GFM and footnotes. Of an author's HTML only allowed elements are kept: no
 * scripts, no styles, and no addresses except those from `links`. Null if the text is nested too deep, has too many
 * table cells, or becomes too long.
 */
export function renderMarkdown(
  original: string,
  { links, math = false, words = ENGLISH, shift = 0, anchors = true }: MarkdownOptions,
): Rendered | null {
  const source = readSource(original);
  const headings: Heading[] = [];
  const writer = new HtmlWriter();
  try {
    writeBlocks(parseMarkdown(source.text, math), {
      source,
      writer,
      links,
      words,
      ids: createIds(anchors),
      shift,
      anchors,
      headings,
      readFormula: createFormulaReader(),
    });
  } catch (error) {
    if (error instanceof TooMuch) return null;
    throw error;
  }
  return { ...writer.finish(), headings };
}

type UnreadFormula = { readonly tex: string; readonly reason: string };

const formulasIn = (text: string) =>
  parseMarkdown(text, true)
    .flatMap((token) => [token, ...(token.children ?? [])])
    .filter(({ type }) => type.startsWith('formula'));

export function unreadFormulas(original: string): readonly UnreadFormula[] {
  const read = createFormulaReader();
  return formulasIn(readSource(original).text).flatMap((token) => {
    const found = read(token);
    return 'reason' in found ? [{ tex: token.content, reason: found.reason }] : [];
  });
}

/**
 * The facts about a text for a table of contents, and about its accessibility: its first heading, its number of words, the
 * addresses of its pictures as written, and whether it has a formula. A Chinese, Japanese or Thai character counts as half a
 * word.
 */
export type Outline = {
  readonly title: string | null;
  readonly words: number;
  readonly pictures: readonly { readonly src: string; readonly isDescribed: boolean }[];
  readonly hasMath: boolean;
};

const UNSPACED = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}]/gu;
const WORD = /[\p{L}\p{N}]+(?:['’.-][\p{L}\p{N}]+)*/gu;
const HEADING =
  /^(?: {0,3}#{1,6}[ \t]+\S.*|(?![ \t]*$)[^\n]{1,300}\n {0,3}(?:=+|-{2,})[ \t]*$|<h[1-6][^>]*>.*)/m;
/** How many characters are searched for words at a time, up to the next end of a line. */
const PIECE = 16 * 1024;
/** How many characters are searched for the first heading: one further down is not the title of the text. */
const TOP = 4_000;

export function outlineText(original: string, isMarkdown: boolean, math = false): Outline {
  const { text } = readSource(original);
  let [signs, words] = [0, 0];
  // Words are counted piece by piece, since matching all of them at once takes ten times the text's memory.
  for (let at = 0, to = 0; at < text.length; at = to) {
    to = text.indexOf('\n', at + PIECE) + 1 || text.length;
    const piece = text.slice(at, to);
    signs += piece.match(UNSPACED)?.length ?? 0;
    words += piece.replace(UNSPACED, ' ').match(WORD)?.length ?? 0;
  }
  return {
    title: isMarkdown ? firstHeading(text) : null,
    words: words + Math.round(signs / 2),
    pictures: isMarkdown ? findPictures(text) : [],
    hasMath: isMarkdown && math && hasFormula(text),
  };
}

const IMAGE = /<img\b[^<>]*>/gi;
const ATTRIBUTE = /\s(src|alt)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;

/** Finds the pictures of a text, in Markdown or HTML, with Bun's parser, which takes a tenth of the time of ours. */
function findPictures(text: string): Outline['pictures'] {
  if (!/!\[|<img\b/i.test(text)) return [];
  const html = Bun.markdown.render(text, {
    image: (alt, { src }) => `<img src="${escapeXml(src)}" alt="${escapeXml(alt)}">`,
    code: () => '',
    codespan: () => '',
  });
  return (html.match(IMAGE) ?? []).map((tag) => {
    const found = Array.from(tag.matchAll(ATTRIBUTE), ([, name = '', ...of]) => [
      name.toLowerCase(),
      of.join(''),
    ]);
    const { src = '', alt = '' } = Object.fromEntries(found) as Record<string, string>;
    return { src: src.replaceAll('&amp;', '&'), isDescribed: alt.trim() !== '' };
  });
}

const MAYBE_MATH = /[$]|\\[([]|^ *(?:`{3}|~{3})[`~]* *math/m;

function hasFormula(text: string): boolean {
  const read = createFormulaReader();
  return MAYBE_MATH.test(text) && formulasIn(text).some((token) => !('reason' in read(token)));
}

function firstHeading(text: string): string | null {
  const found = HEADING.exec(text.slice(0, TOP).replace(/^(`{3,}(?!`)|~{3,}(?!~))[^]*?^\1.*$/gm, ''));
  if (found === null) return null;
  const tokens = parseMarkdown(found[0]);
  const inline = tokens.find(({ type }, n) => type === 'inline' && tokens[n - 1]?.type === 'heading_open');
  const title = plainText(inline?.children ?? []).trim() || found[0].replace(/<[^<>]*>/g, '').trim();
  return title === '' ? null : title;
}
