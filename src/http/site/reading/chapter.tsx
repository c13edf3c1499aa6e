import type { ComponentChildren } from 'preact';
import type { Principal } from '../../../access/principal.ts';
import { readingAddress } from '../../../catalog/item-links.ts';
import { readPieces } from '../../../catalog/file-content.ts';
import type { OpenedPage, WantedPart } from '../../../catalog/reading-pages.ts';
import { isFree, type ItemKind, type Manifest } from '../../../item/item.ts';
import type { ContentsEntry } from '../../../service/contents.ts';
import { findFirstText, type OpenedText, openText } from '../../../service/agent-texts.ts';
import { countedBody } from '../../download.ts';
import { decoded } from '../../../item/link.ts';
import { htmlHeaders, movedPage, Notice, sendPage, splitPage, type View, wantsPage } from '../frame/page.tsx';
import type { Http, Query } from '../../http.ts';
import { markPage, readMark } from './answer-text.ts';
import { may, recheckAccess, grantedSince } from '../../../service/access.ts';
import { formatPrice } from '../../../item/price.ts';
import { Buy } from '../parts/buy.tsx';
import { ButtonLink } from '../parts/form.tsx';
import { inItsLanguage, SampleBadge } from '../parts/shelf.tsx';
import { ownPath, redirect } from '../../answer.ts';
import { readForm } from '../../body.ts';

/** One text of an item as a page. */
export async function showText(
  { stall, viewOf, sender }: Http,
  request: Request,
  principal: Principal,
  wanted: { readonly kind: ItemKind; readonly slug: string; readonly path: string },
  query: Query,
): Promise<Response> {
  const path = decoded(wanted.path);
  const mark = readMark(query);
  const part = mark === null ? readPart(query) : { offset: mark.start };
  const opened = await openText(stall, principal, { ...wanted, path }, part);
  const { page, refusal, edition, contents, file } = opened;
  const away = movedPage(request, edition, wanted.slug);
  if (away !== null) return away;
  const view = viewOf(principal);
  if (page === null || refusal !== null) {
    const { pathname } = new URL(request.url, view.origin);
    if (refusal !== null && !wantsPage(request, pathname)) throw refusal;
    return sendClosedText(view, opened, principal.kind === 'anonymous');
  }
  const isHolder = (await grantedSince(stall, principal, edition)) !== null;
  if (isHolder) stall.readingPlaces.note(principal, edition, path);
  // Many may have waited for the same text.
  await sender.turn(request);
  const { tags, outcome } = markPage(page, mark, file);
  const isOpen = await may(stall, principal, edition, 'read');
  const { headings } = page.page;
  const title = titleOf(contents, path, headings[0]?.title);
  const frame = splitPage(
    view,
    { title: `${title} · ${edition.manifest.title}`, heading: null, ...canonicalOf(opened) },
    <TextPage
      {...{
        opened,
        page,
        title,
        isOpen,
        size: readTextSize(request),
        isChanged: outcome === 'changed',
        isAskable: isOpen && view.visitor !== 'anonymous' && edition.artefacts.index !== undefined,
      }}
    />,
    PLACE,
  );
  const [before, after] = [Buffer.from(frame[0]), Buffer.from(frame[1])];
  const inserted = tags.reduce((sum, { tag }) => sum + tag.length, 0);
  const length = before.length + page.page.html.length + inserted + after.length;
  const headers = htmlHeaders(view);
  if (request.method === 'HEAD') return new Response(countedBody(length), { headers });
  const delivery = {
    route: `/${wanted.kind}s/:slug/read/*`,
    length,
    check: () => recheckAccess(stall, principal, edition, 'read', path),
    pieces: () => piecesOf(page, before, tags, after),
  };
  return sender.pieces(request, delivery, { headers });
}

/** The part of a long text that a page's address asks for, the first if it asks for none. */
function readPart(query: Query): WantedPart {
  return { number: /^[1-9]\d{0,4}$/.test(query['part'] ?? '') ? Number(query['part']) : 1 };
}

