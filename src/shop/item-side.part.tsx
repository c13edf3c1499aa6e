import type { VNode } from 'preact';
import type { Principal } from '../platform/base/principal.ts';
import { type Edition, findBySlug } from '../catalog/catalog.ts';
import { isAnnounced, isFree, isShown, isUnpublished, type Manifest } from '../catalog/item.rule.ts';
import { listBundles, type ShownBundle } from '../catalog/bundle.ts';
import { type Need, needsOf } from '../catalog/need.rule.ts';
import { findEpub, pathOfFormat } from '../catalog/path.rule.ts';
import { grantedSince, may } from '../accounts/access.ts';
import { type ContentsEntry, listTexts } from '../reading/contents.ts';
import { OfflineButton } from '../reading/offline-button.part.tsx';
import { hasEpub } from '../reading/epubs.ts';
import type { SignerOf } from '../accounts/items.ts';
import type { ItemNews } from '../selling/news.ts';
import type { Stall } from './stall.ts';
import type { Words } from '../words/words.ts';
import type { View } from '../platform/site/page.tsx';
import { Bought, BuyLink, BuyNote, checkoutOf } from '../selling/buy.part.tsx';
import { When } from '../platform/site/data-table.tsx';
import { ButtonLink, CopyLine } from '../platform/site/form.tsx';
import { bytesIn, useWords } from '../platform/site/words.tsx';
import { formatMinutes, minutesOf } from '../reading/contents.part.tsx';
import { fileUrl } from './item-text.part.tsx';
import { inLanguage } from '../platform/base/direction.ts';
import { priceIn, stateIn } from '../catalog/item-words.ts';
import { zipAddress } from '../catalog/connect.rule.ts';

/**
 * A visitor's rights to an item. `grantedSince` is in milliseconds since 1970, null without a grant; `isOpen` says that they
 * may read all of it, `isMailed` that the stall can mail it to their e-reader.
 */
export type ItemOffer = {
  readonly edition: Edition;
  readonly grantedSince: number | null;
  readonly isOpen: boolean;
  readonly isMailed: boolean;
  /** The bundles with the item that cost less than their items one by one. */
  readonly bundles: readonly ShownBundle[];
  /** The items that the skill needs and the visitor may see. */
  readonly needs: readonly NeededItem[];
};

export const offerOf = (stall: Stall, visitor: Principal, edition: Edition): ItemOffer => ({
  edition,
  grantedSince: grantedSince(stall, visitor, edition),
  isOpen: may(stall, visitor, { edition, action: 'read' }),
  bundles: listBundles(stall.catalog()).filter(
    ({ editions, saved }) =>
      saved !== null && editions.some((one) => one.manifest.slug === edition.manifest.slug),
  ),
  isMailed: visitor.kind === 'account' && stall.outbox.sends,
  needs: needsOf(edition.manifest).flatMap(({ slug, range }) => {
    const needed = findBySlug(stall.catalog(), slug);
    const isSeen = needed !== undefined && may(stall, visitor, { edition: needed, action: 'look' });
    return isSeen ? [{ ...needed.manifest, range }] : [];
  }),
});

type NeededItem = Manifest & Pick<Need, 'range'>;

const isTheirs = ({ edition, grantedSince }: ItemOffer): boolean =>
  isFree(edition.manifest) || grantedSince !== null;

const isSold = (offer: ItemOffer): boolean => isShown(offer.edition.manifest) && !isTheirs(offer);

export function buttonsOf(view: View, offer: ItemOffer): readonly VNode[] {
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
  readonly offer: ItemOffer;
  readonly news: ItemNews;
  readonly contents: readonly ContentsEntry[];
  readonly signer: SignerOf | null;
};

/**
 * The box beside an item's description: the price, or since when the reader has the item; what a buyer gets; and the buttons,
 * the first two of them large.
 */
export function ItemSide({ view, offer, news, contents, signer }: SideProps) {
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
      <Gets {...{ offer, news, contents, signer }} />
      {buttons.length > 0 && <div class="acts">{buttons.slice(0, 2)}</div>}
      {buttons.length > 2 && <div class="ways">{buttons.slice(2)}</div>}
      {offer.isOpen && manifest.kind === 'book' && listTexts(edition).length > 0 && (
        <OfflineButton edition={edition} />
      )}
      {isSold(offer) && <BuyNote view={view} priced={manifest} />}
      {isSold(offer) && offer.bundles.slice(0, MOST_BUNDLES).map((shown) => <InBundle shown={shown} />)}
      {isSold(offer) && view.visitor !== 'owner' && (
        <Bought view={view} from={`/${manifest.kind}s/${manifest.slug}`} />
      )}
    </aside>
  );
}

