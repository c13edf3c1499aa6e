import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { assetUrl, awningUrl, FIRST_FONTS, iconUrl, LATER_FONTS } from './assets.ts';
import { Layout, type SiteSection } from './layout.tsx';
import type { PageLook } from './look.tsx';
import type { PaymentProvider } from '../../words/payment-provider.ts';
import type { Language, Words } from '../../words/words.ts';
import { foreignIn, sentenceOf } from '../base/told.ts';
import { once } from './once.tsx';
import { InWords, useWords } from './words.tsx';
import type { Principal } from '../base/principal.ts';
import type { FailureAnswer } from '../http/failure.ts';
import { redirect, YEAR } from '../http/answer.ts';
import { isWarning, type Refused, sayFlash } from './handle-form.ts';
import { directionOf, inLanguage } from '../base/direction.ts';

export type PageHead = {
  readonly title: string;
  /** The content of the h1 if it is not the title; null if the body has an h1 of its own. */
  readonly heading?: ComponentChildren;
  /** The heading's language, if it is not the page's; null if it is unknown. */
  readonly language?: string | null | undefined;
  readonly lead?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly up?: { readonly href: string; readonly name: string };
  /**
   * The result of the form that led here: `said` is a sentence, or a short word that stands for one; `refused` is the reason
   * why the form was refused.
   */
  readonly said?: string | null;
  readonly refused?: Refused | null;
  readonly isNarrow?: boolean;
  readonly description?: string;
  readonly status?: number;
  readonly current?: string;
  readonly section?: SiteSection;
  /** The page's path for search engines. A page without it is not indexed. */
  readonly canonical?: string;
  readonly look?: PageLook;
  /** The id of the page's text, if something else comes before it. "Skip to content" leads there. */
  readonly skipTo?: string;
  readonly image?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

export const ACCOUNT = '/dashboard/account';

export const SECOND_STEP = '/admin/second-step';

export const inAccount = ({ frame }: Words): Pick<PageHead, 'current' | 'up'> => ({
  current: ACCOUNT,
  up: { href: ACCOUNT, name: frame.account },
});

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** No cache stores the page, unless `headers` allow it. */
export const sendPage = (view: View, head: PageHead, body: ComponentChildren): Response =>
  pageResponse(view, renderPage(view, head, body), head);

export function renderPage(view: View, head: PageHead, body: ComponentChildren): string {
  const page = (
    <InWords words={view.words}>
      <Page view={view} head={head} body={body} />
    </InWords>
  );
  return `<!doctype html>\n${renderToString(page)}\n`;
}

export function pageResponse(
  view: View,
  html: string | Blob,
  { refused, status = refused?.status ?? 200, headers }: Pick<PageHead, 'refused' | 'status' | 'headers'>,
): Response {
  const size = typeof html === 'string' ? Buffer.byteLength(html) : html.size;
  const length = { 'Content-Length': String(size) };
  return new Response(html, {
    status,
    headers: { ...htmlHeaders(view), ...length, ...refused?.headers, ...headers },
  });
}

export const htmlHeaders = (view: View): Readonly<Record<string, string>> => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  Vary: varyOf(view),
  'Content-Security-Policy': POLICY,
  'Referrer-Policy': 'same-origin',
  ...(view.origin.startsWith('https:') ? { 'Strict-Transport-Security': `max-age=${YEAR}` } : {}),
});

export const varyOf = ({ manifest }: Pick<View, 'manifest'>): string =>
  manifest.languages.length === 1 ? 'Cookie' : 'Accept-Language, Cookie';

const varyByLanguage = ({ manifest }: View): Readonly<Record<string, string>> =>
  manifest.languages.length === 1 ? {} : { Vary: varyOf({ manifest }) };

type PageHalves = { readonly before: string; readonly after: string };

/** Renders a page whose body contains `place` once. Returns the HTML before and after `place`: the middle can be sent later. */
export function splitPage(view: View, head: PageHead, body: ComponentChildren, place: string): PageHalves {
  const html = renderPage(view, head, body);
  const at = html.indexOf(place);
  return { before: html.slice(0, at), after: html.slice(at + place.length) };
}

