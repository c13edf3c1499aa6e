import type { ComponentChildren } from 'preact';
import type { Principal } from '../platform/base/principal.ts';
import { type Edition, publicFace } from '../catalog/catalog.ts';
import { isAnnounced, isShown, type Manifest } from '../catalog/item.rule.ts';
import { type ItemKind } from '../platform/base/principal.ts';
import type { Http } from './stall.ts';
import type { Query } from '../platform/http/http.ts';
import { Notice, pageCacheHeaders, type PageHead, sendPage, type View } from '../platform/site/page.tsx';
import { openingOf, summaryOf } from '../catalog/manifest.rule.ts';
import {
  aboutAuthors,
  type AuthorText,
  ItemContents,
  itemDescription,
  itemNotes,
  itemText,
  type ItemText,
} from './item-text.part.tsx';
import { seeItem } from '../reading/files.ts';
import { listContents } from '../reading/contents.ts';
import { findSigner } from '../accounts/items.ts';
import { findInventory } from '../accounts/inventory.ts';
import { findNews } from '../selling/news.ts';
import { readingAddress } from '../reading/item-links.ts';
import { Byline, Cards, Rendered, TitleLines } from '../catalog/items.part.tsx';
import { ForAgents, WhatsNew } from './item-files.part.tsx';
import { WhatIsInside } from '../catalog/inventory.part.tsx';
import { findAccessibility } from '../reading/accessibility.ts';
import { AccessibilityStatement } from './accessibility.part.tsx';
import { ItemFacts } from './item-facts.part.tsx';
import { ItemSide, offerOf } from './item-side.part.tsx';
import { cardOf } from './card.part.tsx';
import { moreBy } from './more-by.ts';
import { structuredData } from './structured-data.ts';
import { splitTitle } from '../platform/base/text.ts';
import { NewsField } from '../selling/news-field.part.tsx';
import { QuietLink } from '../platform/site/form.tsx';
import { once } from '../platform/site/once.tsx';
import { readPageNumber } from '../platform/site/data-table.tsx';
import { useWords } from '../platform/site/words.tsx';
import { isbot } from 'isbot';
import { coverUrl, previewImage } from '../catalog/cover.ts';
import { Cover } from '../catalog/cover.part.tsx';
import { inLanguage } from '../platform/base/direction.ts';
import { stateIn } from '../catalog/item-words.ts';
import { movedPage } from '../reading/moved-page.ts';

