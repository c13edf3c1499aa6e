import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { assetUrl, awningUrl, iconUrl, logoUrl } from './assets.ts';
import { Layout, type Section } from './layout.tsx';
import { inLanguage } from '../parts/shelf.tsx';
import type { Principal } from '../../../access/principal.ts';
import type { Sell } from '../../../item/manifest-key.ts';
import type { StallManifest } from '../../../item/stall-manifest.ts';
import type { Stall } from '../../../service/stall.ts';
import type { SessionCookie } from '../../credential.ts';
import { afterBuying } from '../parts/buy.tsx';
import type { Edition } from '../../../catalog/catalog.ts';

/** The properties of a page beside its body. */
export type PageHead = {
  readonly title: string;
  readonly description?: string;
  readonly status?: number;
  /** The path of the navigation entry it belongs to. */
  readonly current?: string;
  /** The part of the site that it belongs to, if that has pages of its own. */
  readonly section?: Section;
  /** The page's own path for search engines and other sites; pages without one are not to be indexed. */
  readonly canonical?: string;
  /** The path of an image that other sites may show for it. */
  readonly image?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const YEAR = 365 * 24 * 60 * 60;

/** Renders and sends a page, which no cache keeps unless `headers` allow it. */
export function sendPage(view: View, head: PageHead, body: ComponentChildren): Response {
  return pageResponse(view, renderPage(view, head, body), head);
}

/** The page's HTML, whole; everything in it is escaped. */
export function renderPage(view: View, head: PageHead, body: ComponentChildren): string {
  return `<!doctype html>\n${renderToString(<Page view={view} head={head} body={body} />)}\n`;
}

/** Sends a page that is already rendered. */
export function pageResponse(
  view: View,
  html: string | Uint8Array<ArrayBuffer> | Blob,
  { status = 200, headers }: Pick<PageHead, 'status' | 'headers'>,
): Response {
  return new Response(html, {
    status,
    headers: {
      ...htmlHeaders(view),
      'Content-Length': String(lengthOf(html)),
      ...headers,
    },
  });
}

/** The headers of every page. */
export function htmlHeaders(view: View): Readonly<Record<string, string>> {
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    Vary: 'Cookie',
    'Content-Security-Policy': POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'same-origin',
    ...(view.origin.startsWith('https:') ? { 'Strict-Transport-Security': `max-age=${YEAR}` } : {}),
  };
}

/** The page's HTML before and after `place`, which is in its body once. */
export function splitPage(
  view: View,
  head: PageHead,
  body: ComponentChildren,
  place: string,
): readonly [before: string, after: string] {
  const [before = '', after = ''] = renderPage(view, head, body).split(place);
  return [before, after];
}

function lengthOf(html: string | Uint8Array | Blob): number {
  if (typeof html === 'string') return Buffer.byteLength(html);
  return html instanceof Blob ? html.size : html.length;
}

function Page({ view, head, body }: { view: View; head: PageHead; body: ComponentChildren }): VNode {
  const { stall, visitor, email, insecure } = view;
  const awning = awningUrl(stall.awning);
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{head.title === stall.name ? stall.name : `${head.title} · ${stall.name}`}</title>
        {head.description === undefined ? null : <meta name="description" content={head.description} />}
        {head.canonical === undefined ? (
          <meta name="robots" content="noindex" />
        ) : (
          <Card view={view} head={head} />
        )}
        <link rel="icon" href={iconUrl(stall.awning)} type="image/svg+xml" />
        <link rel="stylesheet" href={assetUrl('site.css')} />
        {awning === null ? null : <link rel="stylesheet" href={awning} />}
        <link rel="alternate" type="application/atom+xml" title={stall.name} href="/feed.xml" />
        <script src={assetUrl('site.js')}></script>
      </head>
      <body>
        <Layout
          stall={stall}
          visitor={visitor}
          email={email}
          insecure={insecure}
          current={head.current ?? null}
          section={head.section ?? null}
        >
          {body}
        </Layout>
      </body>
    </html>
  );
}

