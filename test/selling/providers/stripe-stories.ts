import { expect } from 'bun:test';
import { stripe } from '../../../src/selling/providers/stripe.ts';
import type { Story } from '../story.ts';
import {
  chargeRefunded,
  completed,
  DAY,
  dispute,
  invoicePaid,
  invoicePayment,
  NOON,
  refund,
  session,
  stripeEvent,
  subscribed,
  subscription,
} from './stripe-events.ts';

const MONTH = 30 * DAY;
/** The end of a period that many seconds after NOON, in milliseconds, with three days of grace or without. */
const graced = (after: number): number => (NOON + after + 3 * DAY) * 1000;
const exactly = (after: number): number => (NOON + after) * 1000;

const first = invoicePaid('first', 1, { until: MONTH });
const second = invoicePaid('second', MONTH, { until: 2 * MONTH });

type Lines = readonly (readonly [price: string, quantity: number])[];

/** The session as Stripe's API answers with it, which alone says how many copies were bought. */
function answered(after: number, lines: Lines, more: Readonly<Record<string, unknown>> = {}): unknown {
  const data = lines.map(([id, quantity], n) => ({ id: `li_${n}`, object: 'item', price: { id }, quantity }));
  const told = { ...session('s', more), line_items: { object: 'list', data } };
  return stripe.asks?.readAnswer(told, (NOON + after) * 1000)[0]?.body;
}

/** A sale of copies, of which the webhook and later the answer tell. */
const bought = (quantity: number, amount_total: number, more = {}) => [
  completed('s', 0, { amount_total, ...more }),
  answered(5, [['price_once', quantity]], { amount_total, ...more }),
];

/** A sale by a link of several prices, whose own id no item names. */
const linked = (lines: Lines, amount_total: number, more = {}) => [
  completed('s', 0, { payment_link: 'plink_lines', amount_total, ...more }),
  answered(5, lines, { payment_link: 'plink_lines', amount_total, ...more }),
];
/** The first invoice of a subscription to several prices, as a checkout without a link leads to it. */
function invoiced(prices: readonly string[], amount: number): readonly unknown[] {
  const period = { start: NOON, end: NOON + MONTH };
  const data = prices.map((price, n) => ({
    id: `il_${n}`,
    object: 'line_item',
    period,
    pricing: { price_details: { price, product: `prod_${n}` }, type: 'price_details' },
    quantity: 1,
  }));
  return [
    subscribed(0, { payment_link: null, amount_total: amount }),
    stripeEvent('invoice.paid', 1, {
      id: 'in_first',
      object: 'invoice',
      amount_paid: amount,
      currency: 'usd',
      lines: { object: 'list', data },
      parent: { subscription_details: { subscription: 'sub_a' } },
      total_taxes: [],
    }),
  ];
}

const PAID_BOTH = [
  ['paid-id', null],
  ['paid-skill', null],
] as const;
const CHOSEN = { payment_link: 'plink_chosen' };

