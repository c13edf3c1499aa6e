import { expect } from 'bun:test';
import { asked, created, MEMBERSHIP, moment } from './gumroad-sales.ts';
import type { Story } from '../story.ts';

const DAY = 86_400;

const CHOSEN = { product_id: 'Ch0sen==' };

export const GUMROAD_STORIES: readonly Story[] = [
  ...(
    [
      ['at the least price', 500, 1, 'paid', 0],
      ['above it', 2000, 1, 'paid', 0],
      ['below it', 499, 1, 'held', 0],
      ['for three copies at once', 1500, 3, 'paid', 2],
      ['for three copies at once, too little each', 1499, 3, 'held', 0],
    ] as const
  ).map(([name, price, quantity, state, copies]) => ({
    name: `what the buyer chose, ${name}`,
    events: [created({ ...CHOSEN, price, quantity }), asked(5, { ...CHOSEN, price, quantity })],
    order: { state, copies },
    grants: state === 'paid' ? ([['paid-id', null]] as const) : [],
  })),
  {
    name: 'three copies, all given back',
    events: [created({ quantity: 3 }), asked(60, { quantity: 3, refunded: true })],
    order: { state: 'refunded', copies: 2 },
    grants: [],
  },
  {
    name: 'one sale, in US cents whatever the sign says',
    events: [created(), asked(5)],
    order: { state: 'paid', amount: 1900, currency: 'usd', paidAt: moment(0), refunded: 0 },
    grants: [['paid-id', null]],
  },
  {
    name: 'a refund',
    events: [created(), asked(5), asked(60, { refunded: true })],
    order: { state: 'refunded', refunded: 1900 },
    grants: [],
  },
  {
    name: 'a part given back, of which it does not say how much',
    events: [created(), asked(60, { partially_refunded: true })],
    order: { state: 'paid', refunded: 0, attention: expect.stringContaining('a part of this sale') },
    grants: [['paid-id', null]],
  },
  {
    name: 'a dispute that is open',
    events: [created(), asked(5), asked(60, { disputed: true })],
    order: { state: 'disputed' },
    grants: [],
  },
  {
    name: 'a dispute that was won',
    events: [created(), asked(60, { disputed: true }), asked(90, { disputed: true, dispute_won: true })],
    order: { state: 'paid' },
    grants: [['paid-id', null]],
  },
  {
    name: 'a dispute whose money is held back until it is decided',
    events: [created(), asked(60, { disputed: true }), asked(90, { disputed: true, chargedback: true })],
    order: { state: 'disputed', attention: expect.stringContaining('A dispute is open') },
    grants: [],
  },
  {
    name: 'a dispute that was won after its money was held back',
    events: [
      created(),
      asked(60, { disputed: true, chargedback: true }),
      asked(90, { disputed: true, chargedback: true, dispute_won: true }),
    ],
    order: { state: 'paid' },
    grants: [['paid-id', null]],
  },
  {
    name: 'money that was taken back without a dispute',
    events: [created(), asked(60, { chargedback: true })],
    order: { state: 'lost' },
    grants: [],
  },
  {
    name: 'a sale that was free',
    events: [created({ price: 0 }), asked(5, { price: 0 })],
    order: { state: 'paid', amount: 0 },
    grants: [['paid-id', null]],
  },
  {
    name: 'a membership, open until it ends',
    events: [created(MEMBERSHIP), asked(5, MEMBERSHIP), asked(40 * DAY, { ...MEMBERSHIP, cancelled: true })],
    order: { state: 'paid', until: null },
    grants: [['paid-skill', null]],
  },
  {
    name: 'a membership that ended',
    events: [created(MEMBERSHIP), asked(5, MEMBERSHIP), asked(10 * DAY, { ...MEMBERSHIP, ended: true })],
    order: { until: moment(10 * DAY) },
    grants: [['paid-skill', moment(10 * DAY)]],
  },
  {
    name: 'a membership that ended at a time that is named',
    events: [
      created(MEMBERSHIP),
      asked(10 * DAY, {
        ...MEMBERSHIP,
        ended: true,
        ended_at: new Date(moment(9 * DAY)).toISOString(),
      }),
    ],
    order: { until: moment(9 * DAY) },
    grants: [['paid-skill', moment(9 * DAY)]],
  },
  {
    name: 'a present, which is that of the one it was bought for',
    events: [created({ giftee_email: 'eve@example.org' }), asked(5, { giftee_email: 'eve@example.org' })],
    order: { state: 'paid', email: 'eve@example.org', accountId: null },
    grants: [],
  },
  {
    name: 'a membership paid twice, of which one was given back',
    events: [
      created(MEMBERSHIP),
      created({ ...MEMBERSHIP, id: 'second==', created_at: new Date(moment(30 * DAY)).toISOString() }),
      asked(31 * DAY, { ...MEMBERSHIP, id: 'second==', refunded: true }),
    ],
    order: { state: 'paid', amount: 1800, refunded: 900 },
    grants: [['paid-skill', null]],
  },
];