/** The tags from which other sites draw a link to the page (https://ogp.me). */
function Card({ view: { stall, origin }, head }: { view: View; head: PageHead }): VNode {
  const url = `${origin}${head.canonical}`;
  return (
    <>
      <link rel="canonical" href={url} />
      <meta property="og:site_name" content={stall.name} />
      <meta property="og:type" content="website" />
      <meta property="og:title" content={head.title} />
      <meta property="og:url" content={url} />
      {head.description === undefined ? null : <meta property="og:description" content={head.description} />}
      {head.image === undefined ? null : <meta property="og:image" content={`${origin}${head.image}`} />}
    </>
  );
}

/** Cache headers of a public page. Anonymous: revalidate; signed in: no-store, since the page names the reader. */
export function pageCacheHeaders({ email }: View): Readonly<Record<string, string>> {
  return { 'Cache-Control': email === null ? 'private, no-cache' : 'no-store' };
}

/** The page's only h1, with a line below it and actions beside it. `language` is the title's if it is not English, null if unknown. */
export function PageHeading({
  title,
  language,
  lead,
  children,
}: {
  title: ComponentChildren;
  language?: string | null | undefined;
  lead?: ComponentChildren;
  children?: ComponentChildren;
}) {
  return (
    <header class="page-heading">
      <div>
        <h1 {...(language === undefined ? {} : inLanguage(language))}>{title}</h1>
        {lead !== undefined && <p class="lead">{lead}</p>}
      </div>
      {children !== undefined && <div class="actions">{children}</div>}
    </header>
  );
}

/** A message about what just happened or what is wrong; screen readers read a bad one at once. */
export function Notice({
  kind,
  children,
}: {
  kind: 'good' | 'bad' | 'warn' | 'plain';
  children: ComponentChildren;
}) {
  return (
    <div class={`notice ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}

/** A page's visitor, and the stall it belongs to. */
export type View = {
  /** Its logo is a URL here. */
  readonly stall: StallManifest;
  readonly origin: string;
  readonly visitor: 'anonymous' | 'reader' | 'owner';
  /** The e-mail address of the signed-in account. */
  readonly email: string | null;
  /** Whether a signed-in reader's cookie can be read on the network. */
  readonly insecure: boolean;
  /** Says what happens after buying something with these ids; null if the stall does not hear of its sales. */
  readonly afterBuying: (sell: Sell | null) => string | null;
};

/** Makes the view of each request. */
export function createViews(stall: Stall, origin: () => string, cookie: SessionCookie) {
  return (principal: Principal): View => {
    const session = principal.kind === 'account' && principal.keyId === null ? principal : null;
    return {
      stall: { ...stall.manifest(), logo: logoUrl(stall.stallFiles()) },
      origin: origin(),
      visitor: session === null ? 'anonymous' : session.isOwner ? 'owner' : 'reader',
      email: session?.email ?? null,
      insecure: cookie.mode() === 'insecure',
      afterBuying: (sell) => afterBuying(stall.config.sales, sell),
    };
  };
}

export type ViewOf = ReturnType<typeof createViews>;

/** The redirect of a page below `/books/<slug>` or `/skills/<slug>` to the item's slug of today; null if it has that slug. */
export function movedPage(request: Request, { manifest }: Edition, slug: string): Response | null {
  if (manifest.slug === slug) return null;
  const { pathname, search } = new URL(request.url);
  const rest = pathname.split('/').slice(3);
  // Not cached: another item may have the old slug one day.
  return new Response(null, {
    status: 308,
    headers: {
      Location: `${['', `${manifest.kind}s`, manifest.slug, ...rest].join('/')}${search}`,
      'Cache-Control': 'no-cache',
      Vary: 'Cookie, Authorization',
    },
  });
}
