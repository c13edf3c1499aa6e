import type { ComponentChildren, VNode } from 'preact';
import type { Principal } from '../../../access/principal.ts';
import { type Edition, publicFace } from '../../../catalog/catalog.ts';
import {
  isAnnounced,
  isFree,
  isShown,
  isUnpublished,
  type ItemKind,
  type Manifest,
} from '../../../item/item.ts';
import type { Http, Query } from '../../http.ts';
import { movedPage, Notice, pageCacheHeaders, type PageHead, sendPage, type View } from '../frame/page.tsx';
import { coverUrl, previewImage } from './covers.ts';
import { findEpub, pathOfFormat } from '../../../item/path.ts';
import { openingOf, summaryOf } from '../../../item/manifest.ts';
import {
  aboutAuthors,
  type AuthorText,
  fileUrl,
  ItemContents,
  itemDescription,
  itemNotes,
  itemText,
  type ItemText,
} from './item-text.tsx';
import { may, grantedSince } from '../../../service/access.ts';
import { seeItem } from '../../../service/files.ts';
import { type ContentsEntry, listContents, listTexts } from '../../../service/contents.ts';
import { findSigner, type SignerOf } from '../../../service/items.ts';
import { findInventory } from '../../../service/inventory.ts';
import { findNews, type ItemNews } from '../../../service/news.ts';
import { readingAddress } from '../../../catalog/item-links.ts';
import { Byline, CoverImage, inLanguage, Rendered, TitleLines } from '../parts/shelf.tsx';
import { ForAgents, WhatsNew } from './item-files.tsx';
import { WhatIsInside } from './inventory.tsx';
import { structuredData } from './sitemap.ts';
import { splitTitle } from '../../../text.ts';
import { BuyLink, BuyNote, checkoutOf } from '../parts/buy.tsx';
import { NewsField } from '../parts/news-field.tsx';
import { ButtonLink, QuietLink } from '../parts/form.tsx';
import { once } from '../parts/once.tsx';
import { Facts, readPageNumber, When } from '../parts/data-table.tsx';
import { formatMinutes, minutesOf } from '../reading/contents.tsx';
import { storefrontUrl } from './storefront-query.ts';
import { bytesIn, priceIn, stateIn, useFormats, useWords } from '../parts/words.tsx';
import type { Words } from '../../../words/words.ts';
import { EVERYTHING } from '../../../service/storefront.ts';
import { hasEpub } from '../../../service/epubs.ts';
import type { Stall } from '../../../service/stall.ts';
import { isbot } from 'isbot';

/** The page of one item. */
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
  const authors = await aboutAuthors(stall, edition);
  const text = await itemText(stall, visitor, edition, isOpen);
  const notes = await itemNotes(stall, edition, news);
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
          {!isComing && listed(ForAgents, 'files')}
          {!isComing && field}
        </div>
      </article>
      {manifest.status === 'published' &&
        once(view.words, edition, 'data', <StructuredData edition={edition} origin={view.origin} />)}
    </>,
  );
  // Further chapters and files are another part of a page that was counted.
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

/** The number of a part of a list that is too long for one page, from 1 on; null for the start of the page. */
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

/** An item's cover, in the room of its kind. */
export const Cover = ({ edition, isLate }: { edition: Edition; isLate?: boolean }) => (
  <CoverImage src={coverUrl(edition)} isSquare={edition.manifest.kind === 'skill'} isLate={isLate} />
);

type ItemHeadProps = {
  readonly edition: Edition;
  readonly sentence: string;
  readonly href?: string;
  readonly children?: ComponentChildren;
};

