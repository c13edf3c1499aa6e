import { invoice, moment, order, subscription } from './lemonsqueezy-events.ts';
import { expect } from 'bun:test';
import type { Story } from '../story.ts';

const DAY = 86_400;
const MONTH = 30 * DAY;
const GRACE = 3 * DAY;
const at = (after: number): number => Date.parse(moment(after));

const subscribed = (more = {}) =>
  order('order_created', 0, {
    id: '901',
    total: 900,
    first_order_item: { id: 1, order_id: 901, variant_id: 510002, quantity: 1 },
    ...more,
  });
const created = subscription('created', 1, 'active', { renews_at: moment(MONTH) });
const initial = invoice('success', 2, '1', 'initial');
const renewal = invoice('success', MONTH, '2', 'renewal');
const renewed = subscription('updated', MONTH + 1, 'active', { renews_at: moment(2 * MONTH) });

const chosen = (total: number, tax: number, quantity: number) =>
  order('order_created', 0, {
    ...{ total, tax },
    first_order_item: { id: 1, order_id: 900, variant_id: 510003, quantity },
  });

export const LEMONSQUEEZY_STORIES: readonly Story[] = [
  ...(
    [
      ['at the least price, tax included', 500, 95, 1, 'paid', 0],
      ['above it', 2000, 300, 1, 'paid', 0],
      ['below it', 499, 0, 1, 'held', 0],
      ['above it, and without tax below "least"', 510, 111, 1, 'held', 0],
      ['for three copies', 1500, 300, 3, 'paid', 2],
      ['for three copies, too little each', 1499, 0, 3, 'held', 0],
      ['for three copies, without tax too little each', 1510, 311, 3, 'held', 0],
    ] as const
  ).map(([name, total, tax, quantity, state, copies]) => ({
    name: `what the buyer chose, ${name}`,
    events: [chosen(total, tax, quantity)],
    order: { state, copies },
    grants: state === 'paid' ? ([['paid-id', null]] as const) : [],
  })),
  {
    name: 'three copies, a part given back',
    events: [
      order('order_created', 0, {
        first_order_item: { id: 1, order_id: 900, variant_id: 510001, quantity: 3 },
      }),
      order('order_refunded', 60, {
        refunded_amount: 600,
        first_order_item: { id: 1, order_id: 900, variant_id: 510001, quantity: 3 },
      }),
    ],
    order: { state: 'paid', copies: 2, attention: expect.stringContaining('for 3 copies was given back') },
    grants: [['paid-id', null]],
  },
  {
    name: 'one sale',
    events: [order('order_created', 0)],
    order: { state: 'paid', amount: 1900, currency: 'usd', providerRef: '900', quantity: 1 },
    grants: [['paid-id', null]],
  },
  {
    name: 'a full refund',
    events: [
      order('order_created', 0),
      order('order_refunded', 60, { status: 'refunded', refunded: true, refunded_amount: 1900 }),
    ],
    order: { state: 'refunded', refunded: 1900 },
    grants: [],
  },
  {
    name: 'a partial refund, of which the status says nothing',
    events: [order('order_created', 0), order('order_refunded', 60, { refunded_amount: 500 })],
    order: { state: 'paid', refunded: 500 },
    grants: [['paid-id', null]],
  },
  {
    name: 'two refunds that are all',
    events: [
      order('order_created', 0),
      order('order_refunded', 60, { refunded_amount: 500 }),
      order('order_refunded', 61, { status: 'refunded', refunded: true, refunded_amount: 1900 }),
    ],
    order: { state: 'refunded', refunded: 1900 },
    grants: [],
  },
  {
    name: 'an order that is pending, and then paid',
    events: [order('order_created', 0, { status: 'pending' }), order('order_created', 60)],
    order: { state: 'paid', paidAt: at(60), at: at(0) },
    grants: [['paid-id', null]],
  },
  {
    name: 'an order that failed',
    events: [
      order('order_created', 0, { status: 'pending' }),
      order('order_created', 60, { status: 'failed' }),
    ],
    order: { state: 'failed', amount: 0 },
    grants: [],
  },
  {
    name: 'an order found to be fraud',
    events: [order('order_created', 0), order('order_refunded', 60, { status: 'fraudulent' })],
    order: { state: 'lost' },
    grants: [],
  },
  {
    name: 'a subscription whose first invoice is its order',
    events: [subscribed(), created, initial],
    order: { state: 'paid', amount: 900, providerRef: '70', until: at(MONTH + GRACE) },
    grants: [['paid-skill', at(MONTH + GRACE)]],
  },
  {
    name: 'a subscription that was renewed',
    events: [subscribed(), created, initial, renewal, renewed],
    order: { state: 'paid', amount: 1800, until: at(2 * MONTH + GRACE) },
    grants: [['paid-skill', at(2 * MONTH + GRACE)]],
  },
  {
    name: 'a subscription that is past due, and expires',
    events: [
      subscribed(),
      created,
      subscription('updated', MONTH, 'past_due', { renews_at: moment(2 * MONTH) }),
      subscription('expired', MONTH + 14 * DAY, 'expired', { ends_at: moment(MONTH + 14 * DAY) }),
    ],
    order: { state: 'paid', until: at(MONTH + 14 * DAY) },
    grants: [['paid-skill', at(MONTH + 14 * DAY)]],
  },
  {
    name: 'a subscription that is past due',
    events: [
      subscribed(),
      created,
      subscription('updated', MONTH, 'past_due', { renews_at: moment(2 * MONTH) }),
    ],
    order: { state: 'paid', until: at(MONTH + GRACE) },
    grants: [['paid-skill', at(MONTH + GRACE)]],
  },
  {
    name: 'a subscription that was cancelled, and resumed',
    events: [
      subscribed(),
      created,
      subscription('cancelled', 5 * DAY, 'cancelled', { ends_at: moment(MONTH) }),
      subscription('resumed', 6 * DAY, 'active', { renews_at: moment(MONTH) }),
    ],
    order: { state: 'paid', until: at(MONTH + GRACE) },
    grants: [['paid-skill', at(MONTH + GRACE)]],
  },
  {
    name: 'a subscription that was cancelled',
    events: [
      subscribed(),
      created,
      subscription('cancelled', 5 * DAY, 'cancelled', { ends_at: moment(MONTH) }),
    ],
    order: { state: 'paid', until: at(MONTH) },
    grants: [['paid-skill', at(MONTH)]],
  },
  {
    name: 'a trial',
    events: [
      subscribed({ total: 0 }),
      subscription('created', 1, 'on_trial', {
        trial_ends_at: moment(14 * DAY),
        renews_at: moment(14 * DAY),
      }),
    ],
    order: { state: 'paid', amount: 0, until: at(14 * DAY + GRACE) },
    grants: [['paid-skill', at(14 * DAY + GRACE)]],
  },
  {
    name: 'a first invoice that was refunded',
    events: [
      subscribed(),
      created,
      initial,
      invoice('refunded', DAY, '1', 'initial', { status: 'refunded', refunded: true, refunded_amount: 900 }),
    ],
    order: { state: 'refunded', amount: 900, refunded: 900 },
    grants: [],
  },
];
