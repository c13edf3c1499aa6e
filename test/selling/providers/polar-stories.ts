import { expect } from 'bun:test';
import { benefitRevoked, CHOSEN, dispute, moment, order, renewal, subscription } from './polar-events.ts';
import type { Story } from '../story.ts';

const DAY = 86_400;
const MONTH = 30 * DAY;
const GRACE = 3 * DAY;
const at = (after: number): number => Date.parse(moment(after));
const [FIRST, SECOND] = [1, 2].map((n) => `0a000000-0000-4000-8000-00000000000${n}`) as [string, string];

const paidOnce = order('paid', 2);
const first = renewal('paid', 1, FIRST, MONTH);
const second = renewal('paid', MONTH, SECOND, 2 * MONTH);

const chosen = (net_amount: number, more = {}) =>
  order('paid', 2, {
    product_id: CHOSEN,
    net_amount,
    tax_amount: 95,
    total_amount: net_amount + 95,
    ...more,
  });

export const POLAR_STORIES: readonly Story[] = [
  ...(
    [
      ['at the least price, tax included', 405, {}, 'paid', 0],
      ['above it', 2000, {}, 'paid', 0],
      ['below it', 404, {}, 'held', 0],
      ['in another currency', 2000, { currency: 'eur' }, 'held', 0],
      ['of which each of three seats is enough', 1405, { seats: 3 }, 'paid', 2],
      ['of which three seats are not enough', 1404, { seats: 3 }, 'held', 0],
    ] as const
  ).map(([name, net, more, state, copies]) => ({
    name: `what the buyer chose, ${name}`,
    events: [chosen(net, more)],
    order: { state, copies },
    grants: state === 'paid' ? ([['paid-id', null]] as const) : [],
  })),
  {
    name: 'three seats of a subscription, which are one copy',
    events: [
      renewal('paid', 1, FIRST, MONTH, { seats: 3 }),
      subscription('active', 1, 'active', { current_period_end: moment(MONTH), seats: 3 }),
    ],
    order: { state: 'paid', quantity: 3, copies: 0 },
    grants: [['paid-skill', at(MONTH) + GRACE * 1000]],
  },
  {
    name: 'one sale, which is pending before it is paid',
    events: [order('created', 0, { status: 'pending', paid: false }), paidOnce, order('updated', 3)],
    order: { state: 'paid', amount: 2261, tax: 361, currency: 'usd', quantity: 1, paidAt: at(2) },
    grants: [['paid-id', null]],
  },
  {
    name: 'a full refund',
    events: [
      paidOnce,
      order('refunded', 60, { status: 'refunded', refunded_amount: 1900, refunded_tax_amount: 361 }),
    ],
    order: { state: 'refunded', refunded: 2261 },
    grants: [],
  },
  {
    name: 'a partial refund, of net and tax',
    events: [
      paidOnce,
      order('refunded', 60, {
        status: 'partially_refunded',
        refunded_amount: 500,
        refunded_tax_amount: 95,
      }),
    ],
    order: { state: 'paid', refunded: 595 },
    grants: [['paid-id', null]],
  },
  {
    name: 'an order that is void',
    events: [
      order('created', 0, { status: 'pending', paid: false }),
      order('updated', 60, { status: 'void', paid: false }),
    ],
    order: { state: 'failed', amount: 0 },
    grants: [],
  },
  {
    name: 'a benefit taken away, of which nobody knows why',
    events: [paidOnce, benefitRevoked(60)],
    order: { state: 'paid', attention: expect.stringContaining('disputed') },
    grants: [['paid-id', null]],
  },
  {
    name: 'a dispute that is open',
    events: [paidOnce, dispute(60, 'needs_response')],
    order: { state: 'disputed' },
    grants: [],
  },
  {
    name: 'a dispute that was won',
    events: [paidOnce, dispute(60, 'under_review'), dispute(90, 'won')],
    order: { state: 'paid' },
    grants: [['paid-id', null]],
  },
  {
    name: 'a dispute that was lost',
    events: [paidOnce, dispute(60, 'needs_response'), dispute(90, 'lost')],
    order: { state: 'lost' },
    grants: [],
  },
  {
    name: 'a subscription that was renewed',
    events: [
      first,
      subscription('active', 2, 'active', { current_period_end: moment(MONTH) }),
      second,
      subscription('updated', MONTH + 1, 'active', { current_period_end: moment(2 * MONTH) }),
    ],
    order: { state: 'paid', amount: 1800, until: at(2 * MONTH + GRACE) },
    grants: [['paid-skill', at(2 * MONTH + GRACE)]],
  },
  {
    name: 'a subscription whose renewal was refunded: its first period counts, though a later event names the second',
    events: [
      first,
      second,
      renewal('refunded', MONTH + 60, SECOND, 2 * MONTH, {
        status: 'refunded',
        refunded_amount: 900,
      }),
      renewal('updated', MONTH + 61, FIRST, 2 * MONTH),
    ],
    order: { refunded: 900, until: at(MONTH + GRACE) },
    grants: [['paid-skill', at(MONTH + GRACE)]],
  },
  {
    name: 'a subscription that is past due: its own period is not paid',
    events: [
      first,
      subscription('updated', MONTH + 1, 'past_due', { current_period_end: moment(2 * MONTH) }),
    ],
    order: { until: at(MONTH + GRACE) },
    grants: [['paid-skill', at(MONTH + GRACE)]],
  },
  {
    name: 'a subscription that ends at the end of its period',
    events: [
      first,
      subscription('canceled', 5 * DAY, 'active', {
        cancel_at_period_end: true,
        current_period_end: moment(MONTH),
      }),
      subscription('revoked', MONTH, 'canceled', { ended_at: moment(MONTH) }),
    ],
    order: { until: at(MONTH) },
    grants: [['paid-skill', at(MONTH)]],
  },
  {
    name: 'a subscription that was ended at once',
    events: [first, subscription('revoked', 5 * DAY, 'canceled', { ended_at: moment(5 * DAY) })],
    order: { until: at(5 * DAY) },
    grants: [['paid-skill', at(5 * DAY)]],
  },
  {
    name: 'a trial',
    events: [
      renewal('paid', 1, FIRST, MONTH, { total_amount: 0, subscription: null }),
      subscription('created', 2, 'trialing', {
        trial_end: moment(14 * DAY),
        current_period_end: moment(MONTH),
      }),
    ],
    order: { state: 'paid', amount: 0, until: at(14 * DAY + GRACE) },
    grants: [['paid-skill', at(14 * DAY + GRACE)]],
  },
];
