import type { ComponentChildren } from 'preact';
import { foldEmail } from '../../../access/email-address.ts';
import { isUsable } from '../../../access/key.ts';
import type { SessionPrincipal } from '../../../access/principal.ts';
import type { Edition } from '../../../catalog/catalog.ts';
import { readingAddress } from '../../../catalog/item-links.ts';
import { BEARER_VARIABLE, curlLines } from '../../../item/connect.ts';
import { itemKey } from '../../../item/item.ts';
import { formatMoney } from '../../../item/price.ts';
import { isPaymentProvider, PROVIDER_NAMES } from '../../../payment-provider.ts';
import { isTestSale, type OrderState, stateAt } from '../../../sales/order.ts';
import { titleAt } from '../../../service/contents.ts';
import { hasEpub } from '../../../service/epubs.ts';
import { changedSinceFetch } from '../../../service/install.ts';
import { type HeldItem, isInLibrary } from '../../../service/library.ts';
import type { Stall } from '../../../service/stall.ts';
import type { AccountOrder } from '../../../store/tables/orders.ts';
import type { ReadingPlace } from '../../../store/tables/reading-places.ts';
import type { Http } from '../../http.ts';
import { sendPage } from '../frame/page.tsx';
import { LINKS } from '../parts/buy.tsx';
import { counted, DataTable, Empty, When } from '../parts/data-table.tsx';
import { ButtonLink, CopyLine, QuietLink } from '../parts/form.tsx';
import { Byline, inLanguage, ItemTitle, ItemTitles } from '../parts/shelf.tsx';
import { coverUrl } from '../window/covers.ts';
import { KEYS } from './keys.tsx';

/** An item of the library: where its reader stopped, and since when it is newer than what they read or fetched. */
type Owned = HeldItem & { readonly place: ReadingPlace | null; readonly changed: 'read' | 'fetched' | null };