/** A page from its file: a slow reader of a long one holds none of it. `tags` are put into its HTML. */
function* piecesOf(
  { page, file }: OpenedPage,
  before: Uint8Array,
  tags: readonly { readonly at: number; readonly tag: string }[],
  after: Uint8Array,
): Generator<Uint8Array, void> {
  let [start, ahead] = [page.start, before];
  for (const { at, tag } of tags) {
    yield* readPieces({ file, start, end: page.start + at }, ahead);
    [start, ahead] = [page.start + at, Buffer.from(tag)];
  }
  yield* readPieces({ file, start, end: page.start + page.html.length }, ahead, after);
}

/** Where in a rendered page the text goes. */
const PLACE = `<i>${crypto.randomUUID()}</i>`;

/** Samples and free items may be found by search engines; a text for holders is theirs. */
function canonicalOf({ edition: { manifest }, file }: OpenedText) {
  const isPublic =
    manifest.status === 'published' && (isFree(manifest) || manifest.sample.includes(file.path));
  return isPublic ? { canonical: readingAddress(manifest, file.path) } : {};
}

/** The title of a text: a chapter's own, else its first heading or its path. */
export function titleOf(contents: readonly ContentsEntry[], path: string, heading = path): string {
  return contents.find((entry) => entry.path === path)?.title ?? heading;
}

type TextPageProps = {
  readonly opened: OpenedText;
  readonly page: OpenedPage;
  readonly title: string;
  readonly isOpen: boolean;
  readonly size: TextSize;
  readonly isChanged: boolean;
  readonly isAskable: boolean;
};

function TextPage({ opened, page, title, isOpen, size, isChanged, isAskable }: TextPageProps) {
  const { edition, file, contents } = opened;
  const { manifest } = edition;
  const own = readingAddress(manifest, file.path);
  const words = inItsLanguage(manifest);
  const [first] = page.page.headings;
  const isFirst = page.number === 1;
  const head = (
    <>
      <Place progress={progressOf(contents, file.path)} />
      {edition.artefacts.index !== undefined && (
        <p>
          <a href={`/books/${manifest.slug}/search`}>Search</a>
        </p>
      )}
      {isAskable && (
        <p>
          <a href={`/books/${manifest.slug}/ask`}>Ask</a>
        </p>
      )}
      <TextSizeForm size={size} back={own} />
    </>
  );
  return (
    <Reader opened={opened} isOpen={isOpen} look={`reader size-${size}`} head={head}>
      {isChanged && (
        <Notice kind="warn">This text has changed since it was quoted, so the passage is not marked.</Notice>
      )}
      {(!isFirst || first?.level !== 1) && (
        <h1
          class={isFirst && wordsOf(first?.title ?? '') === wordsOf(title) ? 'unseen' : undefined}
          {...words}
        >
          {title}
        </h1>
      )}
      <div
        class={page.page.isPlain ? 'reading plain' : 'reading'}
        {...words}
        dangerouslySetInnerHTML={{ __html: PLACE }}
      />
      <Parts page={page} address={own} />
    </Reader>
  );
}

type ReaderProps = {
  readonly opened: OpenedText;
  readonly isOpen: boolean;
  readonly look: string;
  readonly head: ComponentChildren;
  readonly children: ComponentChildren;
};

/** The frame of a text: its item above it, the contents beside it, and the way to the texts before and after. */
function Reader({ opened, isOpen, look, head, children }: ReaderProps) {
  const { edition, file, contents } = opened;
  const { manifest } = edition;
  return (
    <div class={look}>
      <Contents manifest={manifest} contents={contents} path={file.path} isOpen={isOpen} />
      <article>
        <header class="chapter-head">
          <p>
            <a href={`/${manifest.kind}s/${manifest.slug}`} {...inItsLanguage(manifest)}>
              {manifest.title}
            </a>
          </p>
          {head}
        </header>
        {children}
        <Turn manifest={manifest} {...progressOf(contents, file.path)} />
      </article>
    </div>
  );
}

/** A title without case, quotation marks and the like, by which authors' contents differ from their headings. */
const wordsOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();

/** Links to the parts of a long text before and after this one. */
function Parts({ page: { number, count }, address }: { page: OpenedPage; address: string }) {
  if (count === 1) return null;
  return (
    <nav class="turn" aria-label="Parts of this text">
      {number > 1 && (
        <a rel="prev" href={number === 2 ? address : `${address}?part=${number - 1}`}>
          <span>Previous part</span> {number - 1} of {count}
        </a>
      )}
      {number < count && (
        <a rel="next" href={`${address}?part=${number + 1}`}>
          <span>Next part</span> {number + 1} of {count}
        </a>
      )}
    </nav>
  );
}

