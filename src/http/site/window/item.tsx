import type { Principal } from '../../../access/principal.ts';
import type { Edition } from '../../../catalog/catalog.ts';
import { isFree, type ItemKind, type Manifest } from '../../../item/item.ts';
import type { Http, Query } from '../../http.ts';
import { movedPage, Notice, pageCacheHeaders, type PageHead, sendPage, type View } from '../frame/page.tsx';
import { coverUrl, previewImage } from './covers.ts';
import { findEpub } from '../../../item/path.ts';
import { summaryOf } from '../../../item/manifest.ts';
import { fileUrl, ItemContents, itemDescription, itemNotes, itemText, type ItemText } from './item-text.tsx';
import { may, grantedSince } from '../../../service/access.ts';
import { seeItem } from '../../../service/files.ts';
import { findNews } from '../../../service/news.ts';
import { readingAddress } from '../../../catalog/item-links.ts';
import { inLanguage, Rendered } from '../parts/shelf.tsx';
import { ForAgents, ItemFiles, WhatsNew } from './item-files.tsx';
import { structuredData } from './sitemap.ts';
import { formatPrice } from '../../../item/price.ts';
import { Buy } from '../parts/buy.tsx';
import { ButtonLink, QuietLink } from '../parts/form.tsx';
import { counted, Facts, formatBytes, When } from '../parts/data-table.tsx';
import { EVERYTHING, languageName, windowUrl } from './home.tsx';
import { hasEpub } from '../../../service/epubs.ts';
import type { Client } from '../../../item/problem.ts';
import { isbot } from 'isbot';

/** The page of one item. */
export async function showItem(
  { stall, viewOf, sender }: Http,
  request: Request,
  visitor: Principal,
  kind: ItemKind,
  slug: string,
  query: Query,
): Promise<Response> {
  const edition = await seeItem(stall, visitor, slug);
  const away = movedPage(request, edition, slug);
  if (away !== null) return away;
  if (edition.manifest.kind !== kind) return moved(edition);
  const isOpen = await may(stall, visitor, edition, 'read');
  const { sample } = edition.manifest;
  const view = viewOf(visitor);
  const news = await findNews(stall, edition, isOpen);
  const since = await grantedSince(stall, visitor, edition);
  const description = await itemDescription(stall, edition);
  const text = await itemText(stall, visitor, edition, isOpen);
  const notes = await itemNotes(stall, edition, news);
  const mayRead = (path: string) => isOpen || sample.includes(path);
  // Many may have waited for the same texts.
  await sender.turn(request);
  const page = sendPage(
    view,
    { ...headOf(edition), headers: pageCacheHeaders(view) },
    <>
      <StatusNotice edition={edition} />
      <article class="item">
        <ItemHead edition={edition} />
        <ItemSide view={view} edition={edition} grantedSince={since} isOpen={isOpen} />
        <div class="stack">
          <Description manifest={edition.manifest} html={description} />
          <WorksWith edition={edition} />
          {text !== null && <Text edition={edition} text={text} />}
          <ItemContents edition={edition} mayRead={mayRead} page={readPart(query['contents'])} />
          <WhatsNew current={edition} news={news} notes={notes} />
          <ItemFacts edition={edition} />
          <ItemFiles view={view} edition={edition} mayRead={mayRead} page={readPart(query['files'])} />
          <ForAgents view={view} edition={edition} />
        </div>
      </article>
      {edition.manifest.status === 'published' && (
        <script
          type="application/ld+json"
          dangerouslySetInnerHTML={{ __html: structuredData(edition, view.origin) }}
        />
      )}
    </>,
  );
  // Further chapters and files are another part of a page that was counted.
  const isFirst = query['contents'] === undefined && query['files'] === undefined;
  if (isFirst && isPageView(request, view)) stall.pageViews.add(edition);
  return page;
}

/** The number of a part of a list that is too long for one page, from 1 on; null for the start of the page. */
function readPart(text: string | undefined): number | null {
  return /^[1-9]\d{0,4}$/.test(text ?? '') ? Number(text) : null;
}