export async function showItem(
  { stall, viewOf }: Http,
  request: Request,
  visitor: Principal,
  { kind, slug, query }: { readonly kind: ItemKind; readonly slug: string; readonly query: Query },
): Promise<Response> {
  const edition = seeItem(stall, visitor, slug);
  const away = movedPage(request, edition, slug, kind);
  if (away !== null) return away;
  const offer = offerOf(stall, visitor, edition);
  const { isOpen } = offer;
  const { manifest } = edition;
  const view = viewOf(visitor);
  const news = findNews(stall, edition, isOpen);
  const signer = findSigner(stall, edition);
  const { sentence, rest } = openingOf(manifest);
  const description = await itemDescription(stall, edition, rest);
  const contents = manifest.kind === 'book' ? await listContents(stall, edition) : [];
  const accessibility = await findAccessibility(stall, edition);
  const authors = await aboutAuthors(stall, edition);
  const text = await itemText(stall, visitor, { edition, isOpen });
  const notes = await itemNotes(stall, edition, news);
  const others = moreBy(stall, visitor, edition);
  const isComing = isAnnounced(manifest);
  const inventory =
    manifest.kind === 'skill' && !isComing ? await findInventory(stall, visitor, edition) : null;
  const mayRead = (path: string) => isOpen || manifest.sample.includes(path);
  const listed = (List: typeof ItemContents | typeof ForAgents, name: string) => {
    const page = readPart(query, name);
    const list = <List edition={edition} origin={view.origin} mayRead={mayRead} page={page} />;
    return page === null ? once(view.words, edition, `${name} ${isOpen}`, list) : list;
  };
  const takesAddress = stall.outbox.sends && (view.visitor === 'anonymous' || isComing);
  const field = takesAddress && <NewsField item={manifest} />;
  const page = sendPage(
    view,
    { ...headOf(edition), headers: pageCacheHeaders(view) },
    <>
      <StatusNotice edition={edition} />
      <article class="item">
        {once(view.words, edition, 'head', <ItemHead edition={edition} sentence={sentence} />)}
        <ItemSide {...{ view, offer, news, contents, signer }} />
        <div class="stack">
          {isComing && field}
          {description !== null && <Description manifest={manifest} html={description} />}
          <PraiseOf {...manifest} />
          {listed(ItemContents, 'contents')}
          {text !== null && <Text edition={edition} text={text} />}
          <AboutAuthors manifest={manifest} authors={authors} />
          <WhatsNew current={edition} news={news} notes={notes} />
          {inventory !== null &&
            once(view.words, edition, `inside ${isOpen}`, <WhatIsInside inventory={inventory} />)}
          {once(view.words, edition, 'facts', <ItemFacts edition={edition} />)}
          {accessibility !== null && <AccessibilityStatement {...accessibility} of={manifest} />}
          {!isComing && listed(ForAgents, 'files')}
          {!isComing && field}
          {others.length > 0 && (
            <section>
              <h2>{view.words.shop.item.moreBy({ count: manifest.authors.length })}</h2>
              <Cards items={others.map((one) => cardOf(view.words, one))} level={3} />
            </section>
          )}
        </div>
      </article>
      {manifest.status === 'published' &&
        once(view.words, edition, 'data', <StructuredData edition={edition} origin={view.origin} />)}
    </>,
  );
  // Does not count further chapters and files: they are on the same page.
  const isFirst = query['contents'] === undefined && query['files'] === undefined;
  if (isFirst && isPageView(request, view)) stall.pageViews.add(edition);
  return page;
}

const StructuredData = ({ edition, origin }: { edition: Edition; origin: string }) => (
  <script
    type="application/ld+json"
    dangerouslySetInnerHTML={{ __html: structuredData(edition, origin, coverUrl(edition)) }}
  />
);

/** Reads from an address which page of a long list to show, from 1 on; null if the address names none. */
const readPart = (query: Query, name: string): number | null =>
  query[name] === undefined ? null : readPageNumber(query, name);

function headOf(edition: Edition): PageHead {
  const { kind, slug, title } = edition.manifest;
  const head = {
    title,
    heading: null,
    description: summaryOf(edition.manifest),
    image: previewImage(edition),
  };
  return isShown(edition.manifest) ? { ...head, canonical: `/${kind}s/${slug}` } : head;
}

function StatusNotice({ edition }: { edition: Edition }) {
  const words = useWords();
  const { item } = words.shop;
  const { manifest } = edition;
  if (manifest.status === 'draft') return <Notice kind="warn">{item.draft}</Notice>;
  if (manifest.status === 'private') return <Notice kind="plain">{item.private}</Notice>;
  const face = publicFace(edition).manifest;
  if (isAnnounced(face) && face !== manifest)
    return <Notice kind="plain">{stateIn(words, face).join(' · ')}</Notice>;
  if (manifest.status === 'archived') return <Notice kind="plain">{item.archived}</Notice>;
  return null;
}

type ItemHeadProps = {
  readonly edition: Edition;
  readonly sentence: string;
  readonly href?: string;
  readonly children?: ComponentChildren;
};

