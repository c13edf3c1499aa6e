import type { ComponentChildren } from 'preact';
import type { Principal, SessionPrincipal, ItemKind } from '../platform/base/principal.ts';
import { bytesAddress, readingAddress } from './item-links.ts';
import { PIECE, readPieces } from '../platform/base/file-slice.ts';
import type { Edition } from '../catalog/catalog.ts';
import type { OpenedPage } from './reading-pages.ts';
import { isFree, isShown, itemKey } from '../catalog/item.rule.ts';
import type { Http } from './stall.ts';
import { isNumbered } from '../catalog/chapters.rule.ts';
import { type ContentsEntry, titleOf } from './contents.ts';
import { Contents, formatMinutes, minutesOf, wordsIn } from './contents.part.tsx';
import { type LastPlace, lastPlaces } from './last-place.ts';
import { findFirstText, keepSpot, type OpenedText, openText } from './item-texts.ts';
import { countedBody, redirect } from '../platform/http/answer.ts';
import { decoded } from '../platform/base/markdown-link.ts';
import { htmlHeaders, Notice, sendPage, splitPage, type View, wantsPage } from '../platform/site/page.tsx';
import type { Query } from '../platform/http/http.ts';
import { NotesBelow, notesOfPage, Pencil } from './note.page.tsx';
import { may, recheckAccess, grantedSince } from '../accounts/access.ts';
import { isOfOther } from '../accounts/account.ts';
import { Bought, Buy } from '../selling/buy.part.tsx';
import { readPageNumber } from '../platform/site/data-table.tsx';
import { QuietLink } from '../platform/site/form.tsx';
import { once } from '../platform/site/once.tsx';
import { bytesIn, useWords } from '../platform/site/words.tsx';
import { Keys, Look, type PageLook, readLook } from '../platform/site/look.tsx';
import { readForm } from '../platform/http/body.ts';
import { inItsLanguage } from '../platform/base/direction.ts';
import { priceIn } from '../catalog/item-words.ts';
import { movedPage } from './moved-page.ts';
import { markPage, readMark } from './page-mark.ts';

export async function showText(
  { stall, viewOf, sender }: Http,
  request: Request,
  asked: {
    readonly principal: Principal;
    readonly wanted: { readonly kind: ItemKind; readonly slug: string; readonly path: string };
    readonly query: Query;
  },
): Promise<Response> {
  const { principal, wanted, query } = asked;
  const path = decoded(wanted.path);
  const mark = readMark(query);
  const offset = mark?.start ?? (/^\d{1,9}$/.test(query['at'] ?? '') ? Number(query['at']) : null);
  const part = offset === null ? { number: readPageNumber(query, 'part') } : { offset };
  const opened = await openText(stall, principal, { ...wanted, path }, part);
  const { page, refusal, edition, contents, file } = opened;
  const away = movedPage(request, edition, wanted.slug);
  if (away !== null) return away;
  const view = viewOf(principal);
  if (refusal !== null) {
    const { pathname } = new URL(request.url, view.origin);
    if (!wantsPage(request, pathname)) throw refusal;
    const isRefunded =
      principal.kind === 'account' && stall.wasRefunded(principal.accountId, itemKey(edition.manifest));
    return sendClosedText(view, opened, readLook(request), isRefunded);
  }
  const isOpen = may(stall, principal, { edition, action: 'read' });
  if (page === null) return sendLongText(view, opened, isOpen, readLook(request));
  // The reader's place is not stored if they only look up a quote, or open a file that is no chapter; nor if their browser
  // fetches the page for later.
  const isRead = mark === null && contents.some((entry) => entry.path === path);
  const isPlaceKept = isRead && grantedSince(stall, principal, edition) !== null;
  // The other place that a page offers is looked up before this page is noted as the last one read.
  const places = query['other'] === undefined ? [] : await lastPlaces(stall, principal, edition);
  const other = places.find(({ from }) => from === query['other']) ?? null;
  const here = { path, part: page.number, block: null, marks: '' };
  if (isPlaceKept && request.headers.get('purpose') !== 'prefetch')
    stall.readingPlaces.note(principal, edition, here);
  const notes = isOpen ? await notesOfPage(stall, principal, { edition, path, at: page.at }) : null;
  const { tags, outcome } = markPage(page, mark, file, notes?.shown);
  const bought = isPlaceKept && /^[\w-]{11}$/.test(query['bought'] ?? '') ? query['bought']! : null;
  const { headings } = page.page;
  const title = titleOf(contents, path, headings[0]?.title);
  const halves = splitPage(
    view,
    {
      title: `${title} · ${edition.manifest.title}`,
      heading: null,
      look: readLook(request),
      skipTo: 'text',
      ...canonicalOf(opened),
    },
    <TextPage
      {...{ view, opened, page, title, isOpen, isPlaceKept, notes, other, bought }}
      isChanged={outcome === 'changed'}
    />,
    TEXT_HOLE,
  );
  const before = Buffer.from(halves.before);
  const after = Buffer.from(halves.after);
  const inserted = tags.reduce((sum, { tag }) => sum + tag.length, 0);
  const length = before.length + page.page.html.length + inserted + after.length;
  const headers = htmlHeaders(view);
  if (request.method === 'HEAD') return new Response(countedBody(length), { headers });
  const delivery = {
    route: `/${wanted.kind}s/:slug/read/*`,
    length,
    check: () => recheckAccess(stall, principal, { edition, action: 'read', path }),
    pieces: () => piecesOf(page, before, tags, after),
  };
  return sender.pieces(request, delivery, { headers });
}

