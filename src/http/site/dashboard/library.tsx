import type { ComponentChildren } from 'preact';
import { foldEmail } from '../../../access/email-address.ts';
import { isUsable } from '../../../access/key.ts';
import type { SessionPrincipal } from '../../../access/principal.ts';
import type { Edition } from '../../../catalog/catalog.ts';
import { BEARER_VARIABLE, curlLines } from '../../../item/connect.ts';
import { itemKey } from '../../../item/item.ts';
import { formatMoney } from '../../../item/price.ts';
import { DEMO, isPaymentProvider, PROVIDER_NAMES } from '../../../payment-provider.ts';
import { nameOrder, type OrderState, stateAt } from '../../../sales/order.ts';
import { titleAt } from '../../../service/contents.ts';
import { hasEpub } from '../../../service/epubs.ts';
import { changedSinceFetch } from '../../../service/install.ts';
import { type HeldItem, isInLibrary, readShelf } from '../../../service/library.ts';
import type { Stall } from '../../../service/stall.ts';
import type { AccountOrder } from '../../../store/tables/orders.ts';
import type { ReadingPlace } from '../../../store/tables/reading-places.ts';
import type { Http } from '../../http.ts';
import { sendPage } from '../frame/page.tsx';
import { LINKS } from '../parts/buy.tsx';
import { DataTable, Empty, When } from '../parts/data-table.tsx';
import { ButtonLink, CopyLine } from '../parts/form.tsx';
import { once } from '../parts/once.tsx';
import { useWords } from '../parts/words.tsx';
import { Byline, inLanguage, ItemTitle, ItemTitles, TitleLines } from '../parts/shelf.tsx';
import { Cover } from '../window/item.tsx';
import { ALL_NOTES } from '../reading/notes.tsx';
import { SearchForm } from '../reading/search.tsx';
import { KEYS } from './keys.tsx';
import { counted } from '../../../text.ts';

/** An item of the library: where its reader stopped, and since when it is newer than what they read or fetched. */
type Owned = HeldItem & { readonly place: ReadingPlace | null; readonly changed: 'read' | 'fetched' | null };

/** The items an account holds, the last read above the others, with its purchases below. */
export async function showLibrary({ stall, viewOf }: Http, member: SessionPrincipal): Promise<Response> {
  const view = viewOf(member);
  const { held } = readShelf(stall, member);
  const keys = stall.store.listKeys('key', member.accountId);
  const orders = stall.store.listAccountOrders(member.accountId);
  const isUpdated = changedSinceFetch(stall, member.accountId);
  const places = await stall.readingPlaces.list(member.accountId);
  // Free items need no grant; the storefront shows them.
  const owned = held
    .filter((one) => isInLibrary(one.edition) || one.holding.status === 'archived')
    .map((one): Owned => {
      const place = placeIn(one.edition, places);
      const isNewer = place !== null && place.readAt < Date.parse(one.item.updatedAt ?? '');
      return { ...one, place, changed: isUpdated(one.edition) ? 'fetched' : isNewer ? 'read' : null };
    })
    .toSorted((a, b) => (b.place?.readAt ?? 0) - (a.place?.readAt ?? 0));
  const [newest] = owned.toSorted((a, b) => b.holding.grantedAt.localeCompare(a.holding.grantedAt));
  const first = owned.find(({ place }) => place !== null) ?? newest;
  return sendPage(
    view,
    { title: 'Library', current: '/dashboard', lead: count(owned) },
    <>
      {first === undefined ? (
        <Empty action={<ButtonLink href="/">Books and skills</ButtonLink>}>
          {orders.some(({ state }) => state === 'refunded')
            ? 'Nothing here any more: what you bought was refunded. '
            : 'Nothing here yet. '}
          What you buy appears here as soon as it is paid.
        </Empty>
      ) : (
        <section class="continue">
          <OwnedItem owned={first} isFirst />
        </section>
      )}
      {first !== undefined && <SearchForm words="" />}
      {owned.length > 1 && (
        <section>
          <h2 class="unseen">All others</h2>
          <ul class="owned">
            {owned
              .filter((one) => one !== first)
              .map((one) => (
                <li>
                  <OtherItem owned={one} />
                </li>
              ))}
          </ul>
        </section>
      )}
      <p class="quiet">
        <a href={ALL_NOTES}>Your notes</a> are what you marked in books and wrote beside it.
      </p>
      <p class="quiet missing">
        Is something missing? <a href="/claim">Find your purchase</a>, or <a href="/redeem">redeem a code</a>.
        What is free needs neither: <a href="/?price=free">free books and skills</a>.
      </p>
      <Purchases stall={stall} orders={orders} email={member.email} />
      {first !== undefined && (
        <details class="for-agent">
          <summary>For your agent</summary>
          <p>
            Your agent reads and installs what you own with a key.{' '}
            <a href={KEYS}>{keys.some((key) => isUsable(key, stall.now())) ? 'Your keys' : 'Make a key'}</a>,
            or see the <a href={LINKS}>lines for each agent</a>.
          </p>
          <CopyLine
            text={curlLines.install(view.origin, BEARER_VARIABLE, first.holding.slug)}
            label={`With the key in BOOKSTALL_KEY, this installs into the folder ${first.holding.slug}`}
          />
        </details>
      )}
    </>,
  );
}