export function ItemHead({ edition, sentence, href, children }: ItemHeadProps) {
  const { title, language, authors, publisher } = edition.manifest;
  const words = inLanguage(language);
  const Heading = href === undefined ? 'h1' : 'h2';
  return (
    <header class="item-head">
      <Cover edition={edition} />
      <div>
        <Heading {...words} class={Bun.stringWidth(splitTitle(title).name) > LONG ? 'long' : undefined}>
          <TitleLines title={title} href={href} />
        </Heading>
        <Byline authors={authors} publisher={publisher} />
      </div>
      {sentence !== '' && (
        <p class={sentence.length > LONG_SENTENCE ? 'opening' : 'opening short'} {...words}>
          {sentence}
        </p>
      )}
      {children}
    </header>
  );
}

/** The maximum width of a title in the largest type, in letters; a Chinese character counts as two. */
const LONG = 60;

const LONG_SENTENCE = 160;

/** The description after its first sentence; plain text for a skill, as the format of skills demands. */
function Description({ manifest: { kind, language }, html }: { manifest: Manifest; html: string }) {
  const words = inLanguage(language);
  if (kind === 'book')
    return <div class="reading description" {...words} dangerouslySetInnerHTML={{ __html: html }} />;
  return (
    <div class="description" {...words}>
      {html.split(/\n\s*\n/).map((paragraph) => (
        <p>{paragraph}</p>
      ))}
    </div>
  );
}

function PraiseOf({ praise, language }: Pick<Manifest, 'praise' | 'language'>) {
  const { shop } = useWords();
  if (praise.length === 0) return null;
  return (
    <section>
      <h2>{shop.item.praise}</h2>
      <div class="praise">
        {praise.map(({ quote, by, url }) => (
          <figure>
            <blockquote {...inLanguage(language)}>
              <p>{quote}</p>
            </blockquote>
            <figcaption>{url === null ? by : <OutsideLink href={url}>{by}</OutsideLink>}</figcaption>
          </figure>
        ))}
      </div>
    </section>
  );
}

/** A link to a page elsewhere that the publisher named. Tells search engines that the stall does not vouch for that page. */
const OutsideLink = ({ href, children }: { href: string; children: string }) => (
  <a href={href} rel="nofollow noopener">
    {children}
  </a>
);

function AboutAuthors({ manifest, authors }: { manifest: Manifest; authors: readonly AuthorText[] }) {
  const { shop } = useWords();
  if (authors.length === 0) return null;
  return (
    <section class="about">
      <h2>{shop.item.about({ count: authors.length })}</h2>
      {authors.map(({ name, url, html }) => (
        <>
          <h3>{url === null ? name : <OutsideLink href={url}>{name}</OutsideLink>}</h3>
          {html !== null && <Rendered html={html} language={manifest.language} />}
        </>
      ))}
    </section>
  );
}

function Text({ edition: { manifest }, text }: { edition: Edition; text: ItemText }) {
  const { item } = useWords().shop;
  return (
    <section class="extract">
      <h2>{manifest.kind === 'skill' ? item.fromSkill : item.fromBook}</h2>
      <Rendered html={text.html} language={manifest.language} />
      <p>
        <QuietLink href={readingAddress(manifest, text.path)}>{item.readOn}</QuietLink>
      </p>
    </section>
  );
}

/** How many characters of a User-Agent header are read: bots name themselves within them. */
const LONGEST_AGENT_NAME = 500;

/**
 * Reports whether a person looks at the page: not for HEAD, a bot, the owner, a request without User-Agent, or a browser that
 * loads pages ahead of a click (https://wicg.github.io/nav-speculation/prefetch.html).
 */
function isPageView({ method, headers }: Request, { visitor }: View): boolean {
  if (method !== 'GET' || visitor === 'owner') return false;
  const name = headers.get('user-agent') ?? '';
  if (name === '' || AHEAD.some((header) => headers.get(header)?.includes('prefetch'))) return false;
  return !isbot(name.slice(0, LONGEST_AGENT_NAME));
}

/**
 * The headers by which browsers say that they load a page ahead of a click: the standard one, and older ones of WebKit and
 * Firefox.
 */
const AHEAD = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];
