// CommonMark and GFM by Bun, then an allow-list, which removes what Bun.markdown lets through: HTML, and links of any scheme.
import type { Attributes, IOptions, Tag, Transformer } from 'sanitize-html';
import { resolveLink } from '../../../item/link.ts';
import { imageType } from './image-type.ts';

/** The place of a Markdown text: its path in an item, the item's files, and the URL they are served below. */
export type MarkdownHome = {
  readonly from: string;
  readonly has: (path: string) => boolean;
  readonly files: string;
};

/** The deepest nesting that is rendered: no prose is deeper, and a parser's cost is its depth squared. */
const DEEPEST = 100;

/** The most cells in all tables together. Bun fills up short rows: eight kilobytes can become half a million cells, and seconds of work. */
const MOST_CELLS = 20_000;

const WRITING = { autolinks: { url: true, email: true } } as const;

const TAGS = [
  ...['h2', 'h3', 'h4', 'h5', 'h6', 'p', 'br', 'hr', 'blockquote', 'pre', 'ul', 'ol', 'li', 'span'],
  ...['em', 'strong', 'i', 'b', 'del', 's', 'code', 'kbd', 'sub', 'sup', 'mark', 'abbr', 'a', 'img'],
  ...['table', 'thead', 'tbody', 'tr', 'th', 'td', 'details', 'summary', 'dl', 'dt', 'dd'],
];

const ATTRIBUTES = {
  a: ['href', 'title', 'rel'],
  img: ['src', 'alt', 'title', 'loading'],
  ol: ['start'],
  th: ['scope'],
  pre: ['tabindex'],
  table: ['tabindex'],
};

/**
 * Renders a Markdown text as plain HTML whose first heading has `level`. Links may lead to http, https and mailto, to items
 * of this stall and to files of the text's own item. Other images become their alternative text. Without a `home` there are
 * no files. A text that is nested too deep, or has too many cells, is shown as it was written.
 */
export async function renderMarkdown(
  text: string,
  { level, home }: { readonly level: 2 | 3; readonly home: MarkdownHome | null },
): Promise<string> {
  const { default: sanitize } = await import('sanitize-html');
  const written = text.replace(/^\uFEFF/, '');
  const options: IOptions = {
    allowedTags: TAGS,
    allowedAttributes: ATTRIBUTES,
    allowedSchemes: ['http', 'https', 'mailto'],
    allowProtocolRelative: false,
    transformTags: { ...headings(level), ...FIXED, a: linkTo(home), img: imageOf(home) },
    ...refuseDepth(),
  };
  try {
    refuseCells(written);
    return sanitize(Bun.markdown.html(written, WRITING), options);
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error;
    return `<pre tabindex="0">${Bun.escapeHTML(text)}</pre>`;
  }
}

/** Moves the text's headings below the page's own. */
function headings(level: number): Readonly<Record<string, string>> {
  return Object.fromEntries([1, 2, 3, 4, 5, 6].map((own) => [`h${own}`, `h${Math.min(6, own + level - 1)}`]));
}

/** Elements wider than the page scroll, and must be focusable so that the keyboard can scroll them. */
const scrolled: Transformer = (tagName) => ({ tagName, attribs: { tabindex: '0' } });

const FIXED: Readonly<Record<string, Transformer>> = {
  pre: scrolled,
  table: scrolled,
  th: (tagName) => ({ tagName, attribs: { scope: 'col' } }),
  // A box in a task list cannot be ticked: it is a sign, not a control.
  input: (_, { type, checked }) => words(type !== 'checkbox' ? '' : checked === undefined ? '☐ ' : '☑ '),
};

function linkTo(home: MarkdownHome | null): Transformer {
  return (tagName, { href = '', title }) => {
    const titled: Attributes = title === undefined ? {} : { title };
    const target = href.trim();
    if (/^(https?:\/\/|mailto:)/i.test(target))
      return { tagName, attribs: { ...titled, href: target, rel: 'nofollow noopener' } };
    const own = /^\/(books|skills)\/[a-z0-9-]+$/.test(target) ? target : fileUrl(target, home);
    return own === null ? { tagName: 'span', attribs: {} } : { tagName, attribs: { ...titled, href: own } };
  };
}

function imageOf(home: MarkdownHome | null): Transformer {
  return (tagName, { src = '', alt = '', title }) => {
    const url = imageType(src) === null ? null : fileUrl(src, home);
    if (url === null) return words(alt);
    return {
      tagName,
      attribs: { ...(title === undefined ? {} : { title }), src: url, alt, loading: 'lazy' },
    };
  };
}

/** The URL of a file of the text's own item; null if the target is no such file. */
function fileUrl(target: string, home: MarkdownHome | null): string | null {
  if (home === null || /^([a-z][a-z0-9+.-]*:|[/\\#?])/i.test(target)) return null;
  const path = resolveLink(decoded(target.replace(/[#?].*$/s, '')), home.from);
  return home.has(path) ? home.files + path.split('/').map(encodeURIComponent).join('/') : null;
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

function words(text: string): Tag {
  return { tagName: 'span', attribs: {}, text };
}

class TooMuch extends Error {}

/** Throws TooMuch as soon as too many elements are open. */
function refuseDepth(): Pick<IOptions, 'onOpenTag' | 'onCloseTag'> {
  let depth = 0;
  return {
    onOpenTag() {
      if (++depth > DEEPEST) throw new TooMuch();
    },
    onCloseTag: () => void depth--,
  };
}

/** Throws TooMuch as soon as there are too many cells. */
function refuseCells(text: string): void {
  let count = 0;
  const cell = (): string => {
    if (++count > MOST_CELLS) throw new TooMuch();
    return '';
  };
  Bun.markdown.render(text, { td: cell }, WRITING);
}