/** Redirects to the path of the item's own kind: a slug belongs to one item only. */
function moved({ manifest: { kind, slug } }: Edition): Response {
  return new Response(null, {
    status: 301,
    headers: { Location: `/${kind}s/${slug}`, 'Cache-Control': 'no-cache', Vary: 'Cookie' },
  });
}

function headOf(edition: Edition): PageHead {
  const { kind, slug, title, status } = edition.manifest;
  const head = {
    title,
    heading: null,
    description: summaryOf(edition.manifest),
    image: previewImage(edition),
  };
  return status === 'published' ? { ...head, canonical: `/${kind}s/${slug}` } : head;
}

function StatusNotice({ edition: { manifest } }: { edition: Edition }) {
  if (manifest.status === 'draft')
    return <Notice kind="warn">This is a draft: only you, the owner, can see it.</Notice>;
  if (manifest.status === 'archived')
    return <Notice kind="plain">This item is no longer sold. Readers who own it can still get it.</Notice>;
  return null;
}

function ItemHead({ edition }: { edition: Edition }) {
  const { manifest } = edition;
  return (
    <header class="item-head">
      <img
        class="cover"
        src={coverUrl(edition)}
        alt=""
        width={400}
        height={manifest.kind === 'book' ? 600 : 400}
      />
      <div>
        <h1 {...inLanguage(manifest.language)} class={isLong(manifest.title) ? 'long' : undefined}>
          {manifest.title}
        </h1>
        <Byline {...manifest} />
      </div>
    </header>
  );
}

/** The makers as `byline` names them; each keeps its own direction. */
function Byline({ authors, publisher }: Pick<Manifest, 'authors' | 'publisher'>) {
  const makers = authors.length === 0 ? [publisher] : authors;
  // A draft may have none yet.
  if (publisher === '' && authors.length === 0) return null;
  return (
    <p class="by">
      {makers.map((name, n) => (
        <>
          {n > 0 && ' · '}
          <bdi>{name}</bdi>
        </>
      ))}
      {publisher !== '' && !makers.includes(publisher) && (
        <>
          , published by <bdi>{publisher}</bdi>
        </>
      )}
    </p>
  );
}

/** Whether a title is too long for the largest type: a Chinese character takes the room of two letters. */
function isLong(title: string): boolean {
  const wide = title.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu);
  return title.length + (wide?.length ?? 0) > LONG;
}

const LONG = 60;

function Description({ manifest, html }: { manifest: Manifest; html: string | null }) {
  const words = inLanguage(manifest.language);
  if (html !== null)
    return <div class="reading description" {...words} dangerouslySetInnerHTML={{ __html: html }} />;
  return (
    <div class="description" {...words}>
      {manifest.description.split(/\n\s*\n/).map((paragraph) => (
        <p>{paragraph}</p>
      ))}
    </div>
  );
}

function Text({ edition: { manifest }, text }: { edition: Edition; text: ItemText }) {
  return (
    <section>
      <h2>{manifest.kind === 'skill' ? 'Instructions for the agent' : 'Sample'}</h2>
      <Rendered html={text.html} language={manifest.language} />
      <p>
        <a href={readingAddress(manifest, text.path)}>Read on</a>
      </p>
    </section>
  );
}

type SideProps = {
  readonly view: View;
  readonly edition: Edition;
  readonly grantedSince: number | null;
  readonly isOpen: boolean;
};

/** The visitor's next step with the item: `isTheirs` if they may take it, `isOpen` if they may read the whole of it here. */
type Offer = { readonly edition: Edition; readonly isTheirs: boolean; readonly isOpen: boolean };