function count(owned: readonly Owned[]): string {
  const books = owned.filter(({ holding }) => holding.kind === 'book').length;
  const skills = owned.length - books;
  const kinds = [books > 0 && counted(books, 'book'), skills > 0 && counted(skills, 'skill')];
  return kinds.filter(Boolean).join(' and ') || 'Your books and skills';
}

/** The place where an item was read last; null if that text is no longer in the item. */
function placeIn({ manifest, files }: Edition, places: readonly ReadingPlace[]): ReadingPlace | null {
  const place = places.find((one) => one.kind === manifest.kind && one.itemKey === itemKey(manifest));
  return place !== undefined && files.some(({ path }) => path === place.path) ? place : null;
}

/** An item below the first: its HTML follows from its edition, unless the holder should know something. */
function OtherItem({ owned }: { owned: Owned }) {
  const { edition, holding, place, changed } = owned;
  const words = useWords();
  const item = <OwnedItem owned={owned} />;
  const hasNotes = changed !== null || holding.until !== null;
  return hasNotes ? item : once(words, edition, place === null ? 'owned' : 'begun', item);
}

/** An item with its links; the first one is large, and names the place. */
function OwnedItem({ owned, isFirst = false }: { owned: Owned; isFirst?: boolean }) {
  const { edition, holding, place } = owned;
  const { manifest, artefacts } = edition;
  const { kind, slug } = holding;
  const title = <ItemTitle title={holding.title} language={manifest.language} />;
  // It leads to the very line where they stopped.
  const url = `/${kind}s/${slug}/read`;
  const link = (href: string, words: ComponentChildren, isPrimary = false) => (
    <a class={isFirst ? `button ${isPrimary ? 'primary' : 'quiet'}` : undefined} href={href}>
      <span>
        {words}
        <span class="unseen"> {title}</span>
      </span>
    </a>
  );
  const goOn = isFirst && place !== null && (
    <>
      {' with '}
      <ItemTitle title={titleAt(edition, place.path)} language={manifest.language} />
    </>
  );
  return (
    <>
      {/* The links say in words where it leads. */}
      <a href={url} tabIndex={-1} aria-hidden="true">
        <Cover edition={edition} isLate={!isFirst} />
      </a>
      <div>
        {isFirst && (
          <p class="quiet">
            {place === null ? 'Yours since ' : 'Continue reading · '}
            <When at={place === null ? Date.parse(holding.grantedAt) : place.readAt} />
          </p>
        )}
        <h2 {...inLanguage(manifest.language)}>
          <TitleLines title={holding.title} href={`/${kind}s/${slug}`} />
        </h2>
        <Byline {...manifest} />
        <Notes owned={owned} />
      </div>
      <p class={isFirst ? 'actions' : 'does'}>
        {link(url, [place === null ? 'Read' : 'Continue', goOn], true)}
        {kind === 'book' && artefacts.index !== undefined && link(`/books/${slug}/ask`, 'Ask')}
        {hasEpub(edition) && link(`/api/books/${manifest.id}/epub`, 'EPUB')}
        {kind === 'book' && artefacts.index !== undefined && link(`/books/${slug}/search`, 'Search')}
      </p>
    </>
  );
}