function Page({ view, head, body }: { view: View; head: PageHead; body: ComponentChildren }): VNode {
  const { manifest, words } = view;
  const awning = awningUrl(manifest.awning);
  const content = (
    <>
      <Above {...head} />
      {body}
    </>
  );
  return (
    <html lang={words.language} dir={isReversed(words) ? 'rtl' : undefined} {...head.look}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{head.title === manifest.name ? manifest.name : `${head.title} · ${manifest.name}`}</title>
        {head.description === undefined ? null : <meta name="description" content={head.description} />}
        {head.canonical === undefined ? (
          <meta name="robots" content="noindex" />
        ) : (
          <Card view={view} head={head} />
        )}
        {once(
          words,
          manifest,
          'files',
          <>
            <link rel="icon" href={iconUrl(manifest.awning)} type="image/svg+xml" />
            <link rel="manifest" href="/offline.webmanifest" />
            <link rel="stylesheet" href={assetUrl('site.css')} />
            {FIRST_FONTS.map((url) => (
              <link rel="preload" href={url} as="font" type="font/woff2" crossorigin="anonymous" />
            ))}
            {LATER_FONTS.map((url) => (
              <link rel="prefetch" href={url} as="font" type="font/woff2" crossorigin="anonymous" />
            ))}
            {awning !== null && <link rel="stylesheet" href={awning} />}
            <link rel="alternate" type="application/atom+xml" title={manifest.name} href="/feed.xml" />
            <script src={assetUrl('site.js')} data-words={JSON.stringify(scriptWords(words))}></script>
          </>,
        )}
      </head>
      <body>
        <Layout {...view} current={head.current ?? null} section={head.section} skipTo={head.skipTo}>
          {head.isNarrow === true ? <div class="narrow">{content}</div> : content}
        </Layout>
      </body>
    </html>
  );
}

function Card({ view: { manifest, origin }, head }: { view: View; head: PageHead }): VNode {
  const url = `${origin}${head.canonical}`;
  return (
    <>
      <link rel="canonical" href={url} />
      <meta property="og:site_name" content={manifest.name} />
      <meta property="og:type" content="website" />
      <meta property="og:title" content={head.title} />
      <meta property="og:url" content={url} />
      {head.description === undefined ? null : <meta property="og:description" content={head.description} />}
      {head.image === undefined ? null : <meta property="og:image" content={`${origin}${head.image}`} />}
    </>
  );
}

/**
 * Returns the cache headers of a public page: a browser may store it, but must check it each time. A page with a signed-in
 * reader's e-mail address is not stored.
 */
export function pageCacheHeaders({ email }: View): Readonly<Record<string, string>> {
  return { 'Cache-Control': email === null ? 'private, no-cache' : 'no-store' };
}

function Above({ up, said = null, refused = null, ...head }: PageHead) {
  const words = useWords();
  const { title, heading = title, language, lead, actions } = head;
  return (
    <>
      {up !== undefined && (
        <nav class="up" aria-label={words.frame.back}>
          <a href={up.href}>{up.name}</a> ›
        </nav>
      )}
      {heading !== null && (
        <PageHeading title={heading} language={language} lead={lead}>
          {actions}
        </PageHeading>
      )}
      {said !== null && <Notice kind={isWarning(said) ? 'warn' : 'good'}>{sayFlash(said, words)}</Notice>}
      {refused !== null && <Complaint {...refused} />}
    </>
  );
}

function Complaint({ refusal }: Refused) {
  const words = useWords();
  const [first, ...faults] = sentenceOf(refusal, words).split('\n');
  const lang = foreignIn(refusal, words);
  return (
    <Notice kind="bad">
      {faults.length === 0 && lang === undefined ? first : <p lang={lang}>{first}</p>}
      {faults.length > 0 && (
        <ul lang={lang}>
          {faults.map((fault) => (
            <li>{fault}</li>
          ))}
        </ul>
      )}
    </Notice>
  );
}

type PageHeadingProps = Pick<PageHead, 'language' | 'lead'> & {
  readonly title: ComponentChildren;
  readonly children?: ComponentChildren;
};