/**
 * Yields the HTML of a page in pieces. A long page without `tags` is read from its file, so that a slow client keeps none of it
 * in memory; otherwise the tags are inserted.
 */
function* piecesOf(
  { page, file }: OpenedPage,
  before: Uint8Array,
  tags: readonly { readonly at: number; readonly tag: string }[],
  after: Uint8Array,
): Generator<Uint8Array, void> {
  const { html, start } = page;
  if (tags.length === 0 && html.length > PIECE)
    return yield* readPieces({ file, start, end: start + html.length }, before, after);
  // The HTML is shared by all readers of the page; the tags belong to this reader.
  let [piece, size, last] = [[before], before.length, 0];
  for (const { at, tag } of [...tags, { at: html.length, tag: '' }]) {
    piece.push(html.subarray(last, at), Buffer.from(tag));
    [size, last] = [size + at - last + tag.length, at];
    if (size < PIECE) continue;
    yield Buffer.concat(piece);
    [piece, size] = [[], 0];
  }
  yield Buffer.concat([...piece, after]);
}

const TEXT_HOLE = `<i>${crypto.randomUUID()}</i>`;

function canonicalOf({ edition: { manifest }, file }: OpenedText) {
  const isPublic =
    (manifest.status === 'published' && isFree(manifest)) ||
    (isShown(manifest) && manifest.sample.includes(file.path));
  return isPublic ? { canonical: readingAddress(manifest, file.path) } : {};
}

type TextPageProps = {
  readonly view: View;
  readonly opened: OpenedText;
  readonly page: OpenedPage;
  readonly title: string;
  readonly isOpen: boolean;
  readonly isPlaceKept: boolean;
  readonly isChanged: boolean;
  readonly other: LastPlace | null;
  /** The reference of the order that the reader comes from; null without one. */
  readonly bought: string | null;
  readonly notes: Awaited<ReturnType<typeof notesOfPage>>;
};