/** The news for its holder: the item has changed, its grant ends, or it is no longer sold. */
function Notes({ owned: { holding, item, changed } }: { owned: Owned }) {
  const { kind, slug, until, status } = holding;
  return (
    <>
      {changed !== null && (
        <p class="note good">
          Updated since you {changed} it
          {item.updatedAt !== null && (
            <>
              , <When at={Date.parse(item.updatedAt)} />
            </>
          )}
          . <a href={`/${kind}s/${slug}#whats-new`}>What’s new</a>
        </p>
      )}
      {until !== null && (
        <p class="note">
          Yours until <When at={Date.parse(until)} withTime />
        </p>
      )}
      {status === 'archived' && <p class="note">No longer sold. It stays yours.</p>}
    </>
  );
}

/** Each state as its buyer needs it: what it means for reading. */
const STATES: Readonly<Record<OrderState, string>> = {
  unmatched: 'The stall is looking into it',
  held: 'The stall is looking into it',
  pending: 'Waiting for the payment',
  failed: 'The payment failed',
  paid: 'Paid',
  disputed: 'Disputed: closed for now',
  lost: 'Money taken back',
  refunded: 'Refunded',
  ended: 'Ended',
};

type PurchasesProps = {
  readonly stall: Stall;
  readonly orders: readonly AccountOrder[];
  readonly email: string;
};

/** The orders of an account, with the provider's pages about them; none without orders. */
function Purchases({ stall, orders, email }: PurchasesProps) {
  if (orders.length === 0) return null;
  return (
    <section class="listed">
      <h2>Purchases</h2>
      <DataTable
        caption="Your orders, the newest first"
        columns={{
          Bought: (order) => <Goods stall={stall} order={order} />,
          On: ({ at }) => <When at={at} />,
          For: ({ amount, currency }) => (currency === null ? '–' : formatMoney(amount, currency)),
          State: (order) => <State order={order} now={stall.now()} />,
          Order: (order) => <code>{nameOrder(order)}</code>,
          '': (order) => <Pages order={order} email={email} />,
        }}
        rows={orders}
      />
    </section>
  );
}

function Goods({ stall, order: { items, bundle } }: { stall: Stall; order: AccountOrder }) {
  const sold = stall.manifest().bundles.find(({ slug }) => slug === bundle);
  if (sold !== undefined) return <ItemTitle title={sold.title} language={stall.manifest().language} />;
  return items.length > 0 ? <ItemTitles stall={stall} items={items} /> : <>{bundle ?? '–'}</>;
}

function State({ order, now }: { order: AccountOrder; now: number }) {
  const state = stateAt(order, now);
  return (
    <span>
      <span class={state === 'paid' ? 'badge good' : 'badge'}>{STATES[state]}</span>
      {state === 'paid' && order.until !== null && (
        <>
          {' '}
          until <When at={order.until} />
        </>
      )}
      {order.isTest && (
        <>
          {' '}
          <span class="badge">Test sale</span>
        </>
      )}
    </span>
  );
}

/**
 * The receipt and the provider's page of a subscription. They name the payer: an account with another address
 * may have the order as a present.
 */
function Pages({ order, email }: { order: AccountOrder; email: string }): ComponentChildren {
  const { provider, providerRef, ref, attachedBy } = order;
  if (provider !== DEMO && !isPaymentProvider(provider)) return null;
  const name = PROVIDER_NAMES[provider];
  const isBuyer = attachedBy === 'address' || foldEmail(order.email ?? '') === foldEmail(email);
  const receipt = provider === DEMO ? `/demo/receipt/${providerRef}` : order.receipt;
  const pages = { Receipt: receipt, 'Manage subscription': order.subscription };
  const links = Object.entries(pages).flatMap(([words, url]) => (url === null ? [] : [{ words, url }]));
  if (!isBuyer || links.length === 0) return <span class="quiet">Receipt by mail from {name}</span>;
  return (
    <span class="does">
      {links.map(({ words, url }) => (
        <a href={url} rel="noreferrer">
          {words}
          <span class="unseen">{` of order ${ref} at ${name}`}</span>
        </a>
      ))}
    </span>
  );
}