const MOST_BUNDLES = 3;

function InBundle({ shown: { bundle, editions, saved } }: { shown: ShownBundle }) {
  const words = useWords();
  const { slug, title, unitAmountCents: cents, currency } = bundle;
  const priced = (unitAmountCents: number): string => priceIn(words, { unitAmountCents, currency });
  const [price, whole] = [priced(cents), priced(cents + (saved ?? 0))];
  const link = <a href={`/bundles/${slug}`}>{title}</a>;
  return <p>{words.shop.bundle.alsoIn({ bundle: link, count: editions.length - 1, price, whole })}</p>;
}

/** Lists what a buyer gets: the item's forms, length, edition, signer and needs, and the publisher's guarantee. */
function Gets({ offer: { edition, needs }, news, contents, signer }: Omit<SideProps, 'view'>) {
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
      {!isAnnounced(manifest) && (
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
      {signer !== null && signer.name !== null && (
        <li>
          <details>
            <summary>{item.signature}</summary>
            <CopyLine text={signer.key} />
          </details>
        </li>
      )}
      {needs.length > 0 && <li>{item.needs({ items: needs.map((one, n) => linkTo(words, one, n)) })}</li>}
      {manifest.guarantee !== null && !isFree(manifest) && (
        <li {...inLanguage(manifest.language)}>{manifest.guarantee}</li>
      )}
    </ul>
  );
}

/** A link to an item that is needed, with the range of versions, and the price if it has one. */
const linkTo = (words: Words, needed: NeededItem, n: number) => (
  <>
    {n > 0 && ', '}
    <a {...inLanguage(needed.language)} href={`/${needed.kind}s/${needed.slug}`}>
      {needed.title}
    </a>
    {needed.range !== null && (
      <>
        {' '}
        <code>{needed.range}</code>
      </>
    )}
    {isFree(needed) || ` (${priceIn(words, needed)})`}
  </>
);

/** Names an edition by its version and the day on which it was first served. At least one of the two is known. */
function editionIn(item: Words['shop']['item'], version: string | null, served: number | null) {
  if (served === null) return item.edition({ version: version ?? '' });
  const when = <When at={served} />;
  return version === null ? item.editionOf({ when }) : item.editionAndDay({ version, when });
}

function signedIn(item: Words['shop']['item'], { key, name, since }: SignerOf) {
  const signer = <bdi>{name ?? key}</bdi>;
  return since === null ? item.signedNow({ signer }) : item.signed({ signer, when: <When at={since} /> });
}

/** Lists the links by which a visitor reads or downloads an item, the most important first. The session replaces an API key. */
function waysInto(words: Words, offer: ItemOffer): (readonly [string, string])[] {
  const { yours } = words.account;
  const { item } = words.shop;
  const { edition, isOpen, isMailed } = offer;
  const { manifest, artefacts } = edition;
  const { kind, slug, id, sample } = manifest;
  const isSkill = kind === 'skill';
  const isTakeable = isTheirs(offer) && !isUnpublished(manifest);
  const hasText = listTexts(edition).length > 0;
  const page = `/${kind}s/${slug}`;
  const epub = hasEpub(edition) ? findEpub(manifest.formats) : null;
  const ways: (readonly [string, string] | false)[] = [
    isSkill && isTakeable && [zipAddress(slug), isFree(manifest) ? item.getFree : yours.zip],
    hasText && isOpen && [`${page}/read`, item.read],
    hasText && !isOpen && sample.length > 0 && [`${page}/read`, item.readSample],
    isTakeable && hasEpub(edition) && [`/api/books/${id}/epub`, yours.epub],
    isTakeable && hasEpub(edition) && isMailed && [`${page}/send`, words.library.devices.send.title],
    isOpen && artefacts.index !== undefined && [`/books/${slug}/ask`, item.ask],
    !isSkill && hasText && isOpen && [`/books/${slug}/print`, item.print],
    ...formatsOf(edition)
      .filter(({ path }) => isTakeable && path !== epub)
      .map(({ path, name, size }) => [fileUrl(edition, path), `${name}, ${bytesIn(words, size)}`] as const),
  ];
  return ways.filter((way) => way !== false);
}

type OfferedFile = { readonly path: string; readonly name: string; readonly size: number };

export const formatsOf = ({ manifest, files }: Edition): readonly OfferedFile[] =>
  manifest.formats.flatMap((format) => {
    const path = pathOfFormat(format);
    const size = files.find((file) => file.path === path)?.size;
    const ending = path.slice(path.lastIndexOf('.') + 1).toUpperCase();
    const name = typeof format === 'string' ? ending : format.label;
    return size === undefined ? [] : [{ path, name, size }];
  });
