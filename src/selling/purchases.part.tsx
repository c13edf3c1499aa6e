import type { ComponentChildren } from 'preact';
import { ItemTitles } from '../accounts/item-titles.part.tsx';
import { ItemTitle } from '../catalog/items.part.tsx';
import { formatMoney } from '../catalog/price.rule.ts';
import { comparableEmail } from '../platform/base/email-address.ts';
import { DataTable, When } from '../platform/site/data-table.tsx';
import { useWords } from '../platform/site/words.tsx';
import { DEMO, isSaleSource, PROVIDER_NAMES } from '../words/payment-provider.ts';
import { Copies } from './copies.part.tsx';
import { MoneyBack } from './money-back.part.tsx';
import { nameOrder, stateAt } from './order.rule.ts';
import type { AccountOrder } from './order.ts';
import type { Stall } from './stall.ts';

type PurchasesProps = {
  readonly stall: Stall;
  readonly orders: readonly AccountOrder[];
  readonly email: string;
};

/** Lists the orders of an account, each with links to its receipt; nothing if there are none. */
export function Purchases({ stall, orders, email }: PurchasesProps) {
  const { library, locale } = useWords();
  const { orders: words } = library;
  if (orders.length === 0) return null;
  return (
    <section class="listed">
      <h2>{words.title}</h2>
      <DataTable
        caption={words.caption}
        columns={{
          [words.bought]: (order) => <Goods stall={stall} order={order} />,
          [words.on]: ({ at }) => <When at={at} />,
          [words.for]: ({ amount, currency }) =>
            currency === null ? '–' : formatMoney(amount, currency, locale),
          [words.state]: (order) => (
            <div class="stack">
              <State order={order} now={stall.now()} />
              <Copies order={order} now={stall.now()} />
              <MoneyBack stall={stall} order={order} />
            </div>
          ),
          [words.order]: (order) => <code>{nameOrder(order)}</code>,
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
  const { orders: words } = useWords().library;
  const state = stateAt(order, now);
  return (
    <span>
      <span class={state === 'paid' ? 'badge good' : 'badge'}>{words.states[state]}</span>
      {state === 'paid' && order.until !== null && [' ', words.until({ day: <When at={order.until} /> })]}
      {order.isTest && (
        <>
          {' '}
          <span class="badge">{words.test}</span>
        </>
      )}
    </span>
  );
}

/**
 * Links to an order's receipt and to its subscription at the provider. These pages name the payer, so only an account with the
 * payer's address gets the links: an order may be a present to another.
 */
function Pages({ order, email }: { order: AccountOrder; email: string }): ComponentChildren {
  const { orders: words } = useWords().library;
  const { provider, providerRef, ref, attachedBy } = order;
  if (!isSaleSource(provider)) return null;
  const isBuyer = attachedBy === 'address' || comparableEmail(order.email ?? '') === comparableEmail(email);
  const receipt = provider === DEMO ? `/demo/receipt/${providerRef}` : order.receipt;
  const pages = [
    [words.receipt, receipt],
    [words.subscription, order.subscription],
  ] as const;
  const links = pages.flatMap(([say, url]) => (url === null ? [] : [{ say, url }]));
  if (!isBuyer || links.length === 0)
    return <span class="quiet">{words.mailed({ provider: PROVIDER_NAMES[provider] })}</span>;
  return (
    <span class="does">
      {links.map(({ say, url }) => (
        <a href={url} rel="noreferrer">
          {say({
            unseen: (text) => <span class="unseen">{text}</span>,
            ref,
            provider: PROVIDER_NAMES[provider],
          })}
        </a>
      ))}
    </span>
  );
}