function TextPage(props: TextPageProps) {
  const { view, opened, page, title, isOpen, isPlaceKept, isChanged, notes, other, bought } = props;
  const { chapter } = useWords().reading;
  const { edition, file, contents } = opened;
  const { manifest } = edition;
  const words = inItsLanguage(manifest);
  const [first] = page.page.headings;
  const isFirst = page.number === 1;
  const { next } = neighbours(contents, file.path);
  const isLastOpen = !isOpen && page.number === page.count && next?.isSample !== true;
  return (
    <Reader view={view} opened={opened} isOpen={isOpen}>
      {bought !== null && (
        <Notice kind="good">
          {chapter.bought((text) => (
            <a href={`/claim/yours?order=${bought}`}>{text}</a>
          ))}
        </Notice>
      )}
      {isChanged && <Notice kind="warn">{chapter.changed}</Notice>}
      {other !== null && (
        <p class="quiet">
          {chapter.wasAt({
            place: (
              <a href={placeAddress(edition, other)} {...words}>
                {titleOf(contents, other.path)}
              </a>
            ),
            isDevice: other.from === 'device',
          })}
        </p>
      )}
      {(!isFirst || first?.level !== 1) && (
        <h1
          class={
            isFirst && ` ${wordsOf(first?.title ?? '')}`.endsWith(` ${wordsOf(title)}`) ? 'unseen' : undefined
          }
          {...words}
        >
          {title}
        </h1>
      )}
      <div
        class={page.page.isPlain ? 'reading plain' : 'reading'}
        data-part={isPlaceKept ? page.number : undefined}
        {...words}
        dangerouslySetInnerHTML={{ __html: TEXT_HOLE }}
      />
      {notes !== null && (
        <>
          <OfText opened={opened} name={`pencil ${page.number}`}>
            <Pencil edition={edition} path={file.path} part={page.number} />
          </OfText>
          <NotesBelow edition={edition} notes={notes} />
        </>
      )}
      {isLastOpen && !isPlaceKept && <Offer view={view} opened={opened} title={chapter.sampleEnds} />}
    </Reader>
  );
}

type ReaderProps = Pick<TextPageProps, 'view' | 'opened' | 'isOpen'> & {
  readonly children: ComponentChildren;
};

function Reader({ view, opened, isOpen, children }: ReaderProps) {
  const { edition, page } = opened;
  const { dir } = inItsLanguage(edition.manifest);
  const canAsk = isOpen && view.visitor !== 'anonymous';
  return (
    <div class="reader">
      <Contents opened={opened} isOpen={isOpen} />
      <article id="text" tabIndex={-1}>
        <OfText opened={opened} name={`head ${canAsk}`}>
          <ChapterHead opened={opened} canAsk={canAsk} />
        </OfText>
        {children}
        <OfText opened={opened} name={`turn ${page?.number} ${page?.count}`}>
          <Turn opened={opened} />
        </OfText>
      </article>
      {once(useWords(), Keys, `keys ${dir}`, <Keys dir={dir} />)}
    </div>
  );
}

type OfTextProps = {
  readonly opened: OpenedText;
  readonly name: string;
  readonly children: ComponentChildren;
};

/** A part of the page that is the same for all readers of a text, and is rendered once if the text is in the contents. */
function OfText({ opened: { contents, file }, name, children }: OfTextProps) {
  const words = useWords();
  const entry = contents.find(({ path }) => path === file.path);
  return entry === undefined ? <>{children}</> : once(words, entry, name, <>{children}</>);
}

type ChapterHeadProps = { readonly opened: OpenedText; readonly canAsk: boolean };

function ChapterHead({ opened, canAsk }: ChapterHeadProps) {
  const words = useWords();
  const { edition, file } = opened;
  const { manifest } = edition;
  const isSearched = edition.artefacts.index !== undefined;
  return (
    <header class="chapter-head">
      <p>
        <a href={`/${manifest.kind}s/${manifest.slug}`} {...inItsLanguage(manifest)}>
          {manifest.title}
        </a>
      </p>
      <Position opened={opened} />
      <div class="tools">
        {isSearched && (
          <a class="search-link" href={`/books/${manifest.slug}/search`}>
            {words.reading.search}
          </a>
        )}
        {isSearched && canAsk && <a href={`/books/${manifest.slug}/ask`}>{words.reading.ask}</a>}
        <Look back={readingAddress(manifest, file.path)} />
      </div>
    </header>
  );
}

const wordsOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();

function Position({ opened: { edition, contents, file } }: { readonly opened: OpenedText }) {
  const words = useWords();
  const { chapter } = words.reading;
  const at = contents.findIndex(({ path }) => path === file.path);
  if (at === -1) return null;
  const [minutes, minutesLeft] = [minutesOf(contents.slice(at, at + 1)), minutesOf(contents.slice(at))];
  const isBook = edition.manifest.kind === 'book';
  const counted = contents.length > 1 && chapter.position({ isBook, at: at + 1, count: contents.length });
  const share = Math.round((100 * wordsIn(contents.slice(0, at))) / Math.max(1, wordsIn(contents)));
  const countsItself = contents.some(({ number, title }) => number !== null || isNumbered(title));
  const place = countsItself ? share > 0 && chapter.through({ percent: share }) : counted;
  const left = minutesLeft > minutes && chapter.left({ time: formatMinutes(words, minutesLeft) });
  return <p class="place">{[place, formatMinutes(words, minutes), left].filter(Boolean).join(' · ')}</p>;
}

function Turn({ opened: { edition, contents, file, page } }: { readonly opened: OpenedText }) {
  const { chapter } = useWords().reading;
  const { manifest } = edition;
  const { lang, dir } = inItsLanguage(manifest);
  const { number = 1, count = 1 } = page ?? {};
  const to = (part: number, entry: ContentsEntry | undefined) => {
    if (part < 1 || part > count)
      return entry && { href: readingAddress(manifest, entry.path), title: entry.title, lang };
    const query = part === 1 ? '' : `?part=${part}`;
    return {
      href: readingAddress(manifest, file.path) + query,
      title: chapter.part({ number: part, count }),
    };
  };
  const { before, next } = neighbours(contents, file.path);
  const ways = [
    { rel: 'prev', name: chapter.previous, target: to(number - 1, before) },
    { rel: 'next', name: chapter.next, target: to(number + 1, next) },
  ].filter(({ target }) => target !== undefined);
  if (ways.length === 0) return null;
  return (
    <nav class="turn" aria-label={chapter.chapters} dir={dir}>
      {ways.map(({ rel, name, target }) => (
        <a rel={rel} href={target?.href}>
          <span>{name}</span> <span lang={target?.lang}>{target?.title}</span>
        </a>
      ))}
    </nav>
  );
}