export const STRIPE_STORIES: readonly Story[] = [
  {
    name: 'five copies',
    events: bought(5, 9500),
    order: { state: 'paid', quantity: 5, copies: 4, amount: 9500, paidAt: exactly(0), attention: null },
    grants: [['paid-id', null]],
  },
  {
    name: 'five copies, a part given back',
    events: [...bought(5, 9500), refund('refund.created', 's', 60, { amount: 1900 })],
    order: { state: 'paid', copies: 4, attention: expect.stringContaining('for 5 copies was given back') },
    grants: [['paid-id', null]],
  },
  {
    name: 'five copies, all given back',
    events: [...bought(5, 9500), refund('refund.created', 's', 60, { amount: 9500 })],
    order: { state: 'refunded', copies: 4, attention: null },
    grants: [],
  },
  {
    name: '500 copies',
    events: bought(500, 950_000),
    order: { state: 'paid', copies: 499 },
    grants: [['paid-id', null]],
  },
  {
    name: 'more copies than are handed out unasked',
    events: bought(501, 951_900),
    order: { state: 'held', copies: 0, attention: expect.stringContaining('more than 500') },
    grants: [],
  },
  {
    name: 'three copies that brought too little each, with a least price',
    events: bought(3, 1400, { payment_link: 'plink_cheap' }),
    order: { state: 'held', copies: 0, attention: expect.stringContaining('500 for each of 3 copies') },
    grants: [],
  },
  ...(
    [
      ['at the least price', 500, 'usd', 'paid', null],
      ['above it', 2500, 'usd', 'paid', null],
      ['below it', 499, 'usd', 'held', 'less than the least price, 500'],
      ['in another currency', 2500, 'eur', 'held', 'paid in eur, and its price is in usd'],
    ] as const
  ).map(([name, amount_total, currency, state, said]) => ({
    name: `what the buyer chose, ${name}`,
    events: bought(1, amount_total, { ...CHOSEN, currency }),
    order: { state, copies: 0, attention: said === null ? null : expect.stringContaining(said) },
    grants: state === 'paid' ? ([['paid-id', null]] as const) : [],
  })),
  ...(
    [
      ['that bring both least prices', [1, 1], 1200, 0, 'paid', 0, null],
      ['that bring less than both', [1, 1], 1199, 0, 'held', 0, 'less than "least", 1200 for its 2 products'],
      ['that bring both only with tax', [1, 1], 1250, 100, 'held', 0, 'It brought 1150 usd'],
      ['of three copies each', [3, 3], 3600, 0, 'paid', 2, null],
      ['of three copies each that bring too little', [3, 3], 3599, 0, 'held', 0, '3600 for its 2 products'],
      ['in numbers of their own', [1, 3], 2600, 0, 'paid', 0, '1 of "price_book" and 3 of "price_skill"'],
      ['in numbers of their own, the first larger', [3, 1], 2200, 0, 'paid', 0, 'opens 1 of each'],
      ['in numbers of their own that bring too little', [1, 3], 2599, 0, 'held', 0, '2600 for its'],
    ] as const
  ).map(([name, [books, skills], total, amount_tax, state, copies, said]) => ({
    name: `two products of one link ${name}`,
    events: linked(
      [
        ['price_book', books],
        ['price_skill', skills],
      ],
      total,
      { total_details: { amount_tax } },
    ),
    order: { state, copies, attention: said === null ? null : expect.stringContaining(said) },
    grants: state === 'paid' ? PAID_BOTH : [],
  })),
  ...(
    [
      [1300, 'paid'],
      [1299, 'held'],
    ] as const
  ).map(([total, state]) => ({
    name: `a product with a chosen price beside another for ${total}`,
    events: linked(
      [
        ['price_book', 1],
        ['price_chosen', 1],
      ],
      total,
    ),
    order: { state, amount: total },
    grants: state === 'paid' ? PAID_BOTH : [],
  })),
  ...(
    [
      [['price_book', 'price_skill'], 1200, 'paid', ['paid-id', 'paid-skill']],
      [['price_book', 'price_skill'], 1199, 'held', []],
      [['price_skill', 'price_skill'], 700, 'paid', ['paid-skill']],
    ] as const
  ).map(([prices, amount, state, items]) => ({
    name: `a subscription to ${prices.join(' and ')} for ${amount}`,
    events: invoiced(prices, amount),
    order: { state, amount, copies: 0 },
    grants: items.map((item) => [item, graced(MONTH)] as const),
  })),
  {
    name: 'one sale',
    events: [completed('s', 0)],
    order: {
      state: 'paid',
      amount: 1900,
      refunded: 0,
      currency: 'usd',
      providerRef: 'cs_live_s',
      until: null,
    },
    grants: [['paid-id', null]],
  },
  {
    name: 'a full refund',
    events: [
      completed('s', 0),
      refund('refund.created', 's', 60, { status: 'pending' }),
      refund('refund.updated', 's', 70),
      chargeRefunded('s', 60, 1900),
    ],
    order: { state: 'refunded', amount: 1900, refunded: 1900 },
    grants: [],
  },
  {
    name: 'two partial refunds that leave a part',
    events: [
      completed('s', 0),
      refund('refund.created', 's', 60, { id: 're_1', amount: 500 }),
      refund('refund.created', 's', 90, { id: 're_2', amount: 400 }),
      chargeRefunded('s', 60, 500),
      chargeRefunded('s', 90, 900),
    ],
    order: { state: 'paid', refunded: 900 },
    grants: [['paid-id', null]],
  },
  {
    name: 'two partial refunds of all',
    events: [
      completed('s', 0),
      refund('refund.created', 's', 60, { id: 're_1', amount: 900 }),
      refund('refund.created', 's', 90, { id: 're_2', amount: 1000 }),
    ],
    order: { state: 'refunded', refunded: 1900 },
    grants: [],
  },
  {
    name: 'a refund of which only the charge tells',
    events: [completed('s', 0), chargeRefunded('s', 30, 900), chargeRefunded('s', 60, 1900)],
    order: { state: 'refunded', refunded: 1900 },
    grants: [],
  },
  {
    name: 'two partial refunds, of which one is known by the charge alone',
    events: [
      completed('s', 0),
      refund('refund.created', 's', 60, { id: 're_1', amount: 900 }),
      chargeRefunded('s', 60, 900),
      chargeRefunded('s', 90, 1900),
    ],
    order: { state: 'refunded', refunded: 1900 },
    grants: [],
  },
  {
    name: 'a refund that failed',
    events: [
      completed('s', 0),
      refund('refund.created', 's', 60),
      chargeRefunded('s', 60, 1900),
      refund('refund.failed', 's', 4 * DAY, { status: 'failed' }),
    ],
    order: { state: 'paid', refunded: 0 },
    grants: [['paid-id', null]],
  },
  {
    name: 'a debit that takes two days',
    events: [
      completed('s', 0, { payment_status: 'unpaid' }),
      stripeEvent('checkout.session.async_payment_succeeded', 2 * DAY, session('s')),
    ],
    order: { state: 'paid', amount: 1900, paidAt: exactly(2 * DAY), at: exactly(0) },
    grants: [['paid-id', null]],
  },
  {
    name: 'a debit that bounced in the same second',
    events: [
      completed('s', 0, { payment_status: 'unpaid' }),
      stripeEvent('checkout.session.async_payment_failed', 0, session('s', { payment_status: 'unpaid' }), {
        id: 'evt_0',
      }),
    ],
    order: { state: 'failed', amount: 0 },
    grants: [],
  },
  {
    name: 'a dispute that is lost',
    events: [
      completed('s', 0),
      dispute('created', 's', 5 * DAY, 'needs_response'),
      dispute('updated', 's', 6 * DAY, 'under_review'),
      dispute('closed', 's', 30 * DAY, 'lost'),
    ],
    order: { state: 'lost', attention: null },
    grants: [],
  },
  {
    name: 'a dispute that is open',
    events: [completed('s', 0), dispute('created', 's', 5 * DAY, 'needs_response')],
    order: { state: 'disputed' },
    grants: [],
  },
  {
    name: 'a dispute that is won on appeal',
    events: [
      completed('s', 0),
      dispute('created', 's', 5 * DAY, 'needs_response'),
      dispute('closed', 's', 30 * DAY, 'lost'),
      dispute('updated', 's', 60 * DAY, 'won'),
    ],
    order: { state: 'paid' },
    grants: [['paid-id', null]],
  },
  {
    name: 'an inquiry without a dispute',
    events: [
      completed('s', 0),
      dispute('created', 's', DAY, 'warning_needs_response'),
      dispute('closed', 's', 9 * DAY, 'warning_closed'),
    ],
    order: { state: 'paid' },
    grants: [['paid-id', null]],
  },
  {
    name: 'a subscription that was renewed',
    events: [subscribed(0), subscription('created', 0, { until: MONTH }), first, second],
    order: { state: 'paid', amount: 1800, isSubscription: true, until: graced(2 * MONTH) },
    grants: [['paid-skill', graced(2 * MONTH)]],
  },
  {
    name: 'a subscription in the shapes before 2025-03-31',
    events: [
      subscribed(0),
      subscription('created', 0, { until: MONTH, isOld: true }),
      invoicePaid('first', 1, { until: MONTH, isOld: true }),
      invoicePaid('second', MONTH, { until: 2 * MONTH, isOld: true }),
      refund('refund.created', 'second', MONTH + 60, { amount: 900 }),
    ],
    order: { state: 'paid', amount: 1800, refunded: 900, until: graced(MONTH) },
    grants: [['paid-skill', graced(MONTH)]],
  },
  {
    name: 'a renewal that was refunded, known by its payment intent alone',
    events: [
      subscribed(0),
      first,
      second,
      invoicePayment('second', MONTH),
      refund('refund.created', 'second', MONTH + 60, { amount: 900 }),
    ],
    order: { state: 'paid', amount: 1800, refunded: 900, until: graced(MONTH) },
    grants: [['paid-skill', graced(MONTH)]],
  },
  {
    name: 'a subscription that is past due, and then unpaid',
    events: [
      subscribed(0),
      first,
      subscription('updated', MONTH, { until: 2 * MONTH, status: 'past_due' }),
      subscription('updated', MONTH + 14 * DAY, { until: 2 * MONTH, status: 'unpaid' }),
    ],
    order: { state: 'paid', until: exactly(MONTH) },
    grants: [['paid-skill', exactly(MONTH)]],
  },
  {
    name: 'a subscription that was ended in the middle of its month',
    events: [
      subscribed(0),
      first,
      subscription('deleted', 10 * DAY, { until: MONTH, status: 'canceled', ended_at: NOON + 10 * DAY }),
    ],
    order: { state: 'paid', until: exactly(10 * DAY) },
    grants: [['paid-skill', exactly(10 * DAY)]],
  },
  {
    name: 'a subscription that will not be renewed',
    events: [
      subscribed(0),
      first,
      subscription('updated', 5 * DAY, { until: MONTH, cancel_at_period_end: true }),
    ],
    order: { state: 'paid', until: graced(MONTH) },
    grants: [['paid-skill', graced(MONTH)]],
  },
  {
    name: 'a trial',
    events: [
      subscribed(0, { payment_status: 'no_payment_required', amount_total: 0 }),
      subscription('created', 0, { until: 14 * DAY, status: 'trialing', trial_end: NOON + 14 * DAY }),
      invoicePaid('first', 0, { until: 14 * DAY, amount: 0 }),
    ],
    order: { state: 'paid', amount: 0, until: graced(14 * DAY) },
    grants: [['paid-skill', graced(14 * DAY)]],
  },
  {
    name: 'a bundle',
    events: [completed('s', 0, { payment_link: 'plink_both' })],
    order: { state: 'paid', bundle: 'everything' },
    grants: [
      ['paid-id', null],
      ['paid-skill', null],
    ],
  },
];
