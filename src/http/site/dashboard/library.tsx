import { isUsable } from '../../../access/key.ts';
import type { SessionPrincipal } from '../../../access/principal.ts';
import { BEARER_VARIABLE, curlLines } from '../../../item/connect.ts';
import type { Edition } from '../../../catalog/catalog.ts';
import { readingAddress } from '../../../catalog/item-links.ts';
import { itemKey } from '../../../item/item.ts';
import { hasEpub } from '../../../service/epubs.ts';
import { titleAt } from '../../../service/contents.ts';
import { type HeldItem, isInLibrary } from '../../../service/library.ts';
import type { ReadingPlace } from '../../../store/tables/reading-places.ts';
import type { Http } from '../../http.ts';
import { Notice, sendPage } from '../frame/page.tsx';
import { coverUrl } from '../window/covers.ts';
import { ButtonLink, CopyLine, QuietLink } from '../parts/form.tsx';
import { counted, DataTable, Empty, When } from '../parts/data-table.tsx';
import { ItemTitle, ItemTitles } from '../parts/shelf.tsx';
import { KEYS } from './keys.tsx';
import { changedSinceFetch } from '../../../service/install.ts';
import { formatMoney } from '../../../item/price.ts';
import { isPaymentProvider, PROVIDER_NAMES } from '../../../payment-provider.ts';
import { type Order, type OrderState, stateAt } from '../../../sales/order.ts';
import type { Stall } from '../../../service/stall.ts';

/** The items an account holds, each with its install command. */
export async function showLibrary({ stall, viewOf }: Http, member: SessionPrincipal): Promise<Response> {
  const view = viewOf(member);
  const [{ held }, keys, orders] = await Promise.all([
    stall.shelves(member),
    stall.store.listKeys('key', member.accountId),
    stall.store.listAccountOrders(member.accountId),
  ]);
  // Free items need no grant, and are the shop window's.
  const holdings = held.filter((one) => isInLibrary(one.edition) || one.holding.status === 'archived');
  const places = await stall.readingPlaces.list(member.accountId);
  const isUpdated = await changedSinceFetch(stall, member.accountId);
  const hasKey = keys.some((key) => isUsable(key, stall.now()));
  return sendPage(
    view,
    {
      title: 'Library',
      current: '/dashboard',
      lead: count(holdings),
      actions: <QuietLink href="/?price=free">Free books and skills</QuietLink>,
    },
    <>
      {holdings.length > 0 && !hasKey && (
        <Notice kind="plain">
          The commands below need an API key: <a href={KEYS}>create one</a> and store it in BOOKSTALL_KEY.
        </Notice>
      )}
      {holdings.length === 0 ? (
        <Empty action={<ButtonLink href="/">Books and skills</ButtonLink>}>
          Nothing here yet. Items you buy appear here as soon as the stall grants them to you. Free items need
          no grant. If you bought one already, <a href="/claim">find your purchase</a>, or{' '}
          <a href="/redeem">redeem a code</a>.
        </Empty>
      ) : (
        <ul class="holdings">
          {holdings.map((one) => (
            <HoldingRow
              held={one}
              origin={view.origin}
              place={placeIn(one.edition, places)}
              isUpdated={isUpdated(one.edition)}
            />
          ))}
        </ul>
      )}
      <Purchases stall={stall} orders={orders} />
    </>,
  );
}

function count(holdings: readonly HeldItem[]): string {
  const all = holdings.length;
  const books = holdings.filter(({ holding }) => holding.kind === 'book').length;
  const kinds = [books > 0 && counted(books, 'book'), books < all && counted(all - books, 'skill')];
  return kinds.filter(Boolean).join(' and ') || 'Your books and skills';
}

/** The path of the text that was read last; null if it is not in the item any more. */
function placeIn({ manifest, files }: Edition, places: readonly ReadingPlace[]): string | null {
  const place = places.find((one) => one.kind === manifest.kind && one.itemKey === itemKey(manifest));
  return files.some(({ path }) => path === place?.path) ? (place?.path ?? null) : null;
}

function HoldingRow({
  held: { holding, edition },
  origin,
  place,
  isUpdated,
}: {
  readonly held: HeldItem;
  readonly origin: string;
  readonly place: string | null;
  readonly isUpdated: boolean;
}) {
  const { kind, slug, title, publisher, version, grantedAt, until, status } = holding;
  const { language } = edition.manifest;
  return (
    <li class="holding">
      <img
        class="cover"
        src={coverUrl(edition)}
        alt=""
        width={96}
        height={kind === 'book' ? 144 : 96}
        loading="lazy"
      />
      <h2>
        <a href={`/${kind}s/${slug}`}>
          <ItemTitle title={title} language={language} />
        </a>
      </h2>
      <p class="quiet">
        {kind === 'book' ? 'Book' : 'Skill'} by <bdi>{publisher}</bdi>
        {version !== null && <>, version {version}</>}. Owned since <When at={Date.parse(grantedAt)} />
        {until !== null && (
          <>
            , until <When at={Date.parse(until)} withTime />
          </>
        )}
        .
      </p>
      {status === 'archived' && (
        <p>
          <span class="badge">No longer sold</span>
        </p>
      )}
      {isUpdated && (
        <p>
          <span class="badge good">Updated since you fetched it</span>{' '}
          <a href={`/${kind}s/${slug}#whats-new`}>What’s new</a>
        </p>
      )}
      <div class="actions">
        <ButtonLink
          href={place === null ? `/${kind}s/${slug}/read` : readingAddress(edition.manifest, place)}
        >
          {place === null ? (
            'Read'
          ) : (
            <>
              Continue with <ItemTitle title={titleAt(edition, place)} language={language} />
            </>
          )}
        </ButtonLink>
        {kind === 'book' && edition.artefacts.index !== undefined && (
          <>
            <QuietLink href={`/books/${slug}/search`}>Search</QuietLink>
            <QuietLink href={`/books/${slug}/ask`}>Ask</QuietLink>
          </>
        )}
        {hasEpub(edition) && (
          <QuietLink href={`/api/books/${edition.manifest.id}/epub`}>Download as EPUB</QuietLink>
        )}
      </div>
      <CopyLine
        text={curlLines.install(origin, BEARER_VARIABLE, slug)}
        label={`Install into the folder ${slug}`}
      />
    </li>
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

/** The orders of an account, with the reference that the stall knows and who sent the receipt; none without orders. */
function Purchases({ stall, orders }: { readonly stall: Stall; readonly orders: readonly Order[] }) {
  if (orders.length === 0) return null;
  return (
    <section>
      <h2>Purchases</h2>
      <DataTable
        caption="Your orders, the newest first"
        columns={{
          Order: ({ ref }) => <b>{ref}</b>,
          Bought: ({ items, bundle }) =>
            items.length > 0 ? <ItemTitles stall={stall} items={items} /> : (bundle ?? '–'),
          For: ({ amount, currency }) => (currency === null ? '–' : formatMoney(amount, currency)),
          On: ({ at }) => <When at={at} />,
          State: (order) => <State order={order} now={stall.now()} />,
          'Receipt from': ({ provider }) => (isPaymentProvider(provider) ? PROVIDER_NAMES[provider] : '–'),
        }}
        rows={orders}
      />
    </section>
  );
}

function State({ order, now }: { order: Order; now: number }) {
  const state = stateAt(order, now);
  return (
    <>
      <span class={state === 'paid' ? 'badge good' : 'badge'}>{STATES[state]}</span>
      {state === 'paid' && order.until !== null && (
        <>
          {' '}
          until <When at={order.until} />
        </>
      )}
    </>
  );
}
