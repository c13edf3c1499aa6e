/** Sales as Gumroad's API answers with them, with the fields that matter and some of those that do not. */

const CREATED = Date.UTC(2026, 10, 2, 10);

/** A time after the sale, in seconds, in milliseconds since 1970. */
export const moment = (after: number): number => CREATED + after * 1000;

type More = Readonly<Record<string, unknown>>;

export function sale(more: More = {}) {
  return {
    id: 'tJGvlpWTfd-CSKm4bDP97w==',
    email: 'wallet@example.net',
    purchase_email: 'ada@example.org',
    full_name: 'Ada L.',
    created_at: new Date(CREATED).toISOString(),
    timestamp: 'about 1 hour ago',
    product_id: 'Ex4mple==',
    product_permalink: 'paid',
    price: 1900,
    currency_symbol: '€',
    quantity: 1,
    refunded: false,
    partially_refunded: false,
    chargedback: false,
    disputed: false,
    dispute_won: false,
    custom_fields: { email: 'eve@example.org', product_id: 'M0nthly==' },
    license_key: '83db262a-c19d3b06-a5235a6b-8c079166',
    ...more,
  };
}

export const MEMBERSHIP = {
  product_id: 'M0nthly==',
  price: 900,
  subscription_id: 'sub==',
  cancelled: false,
  ended: false,
};

/** The sale's own event, and what became of it as of a time after the sale. */
export const created = (more: More = {}) => ({ sale: sale(more) });
export const asked = (after: number, more: More = {}) => ({ sale: sale(more), asked: moment(after) });

/** A ping as Gumroad posts it. */
export function ping(more: Readonly<Record<string, string>> = {}): string {
  return new URLSearchParams({
    seller_id: 'seller==',
    product_id: 'Ex4mple==',
    email: 'eve@example.org',
    sale_id: sale().id,
    sale_timestamp: new Date(CREATED).toISOString(),
    price: '1900',
    resource_name: 'sale',
    ...more,
  }).toString();
}
