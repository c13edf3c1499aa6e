import { formatMoney } from '../../../item/price.ts';
import { isPaymentProvider, PROVIDER_NAMES } from '../../../payment-provider.ts';
import { type Order, type OrderState, stateAt } from '../../../sales/order.ts';
import type { Service } from '../../../service/service.ts';
import { ItemTitles } from '../parts/item-titles.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { When } from '../parts/when.tsx';

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

type Props = { readonly service: Pick<Service, 'stall'>; readonly orders: readonly Order[] };

/** The orders of an account, with the reference that the stall knows and who sent the receipt; none without orders. */
export function Purchases({ service, orders }: Props) {
  if (orders.length === 0) return null;
  return (
    <section>
      <h2>Purchases</h2>
      <DataTable
        caption="Your orders, the newest first"
        columns={['Order', 'Bought', 'For', 'On', 'State', 'Receipt from']}
        rows={orders.map((order) => ({ key: String(order.id), cells: cellsOf(service, order) }))}
        empty={null}
      />
    </section>
  );
}

function cellsOf(service: Props['service'], order: Order) {
  const { ref, items, bundle, amount, currency, at, until, provider } = order;
  const state = stateAt(order, service.stall.now());
  return [
    <b>{ref}</b>,
    items.length > 0 ? <ItemTitles service={service} items={items} /> : (bundle ?? '–'),
    currency === null ? '–' : formatMoney(amount, currency),
    <When at={at} />,
    <>
      <span class={state === 'paid' ? 'badge good' : 'badge'}>{STATES[state]}</span>
      {state === 'paid' && until !== null && (
        <>
          {' '}
          until <When at={until} />
        </>
      )}
    </>,
    isPaymentProvider(provider) ? PROVIDER_NAMES[provider] : '–',
  ];
}
