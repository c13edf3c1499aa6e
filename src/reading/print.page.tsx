import type { Principal } from '../platform/base/principal.ts';
import type { Edition } from '../catalog/catalog.ts';
import { readPieces } from '../platform/base/file-slice.ts';
import { readingAddress } from './item-links.ts';
import { inOnePage } from './printed-book.ts';
import { access, recheckAccess, seenBy, servedBySlug } from '../accounts/access.ts';
import { notFound } from '../platform/base/told.ts';
import { type ContentsEntry, listContents } from './contents.ts';
import type { Http } from './stall.ts';
import { htmlHeaders, splitPage } from '../platform/site/page.tsx';
import { Byline, CoverImage } from '../catalog/items.part.tsx';
import { useWords } from '../platform/site/words.tsx';
import { ChapterList } from './contents.part.tsx';
import { coverUrl } from '../catalog/cover.ts';
import { inItsLanguage } from '../platform/base/direction.ts';
import { movedPage } from './moved-page.ts';

const PRINT = '/books/:slug/print';

/** How long a client may wait for a book to be made, in seconds; the maximum of Bun's timer. */
const LONGEST_WAIT = 255;

const PLACE = `<i>${crypto.randomUUID()}</i>`;

/**
 * `GET /books/:slug/print`: sends a whole book as one page to be printed. Its chapters come from a file that is made once.
 * Refuses visitors who may not read all of it.
 */
export async function showPrint(http: Http, request: Request, principal: Principal, slug: string) {
  const { stall, viewOf, sender, budgets, connections, requestLog } = http;
  const edition = seenBy(principal, servedBySlug(stall, principal, slug, 'book'));
  access(stall, principal, { edition, action: 'read' });
  const away = movedPage(request, edition, slug);
  if (away !== null) return away;
  const contents = await listContents(stall, edition);
  if (contents.length === 0) throw notFound(`${slug}/print`);
  const view = viewOf(principal);
  const headers = htmlHeaders(view);
  if (request.method === 'HEAD') return new Response(null, { headers });
  const head = { title: edition.manifest.title, heading: null, skipTo: 'text' };
  const body = <PrintedBook edition={edition} contents={contents} />;
  const chapters = contents.map(({ path, title }) => ({
    path,
    title,
    address: readingAddress(edition.manifest, path),
  }));
  const numbers = new Map(chapters.map(({ address }, n) => [address, n]));
  const halves = splitPage(view, head, body, PLACE);
  const bytesOf = (html: string) => Buffer.from(inOnePage(html, numbers, null));
  const before = bytesOf(halves.before);
  const after = bytesOf(halves.after);
  // Each account, or each address of visitors without one, may wait for one book at a time.
  const enter = () => budgets.enterFile(requestLog.of(request).account ?? budgets.addressOf(request).key);
  connections.allowSilence(request, LONGEST_WAIT);
  const { file, size: end } = await stall.pages.print(edition, chapters, enter);
  const sent = {
    route: PRINT,
    length: before.length + end + after.length,
    check: () => recheckAccess(stall, principal, { edition, action: 'read' }),
    pieces: () => readPieces({ file, start: 0, end }, before, after),
  };
  sent.check();
  return sender.pieces(request, sent, { headers });
}

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