/** The box of an item's page: its price, or since when it is the reader's, and the one button that fits who looks. */
function ItemSide({ view, edition, grantedSince, isOpen }: SideProps) {
  const { manifest } = edition;
  const isTheirs = isFree(manifest) || grantedSince !== null;
  const offer = { edition, isTheirs, isOpen };
  return (
    <aside class="side" aria-label="How to get it">
      {grantedSince === null ? (
        <p class="price">{formatPrice(manifest.unitAmountCents, manifest.currency)}</p>
      ) : (
        <p>
          You have owned this since <When at={grantedSince} />.
        </p>
      )}
      {manifest.status === 'published' && !isTheirs && <Buy view={view} manifest={manifest} />}
      {manifest.kind === 'skill' && <Download {...offer} kind={undefined} />}
      <Read {...offer} />
      <Ask {...offer} />
      {isTheirs && manifest.status !== 'draft' && <FormatLinks edition={edition} />}
      {manifest.kind === 'book' && <Download {...offer} kind="quiet" />}
      {manifest.status === 'published' && !isTheirs && view.visitor !== 'owner' && (
        <Bought view={view} manifest={manifest} />
      )}
    </aside>
  );
}

/** The ways of those who bought an item, and see it as others do. */
function Bought({ view, manifest: { kind, slug } }: { readonly view: View; readonly manifest: Manifest }) {
  return (
    <p class="quiet">
      Bought it already?{' '}
      {view.email === null && (
        <>
          <a href={`/sign-in?next=/${kind}s/${slug}`}>Sign in</a>,{' '}
        </>
      )}
      <a href="/claim">find your purchase</a> or <a href="/redeem">redeem a code</a>.
    </p>
  );
}

/** The way into the text: all of it for readers who may, else its sample. */
function Read({ edition: { manifest, files }, isTheirs, isOpen }: Offer) {
  const { kind, slug, status, sample, checkoutUrl } = manifest;
  if (!files.some(({ text }) => text)) return null;
  if (!isOpen && sample.length === 0) return null;
  // One button is the first: to buy, if that is what is left to do.
  const isFirst = kind === 'book' && (isTheirs || status === 'draft' || checkoutUrl === null);
  return (
    <ButtonLink href={`/${kind}s/${slug}/read`} kind={isFirst ? undefined : 'quiet'}>
      {isOpen ? 'Read' : 'Read a sample'}
    </ButtonLink>
  );
}

/** The way to ask a book, for those who may: a free one for any account. */
function Ask({ edition: { manifest, artefacts }, isOpen }: Offer) {
  if (!isOpen || artefacts.index === undefined) return null;
  return <QuietLink href={`/books/${manifest.slug}/ask`}>Ask</QuietLink>;
}

/** The archive that a browser can download without a key: a session counts for zips only. */
function Download({ edition: { manifest }, isTheirs, kind }: Offer & { kind: 'quiet' | undefined }) {
  if (manifest.status === 'draft' || !isTheirs) return null;
  const isSkill = manifest.kind === 'skill';
  if (!isSkill && !isFree(manifest)) return null;
  return (
    <ButtonLink
      href={isSkill ? `/api/skills/${manifest.slug}/download` : `/api/install/${manifest.slug}`}
      kind={kind}
    >
      {isSkill ? (isFree(manifest) ? 'Get it free' : 'Download as zip') : 'Download as tar.gz'}
    </ButtonLink>
  );
}

/** An edition's metadata. */
function ItemFacts({ edition }: { edition: Edition }) {
  const { manifest, size, files } = edition;
  const { kind, id, version, language, license, tags, unitAmountCents, currency } = manifest;
  return (
    <section>
      <h2>Facts</h2>
      <Facts
        facts={[
          ['Price', formatPrice(unitAmountCents, currency)],
          ['Version', version],
          [
            'Language',
            language && <a href={windowUrl({ ...EVERYTHING, language })}>{languageName(language)}</a>,
          ],
          ['Licence', license],
          ['Formats', describeFormats(edition)],
          ['Tags', tags.length === 0 ? null : <Tags tags={tags} />],
          [kind === 'book' ? 'Book id' : 'Name', <code>{id ?? manifest.slug}</code>],
          ['Size', `${counted(files.length, 'file')}, ${formatBytes(size)}`],
        ]}
      />
    </section>
  );
}