function Place({ progress: { number, count, minutes, minutesLeft } }: { readonly progress: Progress }) {
  if (number === null) return null;
  const left = minutesLeft > minutes ? `, ${formatMinutes(minutesLeft)} to the end` : '';
  return (
    <p class="place">
      {count > 1 ? `Chapter ${number} of ${count} · ` : ''}
      {formatMinutes(minutes)}
      {left}
    </p>
  );
}

/** Links to the texts before and after. */
function Turn({ manifest, previous, next }: Pick<Progress, 'previous' | 'next'> & { manifest: Manifest }) {
  if (previous === null && next === null) return null;
  const { lang, dir } = inItsLanguage(manifest);
  return (
    <nav class="turn" aria-label="Chapters" dir={dir}>
      {previous !== null && (
        <a rel="prev" href={readingAddress(manifest, previous.path)}>
          <span lang="en">Previous</span> <span lang={lang}>{previous.title}</span>
        </a>
      )}
      {next !== null && (
        <a rel="next" href={readingAddress(manifest, next.path)}>
          <span lang="en">Next</span> <span lang={lang}>{next.title}</span>
        </a>
      )}
    </nav>
  );
}

/**
 * The page of a text for visitors who may not read it: a description, the price and the samples, without a word of the
 * text.
 */
function sendClosedText(view: View, opened: OpenedText, isStranger: boolean): Response {
  const { edition, file, contents } = opened;
  const { manifest } = edition;
  const title = titleOf(contents, file.path);
  const progress = progressOf(contents, file.path);
  const samples = contents.filter(({ isSample }) => isSample);
  const own = readingAddress(manifest, file.path);
  const words = inItsLanguage(manifest);
  const head = progress.number !== null && (
    <p class="place">
      Chapter {progress.number} of {progress.count}
    </p>
  );
  return sendPage(
    view,
    { title: `${title} · ${manifest.title}`, heading: null, status: isStranger ? 401 : 403 },
    <Reader opened={opened} isOpen={false} look="reader" head={head}>
      <h1 {...words}>{title}</h1>
      <section class="closed">
        <p>
          This chapter is for those who own the {manifest.kind}.
          {isFree(manifest) ? '' : ` It costs ${formatPrice(manifest.unitAmountCents, manifest.currency)}.`}
        </p>
        <div class="actions">
          <Buy view={view} priced={manifest} />
          {isStranger && (
            <ButtonLink kind="quiet" href={`/sign-in?next=${encodeURIComponent(own)}`}>
              Sign in and read
            </ButtonLink>
          )}
        </div>
        {samples.length > 0 && (
          <>
            <h2>Samples</h2>
            <ul {...words}>
              {samples.map((entry) => (
                <li>
                  <a href={readingAddress(manifest, entry.path)}>{entry.title}</a>
                </li>
              ))}
            </ul>
          </>
        )}
      </section>
    </Reader>,
  );
}

/** The most entries on a page: of a longer list those around the open one. */
const MOST = 120;

type ContentsProps = {
  readonly manifest: Manifest;
  readonly contents: readonly ContentsEntry[];
  readonly path: string;
  /** Whether the reader may read all of it: else samples are named. */
  readonly isOpen: boolean;
};

/** An item's contents beside an open text. */
function Contents({ manifest, contents, path, isOpen }: ContentsProps) {
  const at = Math.max(
    0,
    contents.findIndex((entry) => entry.path === path),
  );
  const first = Math.max(0, Math.min(at - MOST / 2, contents.length - MOST));
  const shown = contents.slice(first, first + MOST);
  const words = inItsLanguage(manifest);
  return (
    <nav class="contents" aria-label="Contents">
      <details class={first + shown.length >= 100 ? 'many' : undefined}>
        <summary>Contents</summary>
        {groupByPart(shown, first + 1).map(({ part, start, entries }) => (
          <div {...words}>
            {part !== null && <p class="part">{part}</p>}
            <ol start={start}>
              {entries.map((entry) => (
                <li class={`level-${entry.level}`}>
                  <a
                    href={readingAddress(manifest, entry.path)}
                    aria-current={entry.path === path ? 'page' : undefined}
                  >
                    {entry.title}
                  </a>
                  {entry.isSample && !isOpen && <SampleBadge />}
                </li>
              ))}
            </ol>
          </div>
        ))}
        {shown.length < contents.length && (
          <p>
            <a href={`/${manifest.kind}s/${manifest.slug}#contents`}>All {contents.length} chapters</a>
          </p>
        )}
      </details>
    </nav>
  );
}