/** An item's cover, title, authors and first sentence; with `href`, as a part of another page, which leads to the item's own. */
export function ItemHead({ edition, sentence, href, children }: ItemHeadProps) {
  const { title, language, authors, publisher } = edition.manifest;
  const words = inLanguage(language);
  const Heading = href === undefined ? 'h1' : 'h2';
  return (
    <header class="item-head">
      <Cover edition={edition} />
      <div>
        <Heading {...words} class={Bun.stringWidth(splitTitle(title)[0]) > LONG ? 'long' : undefined}>
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

/** Wider titles are too long for the largest type: a Chinese character takes the room of two letters. */
const LONG = 60;

/** A longer sentence is set no larger than the text. */
const LONG_SENTENCE = 160;

/** The rest of a description after its first sentence; a skill's is plain text by its specification. */
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

/** Quotes of others about an item. */
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

/** A link to a page that the publisher named and the stall does not vouch for. */
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

/**
 * A visitor's rights to an item: since when it is theirs by a grant, in milliseconds since 1970, and whether
 * they may read all of it.
 */
export type Offer = {
  readonly edition: Edition;
  readonly grantedSince: number | null;
  readonly isOpen: boolean;
};

/** Finds a visitor's rights to an item. */
export const offerOf = (stall: Stall, visitor: Principal, edition: Edition): Offer => ({
  edition,
  grantedSince: grantedSince(stall, visitor, edition),
  isOpen: may(stall, visitor, edition, 'read'),
});

const isTheirs = ({ edition, grantedSince }: Offer): boolean =>
  isFree(edition.manifest) || grantedSince !== null;

const isSold = (offer: Offer): boolean => isShown(offer.edition.manifest) && !isTheirs(offer);

/** The buttons that fit the visitor, the best first. */
export function buttonsOf(view: View, offer: Offer): readonly VNode[] {
  const { manifest } = offer.edition;
  const hasCheckout = isSold(offer) && checkoutOf(view, manifest) !== null;
  const ways = waysInto(view.words, offer).map(([href, name], n) => (
    <ButtonLink href={href} kind={hasCheckout || n > 0 ? 'quiet' : undefined}>
      {name}
    </ButtonLink>
  ));
  return hasCheckout ? [<BuyLink view={view} priced={manifest} />, ...ways] : ways;
}

type SideProps = {
  readonly view: View;
  readonly offer: Offer;
  readonly news: ItemNews;
  readonly contents: readonly ContentsEntry[];
  readonly signer: SignerOf | null;
};

/**
 * The box of an item's page: its price, or since when the reader holds it, its contents, and the one button
 * that fits the visitor.
 */
function ItemSide({ view, offer, news, contents, signer }: SideProps) {
  const { edition, grantedSince } = offer;
  const { manifest } = edition;
  const { item } = view.words.shop;
  const buttons = buttonsOf(view, offer);
  return (
    <aside class="side" aria-label={item.side}>
      {grantedSince === null ? (
        <p class="price">{priceIn(view.words, manifest)}</p>
      ) : (
        <p class="since">{item.yoursSince({ when: <When at={grantedSince} /> })}</p>
      )}
      <Gets {...{ edition, news, contents, signer }} />
      {buttons.length > 0 && <div class="acts">{buttons.slice(0, 2)}</div>}
      {buttons.length > 2 && <div class="ways">{buttons.slice(2)}</div>}
      {isSold(offer) && <BuyNote view={view} priced={manifest} />}
      {isSold(offer) && view.visitor !== 'owner' && <Bought view={view} manifest={manifest} />}
    </aside>
  );
}

/** The offer in a few lines: the ways to read, the size, the edition, the signer, and the publisher's guarantee. */
function Gets({ edition, news, contents, signer }: Omit<SideProps, 'view' | 'offer'> & { edition: Edition }) {
  const { item } = useWords().shop;
  const { manifest, files } = edition;
  const isBook = manifest.kind === 'book';
  const given = [...(hasEpub(edition) ? ['EPUB'] : []), ...formatsOf(edition).map(({ name }) => name)];
  const hasText = listTexts(edition).length > 0;
  const forms = [
    ...(isBook ? new Set(given) : ['ZIP']),
    ...(isBook && hasText ? [item.inBrowser] : []),
    item.forAgent,
  ];
  const words = useWords();
  const minutes = minutesOf(contents);
  const served = news.editions.find(({ digest }) => digest === edition.digest)?.firstServedAt ?? null;
  return (
    <ul class="gets">
      {stateIn(words, manifest).map((line) => (
        <li>{line}</li>
      ))}
      {manifest.status !== 'announced' && (
        <>
          <li>{forms.join(' · ')}</li>
          <li>
            {isBook && contents.length > 0
              ? minutes === 0
                ? item.chapters({ count: contents.length })
                : item.chaptersAndTime({ count: contents.length, time: formatMinutes(words, minutes) })
              : item.files({ count: files.length })}
          </li>
        </>
      )}
      {(manifest.version !== null || served !== null) && <li>{editionIn(item, manifest.version, served)}</li>}
      {signer !== null && <li>{signedIn(item, signer)}</li>}
      {manifest.guarantee !== null && !isFree(manifest) && (
        <li {...inLanguage(manifest.language)}>{manifest.guarantee}</li>
      )}
    </ul>
  );
}

/** An edition by its version and the day of its first serving, one of which it has. */
function editionIn(item: Words['shop']['item'], version: string | null, served: number | null) {
  if (served === null) return item.edition({ version: version ?? '' });
  const when = <When at={served} />;
  return version === null ? item.editionOf({ when }) : item.editionAndDay({ version, when });
}

function signedIn(item: Words['shop']['item'], { key, name, since }: SignerOf) {
  const signer = <bdi title={key}>{name ?? key}</bdi>;
  return since === null ? item.signedNow({ signer }) : item.signed({ signer, when: <When at={since} /> });
}

/** The ways of those who bought an item, and see it as others do. */
function Bought({ view, manifest: { kind, slug } }: { readonly view: View; readonly manifest: Manifest }) {
  const { item } = view.words.shop;
  const to = (href: string) => (text: string) => <a href={href}>{text}</a>;
  const ways = { find: to('/claim'), redeem: to('/redeem') };
  return (
    <p class="quiet">
      {view.email === null
        ? item.boughtOrSignIn({ ...ways, signIn: to(`/sign-in?next=/${kind}s/${slug}`) })
        : item.bought(ways)}
    </p>
  );
}

/** The visitor's links, the best first. A session counts for downloads without a key. */
function waysInto(words: Words, offer: Offer): (readonly [string, string])[] {
  const { yours } = words.account;
  const { item } = words.shop;
  const { edition, isOpen } = offer;
  const { manifest, artefacts } = edition;
  const { kind, slug, id, sample } = manifest;
  const isSkill = kind === 'skill';
  const isTakeable = isTheirs(offer) && !isUnpublished(manifest);
  const hasText = listTexts(edition).length > 0;
  const page = `/${kind}s/${slug}`;
  const epub = hasEpub(edition) ? findEpub(manifest.formats) : null;
  const ways: (readonly [string, string] | false)[] = [
    isSkill && isTakeable && [`/api/skills/${slug}/download`, isFree(manifest) ? item.getFree : yours.zip],
    hasText && isOpen && [`${page}/read`, item.read],
    hasText && !isOpen && sample.length > 0 && [`${page}/read`, item.readSample],
    isTakeable && hasEpub(edition) && [`/api/books/${id}/epub`, yours.epub],
    isOpen && artefacts.index !== undefined && [`/books/${slug}/ask`, item.ask],
    !isSkill && hasText && isOpen && [`/books/${slug}/print`, item.print],
    ...formatsOf(edition)
      .filter(({ path }) => isTakeable && path !== epub)
      .map(({ path, name, size }) => [fileUrl(edition, path), `${name}, ${bytesIn(words, size)}`] as const),
  ];
  return ways.filter((way) => way !== false);
}

/** An edition's metadata. */
function ItemFacts({ edition }: { edition: Edition }) {
  const words = useWords();
  const formats = useFormats();
  const { item } = words.shop;
  const { version, language, license, tags, publisher } = edition.manifest;
  return (
    <section>
      <h2>{item.facts}</h2>
      <Facts
        facts={[
          [item.publisher, publisher === '' ? null : <bdi>{publisher}</bdi>],
          [item.version, version],
          [
            item.language,
            language && <a href={storefrontUrl({ ...EVERYTHING, language })}>{formats.language(language)}</a>,
          ],
          [item.licence, license],
          [item.formats, describeFormats(words, edition)],
          [
            item.tags,
            tags.length === 0 ? null : (
              <ul class="tags">
                {tags.map((tag) => (
                  <li>
                    <a href={storefrontUrl({ ...EVERYTHING, tag })}>{tag}</a>
                  </li>
                ))}
              </ul>
            ),
          ],
        ]}
      />
    </section>
  );
}

type OfferedFile = { readonly path: string; readonly name: string; readonly size: number };

/** The files that an item's readers are offered, by label or type, and size. */
const formatsOf = ({ manifest, files }: Edition): readonly OfferedFile[] =>
  manifest.formats.flatMap((format) => {
    const path = pathOfFormat(format);
    const size = files.find((file) => file.path === path)?.size;
    const ending = path.slice(path.lastIndexOf('.') + 1).toUpperCase();
    const name = typeof format === 'string' ? ending : format.label;
    return size === undefined ? [] : [{ path, name, size }];
  });

/** An item's formats in one line, as `EPUB, PDF (1.2 MB)`; null if it has none. */
function describeFormats(words: Words, edition: Edition): string | null {
  const given = formatsOf(edition).map(({ name, size }) => `${name} (${bytesIn(words, size)})`);
  const isMade = hasEpub(edition) && findEpub(edition.manifest.formats) === null;
  const all = isMade ? ['EPUB', ...given] : given;
  return all.length === 0 ? null : all.join(', ');
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