export function PageHeading({ title, language, lead, children }: PageHeadingProps) {
  // An e-mail address may be broken after its "@", not within a word.
  const parts = typeof title === 'string' ? title.split(/(?<=@)/) : [title];
  return (
    <header class="page-heading">
      <div>
        <h1 {...(language === undefined ? {} : inLanguage(language))}>
          {parts.map((part, n) => (n === 0 ? part : [<wbr />, part]))}
        </h1>
        {lead !== undefined && <p class="lead">{lead}</p>}
      </div>
      {children !== undefined && <div class="actions">{children}</div>}
    </header>
  );
}

type NoticeProps = { readonly kind: 'good' | 'bad' | 'warn' | 'plain'; readonly children: ComponentChildren };

export const Notice = ({ kind, children }: NoticeProps) => (
  <div class={`notice ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
    {children}
  </div>
);

type SiteManifest = {
  readonly name: string;
  readonly logo: string | null;
  readonly awning: string | null;
  readonly contact: string | null;
  readonly terms: string | null;
  readonly privacy: string | null;
  readonly imprint: string | null;
  readonly postalAddress: string | null;
  readonly taxLine: string | null;
  readonly language: string | null;
  readonly languages: readonly [Language, ...Language[]];
};

type SellIds = Readonly<Record<PaymentProvider, readonly string[]>>;

export type View = {
  readonly manifest: SiteManifest;
  readonly words: Words;
  readonly origin: string;
  readonly visitor: 'anonymous' | 'reader' | 'editor' | 'owner';
  readonly email: string | null;
  /** Names the reader's account to the site's script, without telling who it is; null if there is none. */
  readonly reader: string | null;
  /** Whether purchases with the account's address wait until the reader confirms that it is theirs. */
  readonly isUnproven: () => boolean;
  /** Whether the session's cookie is sent over plain http, where others on the network can read it. */
  readonly insecure: boolean;
  readonly canSignOut: boolean;
  readonly isDemo: boolean;
  /**
   * Returns a sentence on what happens after buying something with these ids at payment providers; null if none of them reports
   * its sales to the stall. What is announced can be read once it is published.
   */
  readonly afterBuying: (sell: SellIds | null, isAnnounced: boolean) => string | null;
};

const isReversed = ({ language }: Words): boolean => directionOf(language) === 'rtl';

const scriptWords = ({ browser, locale }: Words) => ({ ...browser, locale });

export type ViewOf = (principal: Principal) => View;

/** Reports whether a browser asks for a page, so that a refusal is shown as a page and not as JSON. */
export const wantsPage = (request: Request, path: string): boolean =>
  !path.startsWith('/api/') && (request.headers.get('accept') ?? '').includes('text/html');

/** Shows a refusal as a page. If a GET only needs a sign-in, redirects to the sign-in form, which leads back here. */
export function failurePage(view: View, request: Request, { status, body, headers, say }: FailureAnswer) {
  const { pathname, search } = new URL(request.url, view.origin);
  if (status === 401 && (request.method === 'GET' || request.method === 'HEAD'))
    return redirect(`/sign-in?next=${encodeURIComponent(`${pathname}${search}`)}`, varyByLanguage(view));
  const { titles, failed, toShop } = view.words.refusals.request;
  return sendPage(
    view,
    {
      title: titles[status] ?? failed,
      status,
      headers,
      lead: <FailureSentence code={body.code} sentence={say(view.words)} />,
    },
    <p>
      <a href="/">{toShop}</a>
    </p>,
  );
}

/**
 * The sentence of a refusal. An address at its end becomes a link only if access was denied, since in other refusals a stranger
 * may have written it.
 */
function FailureSentence({ code, sentence }: { readonly code: string; readonly sentence: string }) {
  const [, words = '', url] =
    (code === 'ACCESS_DENIED' ? /^(.* )(https:\/\/\S+)$/.exec(sentence) : null) ?? [];
  if (url === undefined) return <>{/[.!?。！？]$/.test(sentence) ? sentence : `${sentence}.`}</>;
  return (
    <>
      {words}
      <a href={url}>{url}</a>.
    </>
  );
}