/** Words a minute. */
const PACE = 230;

type Progress = {
  readonly number: number | null;
  readonly count: number;
  readonly previous: ContentsEntry | null;
  readonly next: ContentsEntry | null;
  readonly minutes: number;
  readonly minutesLeft: number;
};

/**
 * The place of a text among the others: `number` counts from 1, and is null for a text that is not a chapter; the minutes are
 * those of this text, and from its start to the end of all.
 */
function progressOf(contents: readonly ContentsEntry[], path: string): Progress {
  const at = contents.findIndex((entry) => entry.path === path);
  const rest = at === -1 ? [] : contents.slice(at);
  return {
    number: at === -1 ? null : at + 1,
    count: contents.length,
    previous: at > 0 ? (contents[at - 1] ?? null) : null,
    next: at === -1 ? null : (contents[at + 1] ?? null),
    minutes: minutesOf(rest.slice(0, 1)),
    minutesLeft: minutesOf(rest),
  };
}

/** The minutes that texts take to read together. */
export function minutesOf(entries: readonly ContentsEntry[]): number {
  return Math.ceil(entries.reduce((sum, { words }) => sum + words, 0) / PACE);
}

/** `8 min`, `1 h 20 min`. */
export function formatMinutes(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return hours === 0 ? `${rest} min` : rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

/** Where to read an item on, or to begin. */
export async function sendToText({ stall }: Http, principal: Principal, kind: ItemKind, slug: string) {
  const { edition, path } = await findFirstText(stall, principal, kind, slug);
  return redirect(readingAddress(edition.manifest, path));
}

type Group<Entry> = { readonly part: string | null; readonly start: number; readonly entries: Entry[] };

/** Chapters that follow each other in one part; `start` is the number of the first, `first` that of the first group's. */
export function groupByPart<Entry extends { readonly part: string | null }>(
  entries: readonly Entry[],
  first: number,
): readonly Group<Entry>[] {
  const groups: Group<Entry>[] = [];
  entries.forEach((entry, n) => {
    const last = groups.at(-1);
    if (last !== undefined && last.part === entry.part) last.entries.push(entry);
    else groups.push({ part: entry.part, start: first + n, entries: [entry] });
  });
  return groups;
}

const COOKIE = 'text_size';
const YEAR = 365 * 24 * 60 * 60;

/** The steps of text size, and their names. */
const SIZES = { small: 'Small', medium: 'Medium', large: 'Large' } as const;
type TextSize = keyof typeof SIZES;

/** Keeps how large a reader wants text, and returns to the page. */
export async function keepTextSize(request: Request): Promise<Response> {
  const form = await readForm(request);
  const size = toSize(form.text('size'));
  return redirect(ownPath(form.text('back'), '/'), {
    'Set-Cookie': `${COOKIE}=${size}; Path=/; Max-Age=${YEAR}; HttpOnly; SameSite=Lax`,
  });
}

/** The size that a reader chose. */
function readTextSize(request: Request): TextSize {
  const cookie = request.headers.get('cookie') ?? '';
  return toSize(new RegExp(`(?:^|; *)${COOKIE}=(\\w+)`).exec(cookie)?.[1] ?? '');
}

function toSize(text: string): TextSize {
  return Object.hasOwn(SIZES, text) ? (text as TextSize) : 'medium';
}

/** Buttons to choose it. */
function TextSizeForm({ size, back }: { readonly size: TextSize; readonly back: string }) {
  return (
    <form class="text-size" action="/text-size" method="post" aria-label="Text size">
      <input type="hidden" name="back" value={back} />
      {Object.entries(SIZES).map(([value, name]) => (
        <button
          type="submit"
          name="size"
          value={value}
          class={`size-${value}`}
          aria-pressed={value === size}
          aria-label={`${name} text`}
        >
          A
        </button>
      ))}
    </form>
  );
}
