import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { sha256 } from '../runtime.ts';
import { decodePage, pageName } from './page-file.ts';
import type { Edition } from './catalog.ts';

/** The version of printed books, raised whenever the same pages would be put together differently. */
const FORMAT = 1;

/** A chapter of a printed book; `address` is that of its reading page, to which links lead. */
export type PrintedChapter = { readonly path: string; readonly title: string; readonly address: string };

/** A book's chapters as HTML for one page, in a file of `size` bytes. */
export type PrintedBook = { readonly file: string; readonly size: number };

/**
 * A job of the renderer: to add a part of a chapter to the file `out`, which the first part begins. `page` is the file of the
 * part's rendered page, null for a chapter that has none; `part` counts from 1.
 */
export type PrintJob = {
  readonly task: 'print';
  readonly out: string;
  readonly chapters: readonly PrintedChapter[];
  readonly chapter: number;
  readonly part: number;
  readonly isLast: boolean;
  readonly page: string | null;
};

/** The result of a PrintJob: when the rendering of the page was stopped, as in a PageFile; null if the page is damaged. */
export type PrintedPart = { readonly cutAt: number | null } | null;

/** Returns the name of a printed book: a hash of everything that it is made from, the words of its pages included. */
export const printName = (edition: Edition, chapters: readonly PrintedChapter[], state: string): string =>
  sha256(JSON.stringify([FORMAT, pageName(edition.manifest, edition.digest, ''), chapters, state]));

/** Adds a part to a printed book, in the rendering Worker. */
export function printPart({ out, chapters, chapter, part, isLast, page }: PrintJob): PrintedPart {
  const read = page === null ? null : decodePage(new Uint8Array(readFileSync(page)));
  if (page !== null && read === null) return null;
  const pieces = part === 1 ? [`<section class="chapter" id="c${chapter}">`] : [];
  if (read !== null) {
    if (part === 1 && read.headings[0]?.level !== 1)
      pieces.push(`<h1>${Bun.escapeHTML(chapters[chapter]!.title)}</h1>`);
    const own = part === 1 ? `c${chapter}` : `c${chapter}.${part}`;
    const html = inOnePage(Buffer.from(read.html).toString(), chapters, own);
    pieces.push(`<div class="${read.isPlain ? 'reading plain' : 'reading'}">${html}</div>`);
  }
  if (isLast) pieces.push('</section>\n');
  const isFirst = chapter === 0 && part === 1;
  if (isFirst) mkdirSync(dirname(out), { recursive: true, mode: 0o700 });
  (isFirst ? writeFileSync : appendFileSync)(out, pieces.join(''), { mode: 0o600 });
  return { cutAt: read?.cutAt ?? null };
}

/**
 * Adapts HTML to the printed page: its ids get the prefix `own`, and links to chapters lead within the page. Only attributes
 * are changed: quotation marks in a text are escaped, so it cannot look like one.
 */
export function inOnePage(html: string, chapters: readonly PrintedChapter[], own: string | null): string {
  const numbers = new Map(chapters.map(({ address }, n) => [address, n]));
  const named =
    own === null ? html : html.replace(/ (id|aria-labelledby|aria-describedby)="/g, ` $1="${own}-`);
  return named
    .replaceAll(' loading="lazy"', '')
    .replace(/ href="([^"#]*)(?:#([^"]*))?"/g, (whole, page, id) => {
      const chapter = numbers.get(page);
      const there = chapter === undefined ? null : `c${chapter}`;
      const target = page === '' && id !== undefined ? own : there;
      return target === null ? whole : ` href="#${target}${id === undefined ? '' : `-${id}`}"`;
    });
}
