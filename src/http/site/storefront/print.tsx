import type { Principal } from '../../../access/principal.ts';
import type { Edition } from '../../../catalog/catalog.ts';
import { readingAddress } from '../../../catalog/item-links.ts';
import { access, notFound, recheckAccess, seenBy, servedBySlug } from '../../../service/access.ts';
import { type ContentsEntry, listContents } from '../../../service/contents.ts';
import type { Stall } from '../../../service/stall.ts';
import { sendWritten } from '../../download.ts';
import type { Http } from '../../http.ts';
import { htmlHeaders, movedPage, splitPage } from '../frame/page.tsx';
import { Byline, CoverImage, inItsLanguage } from '../parts/items.tsx';
import { useWords } from '../parts/words.tsx';
import { coverUrl } from './covers.ts';
import { ChapterList } from '../reading/contents.tsx';

const PRINT = '/books/:slug/print';

/** A placeholder in the rendered page, which is replaced by the chapters. */
const PLACE = `<i>${crypto.randomUUID()}</i>`;

/**
 * `GET /books/:slug/print`: sends a whole book as one page to be printed, in pieces. Refuses visitors who may not read all of
 * it.
 */
export async function showPrint(http: Http, request: Request, principal: Principal, slug: string) {
  const { stall, viewOf } = http;
  const edition = seenBy(principal, servedBySlug(stall, principal, slug, 'book'));
  access(stall, principal, edition, 'read');
  const away = movedPage(request, edition, slug);
  if (away !== null) return away;
  const contents = await listContents(stall, edition);
  if (contents.length === 0) throw notFound(`${slug}/print`);
  const view = viewOf(principal);
  const head = { title: edition.manifest.title, heading: null, skipTo: 'text' };
  const frame = splitPage(view, head, <PrintedBook edition={edition} contents={contents} />, PLACE);
  const check = () => recheckAccess(stall, principal, edition, 'read');
  const texts = writeBook(stall, edition, contents, { frame, check });
  return sendWritten(http, request, { route: PRINT, headers: htmlHeaders(view), isFile: true }, texts);
}

/** The printed book's title page and contents, and the placeholder for its chapters. */
function PrintedBook({ edition, contents }: { edition: Edition; contents: readonly ContentsEntry[] }) {
  const { manifest } = edition;
  const { reading } = useWords();
  return (
    <article class="printed" id="text" tabIndex={-1}>
      <p class="hint">{reading.printHint}</p>
      <header>
        <CoverImage src={coverUrl(edition)} isSquare={false} />
        <p class="title" {...inItsLanguage(manifest)}>
          {manifest.title}
        </p>
        <Byline {...manifest} />
        {manifest.version !== null && <p>{manifest.version}</p>}
      </header>
      <nav aria-label={reading.contents}>
        <h2>{reading.contents}</h2>
        <ChapterList manifest={manifest} chapters={contents} isBeside isSample={() => false} />
      </nav>
      <div {...inItsLanguage(manifest)} dangerouslySetInnerHTML={{ __html: PLACE }} />
    </article>
  );
}

type Printing = { readonly frame: readonly [before: string, after: string]; readonly check: () => void };

/** Yields the page's HTML, a part of a chapter at a time, so that a large book is never held whole. */
async function* writeBook(
  { pages }: Stall,
  edition: Edition,
  contents: readonly ContentsEntry[],
  { frame: [before, after], check }: Printing,
): AsyncGenerator<string, void> {
  const addresses = contents.map(({ path }, n) => [readingAddress(edition.manifest, path), n] as const);
  const chapters = new Map(addresses);
  yield inOnePage(before, chapters, null);
  for (const [n, { path, title }] of contents.entries()) {
    const file = edition.files.find((one) => one.path === path);
    yield `<section class="chapter" id="c${n}">`;
    for (let [number, count] = [1, 1]; file !== undefined && number <= count; number++) {
      check();
      const opened = await pages.open(edition, file, { number });
      if (opened === null) break;
      const { page } = opened;
      count = opened.count;
      if (number === 1 && page.headings[0]?.level !== 1) yield `<h1>${Bun.escapeHTML(title)}</h1>`;
      const own = number === 1 ? `c${n}` : `c${n}.${number}`;
      const html = inOnePage(Buffer.from(page.html).toString(), chapters, own);
      yield `<div class="${page.isPlain ? 'reading plain' : 'reading'}">${html}</div>`;
    }
    yield '</section>\n';
  }
  yield after;
}

/**
 * Adapts the HTML of one part to the printed page: its ids get the prefix `own`, and links to chapters lead within the page.
 * Only attributes are changed: quotation marks in a text are escaped, so it cannot look like one.
 */
function inOnePage(html: string, chapters: ReadonlyMap<string, number>, own: string | null): string {
  const named =
    own === null ? html : html.replace(/ (id|aria-labelledby|aria-describedby)="/g, ` $1="${own}-`);
  return named
    .replaceAll(' loading="lazy"', '')
    .replace(/ href="([^"#]*)(?:#([^"]*))?"/g, (whole, page, id) => {
      const chapter = chapters.get(page);
      const there = chapter === undefined ? null : `c${chapter}`;
      const target = page === '' && id !== undefined ? own : there;
      return target === null ? whole : ` href="#${target}${id === undefined ? '' : `-${id}`}"`;
    });
}