/** The items an account holds, the one that was read last above the others; below them what was bought. */
export async function showLibrary({ stall, viewOf }: Http, member: SessionPrincipal): Promise<Response> {
  const view = viewOf(member);
  const [{ held }, keys, orders, places, isUpdated] = await Promise.all([
    stall.shelves(member),
    stall.store.listKeys('key', member.accountId),
    stall.store.listAccountOrders(member.accountId),
    stall.readingPlaces.list(member.accountId),
    changedSinceFetch(stall, member.accountId),
  ]);
  // Free items need no grant, and are the shop window's.
  const owned = held
    .filter((one) => isInLibrary(one.edition) || one.holding.status === 'archived')
    .map((one): Owned => {
      const place = placeIn(one.edition, places);
      const isNewer = place !== null && place.readAt < Date.parse(one.item.updatedAt ?? '');
      return { ...one, place, changed: isUpdated(one.edition) ? 'fetched' : isNewer ? 'read' : null };
    })
    .toSorted((a, b) => (b.place?.readAt ?? 0) - (a.place?.readAt ?? 0));
  const first = owned.find(({ place }) => place !== null) ?? newestOf(owned);
  return sendPage(
    view,
    { title: 'Library', current: '/dashboard', lead: count(owned) },
    <>
      {first === undefined ? (
        <Empty action={<ButtonLink href="/">Books and skills</ButtonLink>}>
          Nothing here yet. What you buy appears here as soon as it is paid.
        </Empty>
      ) : (
        <First owned={first} />
      )}
      {owned.length > 1 && (
        <section>
          <h2 class="unseen">All others</h2>
          <ul class="owned">{owned.map((one) => one !== first && <OwnedItem owned={one} />)}</ul>
        </section>
      )}
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

const newestOf = (owned: readonly Owned[]): Owned | undefined =>
  owned.toSorted((a, b) => Date.parse(b.holding.grantedAt) - Date.parse(a.holding.grantedAt))[0];

function count(owned: readonly Owned[]): string {
  const books = owned.filter(({ holding }) => holding.kind === 'book').length;
  const skills = owned.length - books;
  const kinds = [books > 0 && counted(books, 'book'), skills > 0 && counted(skills, 'skill')];
  return kinds.filter(Boolean).join(' and ') || 'Your books and skills';
}

/** Where an item was read last; null if that text is not in the item any more. */
function placeIn({ manifest, files }: Edition, places: readonly ReadingPlace[]): ReadingPlace | null {
  const place = places.find((one) => one.kind === manifest.kind && one.itemKey === itemKey(manifest));
  return place !== undefined && files.some(({ path }) => path === place.path) ? place : null;
}

/** The address at which reading goes on. */
const readUrl = ({ edition, place, holding: { kind, slug } }: Owned): string =>
  place === null ? `/${kind}s/${slug}/read` : readingAddress(edition.manifest, place.path);

/** The item that was read last, or the newest: large, with the place. */
function First({ owned }: { owned: Owned }) {
  const { edition, holding, place } = owned;
  const { language } = edition.manifest;
  return (
    <section class="continue">
      <Cover owned={owned} width={240} />
      <div>
        <p class="quiet">
          {place === null ? (
            <>
              Yours since <When at={Date.parse(holding.grantedAt)} />
            </>
          ) : (
            <>
              Continue reading · <When at={place.readAt} />
            </>
          )}
        </p>
        <Title owned={owned} />
      </div>
      <div>
        <p class="actions">
          <ButtonLink href={readUrl(owned)}>
            {place === null ? (
              'Read'
            ) : (
              <span>
                Continue with <ItemTitle title={titleAt(edition, place.path)} language={language} />
              </span>
            )}
          </ButtonLink>
          {asks(edition) && <QuietLink href={`/books/${holding.slug}/ask`}>Ask</QuietLink>}
          {hasEpub(edition) && <QuietLink href={epubUrl(edition)}>EPUB</QuietLink>}
        </p>
        <Notes owned={owned} />
      </div>
    </section>
  );
}

function OwnedItem({ owned }: { owned: Owned }) {
  const { edition, holding, place } = owned;
  const of = (
    <span class="unseen">
      {' '}
      <ItemTitle title={holding.title} language={edition.manifest.language} />
    </span>
  );
  return (
    <li>
      <Cover owned={owned} width={200} />
      <div>
        <Title owned={owned} />
        <Notes owned={owned} />
        <p class="does">
          <a href={readUrl(owned)}>
            {place === null ? 'Read' : 'Continue'}
            {of}
          </a>
          {asks(edition) && <a href={`/books/${holding.slug}/ask`}>Ask{of}</a>}
          {hasEpub(edition) && <a href={epubUrl(edition)}>EPUB{of}</a>}
        </p>
      </div>
    </li>
  );
}

const asks = ({ manifest, artefacts }: Edition): boolean =>
  manifest.kind === 'book' && artefacts.index !== undefined;
const epubUrl = ({ manifest }: Edition): string => `/api/books/${manifest.id}/epub`;

/** Its cover leads to where reading goes on; the links below say so in words. */
function Cover({ owned, width }: { owned: Owned; width: number }) {
  const height = owned.holding.kind === 'book' ? width * 1.5 : width;
  return (
    <a href={readUrl(owned)} tabIndex={-1} aria-hidden="true">
      <img class="cover" src={coverUrl(owned.edition)} alt="" width={width} height={height} loading="lazy" />
    </a>
  );
}

function Title({ owned: { edition, holding } }: { owned: Owned }) {
  return (
    <>
      <h2 {...inLanguage(edition.manifest.language)}>
        <a href={`/${holding.kind}s/${holding.slug}`}>{holding.title}</a>
      </h2>
      <Byline {...edition.manifest} />
    </>
  );
}

/** What its holder should know now: that it is newer, ends, or is no longer sold. */
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

/** The orders of an account, with the provider's pages about them; none without orders. */
function Purchases({
  stall,
  orders,
  email,
}: {
  readonly stall: Stall;
  readonly orders: readonly AccountOrder[];
  readonly email: string;
}) {
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
          Order: ({ ref }) => <code>{ref}</code>,
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
      {isTestSale(order.providerRef) && (
        <>
          {' '}
          <span class="badge">Test sale</span>
        </>
      )}
    </span>
  );
}

/** The receipt, and where the subscription is managed. They name who paid: an account with another address may have the order as a present. */
function Pages({ order, email }: { order: AccountOrder; email: string }): ComponentChildren {
  const { provider, receipt, subscription, attachedBy } = order;
  if (!isPaymentProvider(provider)) return null;
  const name = PROVIDER_NAMES[provider];
  const isBuyer = attachedBy === 'address' || foldEmail(order.email ?? '') === foldEmail(email);
  if (!isBuyer || (receipt === null && subscription === null))
    return <span class="quiet">Receipt by mail from {name}</span>;
  return (
    <span class="does">
      {receipt !== null && (
        <a href={receipt} rel="noreferrer">
          Receipt
          <span class="unseen">
            {' '}
            of order {order.ref} at {name}
          </span>
        </a>
      )}
      {subscription !== null && (
        <a href={subscription} rel="noreferrer">
          Manage subscription
          <span class="unseen">
            {' '}
            of order {order.ref} at {name}
          </span>
        </a>
      )}
    </span>
  );
}