/** Sends the page that visitors without access see instead of a text: an offer of the item, and its samples. */
function sendClosedText(view: View, opened: OpenedText, look: PageLook, isRefunded: boolean): Response {
  const { edition, file, contents } = opened;
  const { manifest } = edition;
  const title = titleOf(contents, file.path);
  const samples = contents.filter(({ isSample }) => isSample);
  const words = inItsLanguage(manifest);
  const { chapter } = view.words.reading;
  // The visitor bought the item, and waits for it to be published.
  const isComing = opened.refusal?.kind === 'no-content';
  return sendPage(
    view,
    {
      title: `${title} · ${manifest.title}`,
      heading: null,
      look,
      skipTo: 'text',
      status: isComing ? 404 : view.visitor === 'anonymous' ? 401 : 403,
    },
    <Reader view={view} opened={opened} isOpen={false}>
      <h1 {...words}>{title}</h1>
      {isComing ? (
        <p class="quiet">{view.words.library.announced}</p>
      ) : (
        <Offer
          view={view}
          opened={opened}
          title={isRefunded ? chapter.refunded : chapter.closed({ isBook: manifest.kind === 'book' })}
        />
      )}
      {samples.length > 0 && (
        <section class="samples-list">
          <h2>{chapter.openToAll}</h2>
          <ul {...words}>
            {samples.map((entry) => (
              <li>
                <a href={readingAddress(manifest, entry.path)}>{entry.title}</a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </Reader>,
  );
}

function sendLongText(view: View, opened: OpenedText, isOpen: boolean, look: PageLook): Response {
  const { edition, file } = opened;
  const { manifest } = edition;
  const { chapter } = view.words.reading;
  return sendPage(
    view,
    { title: `${file.path} · ${manifest.title}`, heading: null, look, skipTo: 'text' },
    <Reader view={view} opened={opened} isOpen={isOpen}>
      <h1>{file.path}</h1>
      <p>{chapter.tooLong({ size: bytesIn(view.words, file.size) })}</p>
      <p>
        <a href={bytesAddress(file.path, manifest)}>{chapter.openFile}</a>
      </p>
    </Reader>,
  );
}

type OfferProps = Pick<TextPageProps, 'view' | 'opened' | 'title'>;

function Offer({ view, opened: { edition, contents, file }, title }: OfferProps) {
  const { manifest } = edition;
  const words = useWords();
  const { chapter } = words.reading;
  const minutes = minutesOf(contents);
  const isPriced = manifest.unitAmountCents !== null && !isFree(manifest);
  const whole = {
    isBook: manifest.kind === 'book',
    count: contents.length,
    time: minutes > 0 ? formatMinutes(words, minutes) : null,
    timed: (text: string) => <span class="number">{text}</span>,
    price: isPriced ? <b class="price">{priceIn(words, manifest)}</b> : null,
  };
  return (
    <section class="offer">
      <h2>{title}</h2>
      <p>{chapter.whole(whole)}</p>
      <div class="actions">
        <Buy view={view} priced={manifest} />
        {view.visitor === 'anonymous' && (
          <QuietLink href={`/sign-in?next=${encodeURIComponent(readingAddress(manifest, file.path))}`}>
            {chapter.signIn}
          </QuietLink>
        )}
      </div>
      {view.email !== null && isPriced && <Bought view={view} from={readingAddress(manifest, file.path)} />}
    </section>
  );
}

function neighbours(contents: readonly ContentsEntry[], path: string) {
  const at = contents.findIndex((entry) => entry.path === path);
  return at === -1 ? {} : { before: contents[at - 1], next: contents[at + 1] };
}

/** Returns the address of a place. With `other` ("site" or "device"), the page there also offers the place from that source. */
function placeAddress(
  { manifest }: Edition,
  { path, part, block }: Omit<LastPlace, 'from'>,
  other: string | null = null,
): string {
  const asked = new URLSearchParams({
    ...(part > 1 && { part: String(part) }),
    ...(other !== null && { other }),
  });
  const query = asked.size === 0 ? '' : `?${asked}`;
  return `${readingAddress(manifest, path)}${query}${block > 0 ? `#at:${block}` : ''}`;
}

/** Redirects to where the reader stopped in an item, or to its first text. The script scrolls to the block in the address. */
export async function sendToText({ stall }: Http, principal: Principal, kind: ItemKind, slug: string) {
  const { edition, other, ...place } = await findFirstText(stall, principal, kind, slug);
  return redirect(placeAddress(edition, place, other));
}

export async function keepPlace({ stall }: Http, request: Request, member: SessionPrincipal) {
  const form = await readForm(request);
  if (isOfOther(form, member)) return new Response(null, { status: 409 });
  const [, kind, slug, path] = /^\/(book|skill)s\/([^/]+)\/read\/(.+)$/.exec(form.text('page')) ?? [];
  const [part, block, age] = ['part', 'block', 'age'].map((name) => Number(form.text(name) || NaN));
  if ((kind === 'book' || kind === 'skill') && slug !== undefined && path !== undefined)
    await keepSpot(stall, member, { kind, slug, path: decoded(path) }, { part, block, age });
  return new Response(null, { status: 204 });
}