function Tags({ tags }: { tags: readonly string[] }) {
  return (
    <ul class="tags">
      {tags.map((tag) => (
        <li>
          <a href={windowUrl({ ...EVERYTHING, tag })}>{tag}</a>
        </li>
      ))}
    </ul>
  );
}

type Format = { readonly path: string; readonly name: string; readonly size: number };

/** The files of an item that are whole editions for reading, by type and size. */
function formatsOf({ manifest, files }: Edition): readonly Format[] {
  return manifest.formats.flatMap((path) => {
    const size = files.find((file) => file.path === path)?.size;
    const name = path.slice(path.lastIndexOf('.') + 1).toUpperCase();
    return size === undefined ? [] : [{ path, name, size }];
  });
}

/** An item's formats in one line, as `EPUB, PDF (1.2 MB)`; null if it has none. */
function describeFormats(edition: Edition): string | null {
  const given = formatsOf(edition).map(({ name, size }) => `${name} (${formatBytes(size)})`);
  const isMade = hasEpub(edition) && findEpub(edition.manifest.formats) === null;
  const all = isMade ? ['EPUB', ...given] : given;
  return all.length === 0 ? null : all.join(', ');
}

/** The formats of an item as downloads, for those who may have it: a book is an EPUB, its publisher's or one that is made. */
function FormatLinks({ edition }: { readonly edition: Edition }) {
  const { manifest } = edition;
  const epub = hasEpub(edition) ? findEpub(manifest.formats) : null;
  const others = formatsOf(edition).filter(({ path }) => path !== epub);
  return (
    <>
      {hasEpub(edition) && <QuietLink href={`/api/books/${manifest.id}/epub`}>Download as EPUB</QuietLink>}
      {others.map(({ path, name, size }) => (
        <QuietLink href={fileUrl(edition, path)}>
          {name}, {formatBytes(size)}
        </QuietLink>
      ))}
    </>
  );
}

const CLIENTS: Readonly<Record<Client, string>> = {
  'claude-code': 'Claude Code',
  'claude.ai': 'claude.ai',
  spec: 'Agent Skills',
  'well-known': 'The skills program',
  mcp: 'Skills over MCP',
};

/** The agents that a skill works with, and the findings of each agent's own rules. */
function WorksWith({ edition: { manifest, warnings } }: { edition: Edition }) {
  if (manifest.kind !== 'skill') return null;
  const found = Map.groupBy(warnings, ({ client }) => client);
  const clients = Object.keys(CLIENTS) as Client[];
  const noted = clients.filter((client) => found.has(client));
  return (
    <section class="works-with">
      <p>
        Works with:{' '}
        {clients
          .filter((client) => !found.has(client))
          .map((client) => `${CLIENTS[client]} ✓`)
          .join(' · ') || 'see the findings'}
      </p>
      {noted.map((client) => (
        <details>
          <summary>{CLIENTS[client]}: see the findings</summary>
          {found.get(client)?.map(({ sentence }) => (
            <p>{sentence}.</p>
          ))}
        </details>
      ))}
    </section>
  );
}

/** As much of a User-Agent as is looked at: each bot names itself within it. */
const LONGEST_NAME = 500;

/**
 * Whether a person asked for the page to look at it: no HEAD, no browser that loads ahead (https://wicg.github.io/nav-speculation/prefetch.html),
 * no program, and not the owner.
 */
function isPageView({ method, headers }: Request, { visitor }: View): boolean {
  if (method !== 'GET' || visitor === 'owner') return false;
  const name = headers.get('user-agent') ?? '';
  if (name === '' || AHEAD.some((header) => headers.get(header)?.includes('prefetch'))) return false;
  return !isbot(name.slice(0, LONGEST_NAME));
}

/** The standard header, and the older ones of WebKit and Firefox. */
const AHEAD = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];
