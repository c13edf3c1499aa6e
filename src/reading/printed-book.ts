import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { sha256 } from '../platform/base/runtime.ts';
import { decodePage, type PageFile, pageName } from './page-file.ts';
import type { Edition } from '../catalog/catalog.ts';

/** The version of printed books, raised whenever the same pages would be put together differently. */
const FORMAT = 1;

export type PrintedChapter = { readonly path: string; readonly title: string; readonly address: string };

export type PrintedBook = { readonly file: string; readonly size: number };

/**
 * A job of the renderer: to write a printed book into the file `out`. `pages` has the files of each chapter's rendered pages,
 * one for each part of its text.
 */
export type PrintJob = {
  readonly task: 'print';
  readonly out: string;
  readonly chapters: readonly PrintedChapter[];
  readonly pages: readonly (readonly string[])[];
  /** Pages whose rendering was stopped before this time, in milliseconds since 1970, must be rendered again. */
  readonly cutBefore: number;
};

/**
 * The result of a PrintJob. `stale` are the pages that must be rendered again: missing, damaged, or cut before `cutBefore`.
 * `isCut` tells whether any page was cut, so that it shows its text as it was written.
 */
export type Printed = { readonly stale: readonly string[]; readonly isCut: boolean };

export const printName = (edition: Edition, chapters: readonly PrintedChapter[], state: string): string =>
  sha256(JSON.stringify([FORMAT, pageName(edition.manifest, edition.digest, ''), chapters, state]));

/** After so many bytes of HTML the garbage is collected, since each part was copied several times. */
const COLLECTED = 4 * 1024 * 1024;

/** Writes a printed book, in the rendering Worker, and keeps no more than a part of a chapter in memory. */
export function printBook({ out, chapters, pages, cutBefore }: PrintJob): Printed {
  const numbers = new Map(chapters.map(({ address }, n) => [address, n]));
  const stale: string[] = [];
  let [isCut, uncollected] = [false, 0];
  mkdirSync(dirname(out), { recursive: true, mode: 0o700 });
  const file = openSync(out, 'w', 0o600);
  try {
    for (const [chapter, { title }] of chapters.entries()) {
      writeSync(file, `<section class="chapter" id="c${chapter}">`);
      for (const [n, name] of pages[chapter]!.entries()) {
        const page = readPage(name);
        if (page === null || (page.cutAt !== null && page.cutAt < cutBefore)) {
          stale.push(name);
          continue;
        }
        isCut ||= page.cutAt !== null;
        const own = n === 0 ? `c${chapter}` : `c${chapter}.${n + 1}`;
        const heading = n === 0 && page.headings[0]?.level !== 1 ? `<h1>${Bun.escapeHTML(title)}</h1>` : '';
        const html = inOnePage(Buffer.from(page.html).toString(), numbers, own);
        writeSync(file, `${heading}<div class="${page.isPlain ? 'reading plain' : 'reading'}">${html}</div>`);
        uncollected += page.html.length;
        if (uncollected <= COLLECTED) continue;
        Bun.gc(true);
        uncollected = 0;
      }
      writeSync(file, '</section>\n');
    }
  } finally {
    closeSync(file);
  }
  return { stale, isCut };
}

function readPage(file: string): PageFile | null {
  return existsSync(file) ? decodePage(new Uint8Array(readFileSync(file))) : null;
}

/**
 * Adapts HTML to the printed page: its ids get the prefix `own`, and links to chapters lead within the page; `numbers` has the
 * chapters by address. Only attributes are changed: quotation marks in texts are escaped, so that no text looks like an
 * attribute.
 */
export function inOnePage(html: string, numbers: ReadonlyMap<string, number>, own: string | null): string {
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
