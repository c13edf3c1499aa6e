import { Elysia } from 'elysia';
import type { Principal } from '../../../access/principal.ts';
import { readingAddress } from '../../../catalog/reading/item-links.ts';
import type { PageFile } from '../../../catalog/reading/page-file.ts';
import { isFree, type ItemKind } from '../../../item/item.ts';
import { directionOf } from '../../../markup/direction.ts';
import type { ContentsEntry } from '../../../service/reading/contents.ts';
import type { OpenedText } from '../../../service/reading/reading.ts';
import { decodePath } from '../../decode-path.ts';
import { wantsPage } from '../frame/failure.tsx';
import { movedPage } from '../frame/moved-page.ts';
import { pageResponse, renderPage } from '../frame/page.tsx';
import type { RouteDeps } from '../frame/route-deps.ts';
import type { View } from '../frame/view.ts';
import { Notice } from '../parts/notice.tsx';
import { sendClosedText } from './closed-text.tsx';
import { Contents } from './contents-list.tsx';
import { markPage, readMark } from './mark.ts';
import { formatMinutes, type Progress, progressOf } from './progress.ts';
import { readTextSize, type TextSize, TextSizeForm } from './text-size.tsx';

/** `GET /books/<slug>/read/<path>` and `GET /skills/<slug>/read/<path>`: one text of an item as a page. */
export function chapterPages(deps: RouteDeps) {
  return new Elysia()
    .use(deps.identity)
    .get(
      '/books/:slug/read/*',
      async ({ request, params, query, principal }) =>
        await show(deps, request, principal, { kind: 'book', slug: params.slug, path: params['*'] }, query),
      { openGuard: true },
    )
    .get(
      '/skills/:slug/read/*',
      async ({ request, params, query, principal }) =>
        await show(deps, request, principal, { kind: 'skill', slug: params.slug, path: params['*'] }, query),
      { openGuard: true },
    );
}

async function show(
  { service, viewOf }: RouteDeps,
  request: Request,
  principal: Principal,
  wanted: { readonly kind: ItemKind; readonly slug: string; readonly path: string },
  query: Readonly<Record<string, string | undefined>>,
): Promise<Response> {
  const path = decodePath(wanted.path);
  const opened = await service.reading.open(principal, wanted.kind, wanted.slug, path);
  const { page, refusal, edition, contents, file } = opened;
  const away = movedPage(request, edition, wanted.slug);
  if (away !== null) return away;
  const view = viewOf(principal);
  if (page === null || refusal !== null) {
    const { pathname } = new URL(request.url, view.origin);
    if (refusal !== null && !wantsPage(request, pathname)) throw refusal;
    return sendClosedText(view, opened, principal.kind === 'anonymous');
  }
  const isHolder = (await service.grantedSince(principal, edition)) !== null;
  if (isHolder) service.readingPlaces.note(principal, edition, path);
  const { outcome, ...text } = markPage(page, readMark(query), file);
  const isOpen = await service.mayRead(principal, edition);
  const title = contents.find((entry) => entry.path === path)?.title ?? page.headings[0]?.title ?? path;
  const frame = renderPage(
    view,
    { title: `${title} · ${edition.manifest.title}`, ...canonicalOf(opened) },
    <TextPage
      {...{
        view,
        opened,
        page,
        title,
        isOpen,
        size: readTextSize(request),
        isChanged: outcome === 'changed',
        isAskable: isOpen && view.visitor !== 'anonymous' && edition.artefacts.index !== undefined,
      }}
    />,
  );
  return sendAround(view, frame, text);
}

/** Beyond this length, in bytes, answers share a text instead of copying it. */
const SHARED = 256 * 1024;

/** The page with the text put in its place. */
function sendAround(view: View, frame: string, { html, blob }: Pick<PageFile, 'html' | 'blob'>): Response {
  const [before = '', after = ''] = frame.split(PLACE);
  if (html.length > SHARED) return pageResponse(view, new Blob([before, blob, after]), {});
  const parts = [Buffer.from(before), html, Buffer.from(after)];
  return pageResponse(view, new Uint8Array(Buffer.concat(parts)), {});
}

/** Where in a rendered page the text goes. */
const PLACE = `<i>${crypto.randomUUID()}</i>`;

/** Samples and free items may be found by search engines; a text for holders is theirs. */
function canonicalOf({ edition: { manifest }, file }: OpenedText) {
  const isPublic =
    manifest.status === 'published' && (isFree(manifest) || manifest.sample.includes(file.path));
  return isPublic ? { canonical: readingAddress(manifest, file.path) } : {};
}

/** The title of a text: a chapter's own, else its path. */
export function titleOf(contents: readonly ContentsEntry[], path: string): string {
  return contents.find((entry) => entry.path === path)?.title ?? path;
}

type TextPageProps = {
  readonly view: View;
  readonly opened: OpenedText;
  readonly page: PageFile;
  readonly title: string;
  readonly isOpen: boolean;
  readonly size: TextSize;
  readonly isChanged: boolean;
  readonly isAskable: boolean;
};

function TextPage({ opened, page, title, isOpen, size, isChanged, isAskable }: TextPageProps) {
  const { edition, file, contents } = opened;
  const { manifest } = edition;
  const { language, kind, slug } = manifest;
  const progress = progressOf(contents, file.path);
  const [lang, dir] = [language ?? undefined, directionOf(language)];
  const [first] = page.headings;
  return (
    <div class={`reader size-${size}`}>
      <Contents manifest={manifest} contents={contents} path={file.path} isOpen={isOpen} />
      <article>
        <header class="chapter-head">
          <p>
            <a href={`/${kind}s/${slug}`} lang={lang} dir={dir}>
              {manifest.title}
            </a>
          </p>
          <Place progress={progress} />
          {edition.artefacts.index !== undefined && (
            <p>
              <a href={`/books/${slug}/search`}>Search</a>
            </p>
          )}
          {isAskable && (
            <p>
              <a href={`/books/${slug}/ask`}>Ask</a>
            </p>
          )}
          <TextSizeForm size={size} back={readingAddress(manifest, file.path)} />
        </header>
        {isChanged && (
          <Notice kind="warn">
            This text has changed since it was quoted, so the passage is not marked.
          </Notice>
        )}
        {first?.level !== 1 && (
          <h1
            class={wordsOf(first?.title ?? '') === wordsOf(title) ? 'unseen' : undefined}
            lang={lang}
            dir={dir}
          >
            {title}
          </h1>
        )}
        <div
          class={page.isPlain ? 'reading plain' : 'reading'}
          lang={lang}
          dir={dir}
          dangerouslySetInnerHTML={{ __html: PLACE }}
        />
        <Turn progress={progress} opened={opened} />
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
export function Turn({
  progress: { previous, next },
  opened,
}: {
  readonly progress: Progress;
  readonly opened: OpenedText;
}) {
  const { manifest } = opened.edition;
  if (previous === null && next === null) return null;
  const lang = manifest.language ?? undefined;
  return (
    <nav class="turn" aria-label="Chapters" dir={directionOf(manifest.language)}>
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
