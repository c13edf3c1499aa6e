import { describe, expect, test } from 'bun:test';
import type { Fact, OwnerFact, PaymentFact } from '../../src/selling/fact.rule.ts';
import { type FoldedOrder, foldOrder, sortFacts } from '../../src/selling/fold.rule.ts';
import { BOOK, SKILL } from './sale-database.ts';

const DAY = 24 * 60 * 60 * 1000;
const GRACE = 3 * DAY;
const REVOKE = { kind: 'revoke', items: null } as const;
const GRANT = { kind: 'grant', items: null, bundle: null } as const;

const buyer: Fact = {
  kind: 'buyer',
  keys: ['k'],
  ref: 'r',
  email: 'ada@example.org',
  products: ['p'],
  quantity: 1,
  isSubscription: null,
};
const payment = (id: string, more: Partial<PaymentFact> = {}): Fact => ({
  kind: 'payment',
  keys: ['k'],
  ids: [id],
  state: 'paid',
  amount: 900,
  tax: 0,
  currency: 'usd',
  until: null,
  products: [],
  quantity: null,
  ...more,
});
const dispute = (payment_: string, id: string, state: 'open' | 'lost'): Fact => ({
  kind: 'dispute',
  keys: ['k'],
  ids: [payment_],
  id,
  state,
});

/** Folds facts of the days given, of a product that is the book and a skill which may be unpublished. */
function fold(
  facts: readonly (readonly [day: number, fact: Fact])[],
  isPublished = true,
  least: number | null = null,
  first = buyer,
): FoldedOrder {
  const chain = [[0, first] as const, ...facts].map(([day, fact], n) => ({
    at: day * DAY,
    eventId: `e${n}`,
    number: n,
    origin: 'webhook',
    fact,
  }));
  const folded = foldOrder(chain, {
    offerOf: (product) => ({
      provider: 'x',
      product,
      bundle: null,
      items: [BOOK, SKILL],
      least: least === null ? null : { usd: least },
    }),
    isPublished: ({ kind }) => kind === 'book' || isPublished,
    grace: GRACE,
    isOlder: false,
  });
  if (folded === null || folded === 'not-ours') throw new Error('No order');
  return folded;
}

test('an item that was never published here is not opened, and the others are', () => {
  const { state, entitled } = fold([[0, payment('a')]], false);
  expect([state, entitled.map(({ itemKey }) => itemKey)]).toEqual(['paid', ['paid-id']]);
});

test.each<readonly [string, readonly (readonly [number, Fact])[], boolean]>([
  ['a sale that is held keeps no items', [], false],
  ['one that the owner granted keeps them', [[1, GRANT]], true],
  [
    'one that the owner granted and took back keeps them',
    [
      [1, GRANT],
      [2, REVOKE],
    ],
    true,
  ],
])('%s', (_, acts, isKept) => {
  expect(fold([[0, payment('a')], ...acts], true, 1000).keepsItems).toBe(isKept);
});

test('an order is in the currency that was paid, though another was tried before', () => {
  const tried = payment('a', { state: 'failed', currency: 'eur', amount: 800 });
  expect(
    fold([
      [0, tried],
      [1, payment('b')],
    ]),
  ).toMatchObject({ currency: 'usd', amount: 900 });
});

test.each([
  [null, null, 1],
  [null, 0, 1],
  [null, 3, 3],
  [2, 3, 2],
])('an order of %p with a payment of %p is for %d', (ordered, paid, quantity) => {
  const first = { ...buyer, quantity: ordered } as typeof buyer;
  expect(fold([[0, payment('a', { quantity: paid })]], true, null, first).quantity).toBe(quantity);
});

/** Every order of a few things. */
function* ordersOf<One>(things: readonly One[]): Generator<readonly One[]> {
  if (things.length === 0) yield [];
  for (const [n, thing] of things.entries())
    for (const rest of ordersOf(things.toSpliced(n, 1))) yield [thing, ...rest];
}

test('facts that share an id, directly or through others, are one payment in whatever order they arrive', () => {
  const ids = [['a', 'c'], ['b', 'c'], ['d', 'e', 'b'], ['e'], ['f']];
  for (const order of ordersOf(ids)) {
    const facts = order.map((one) => [0, { ...payment(''), ids: one } as Fact] as const);
    expect(fold(facts).amount).toBe(1800);
  }
});

test('facts of a moment are read by their kind, then event, then place in it, in whatever order they arrive', () => {
  const dated = (eventId: string, number: number, fact: Fact) =>
    ({ at: 0, eventId, number, origin: 'webhook', fact }) as const;
  const sorted = [
    dated('e9', 0, buyer),
    dated('e1', 0, payment('a')),
    dated('e1', 1, payment('b')),
    dated('e2', 0, payment('c')),
    dated('act:9', 0, GRANT),
    dated('act:10', 0, REVOKE),
  ];
  for (const order of ordersOf(sorted)) expect(sortFacts(order)).toEqual(sorted);
});

describe('a subscription', () => {
  const month = (id: string, end: number) => payment(id, { until: end * DAY });

  test.each<readonly [string, readonly (readonly [number, Fact])[], string]>([
    [
      'whose newest payment was lost is lost',
      [
        [0, month('a', 30)],
        [30, month('b', 60)],
        [40, dispute('b', 'd', 'lost')],
      ],
      'lost',
    ],
    [
      'that was paid after a lost payment is paid',
      [
        [0, month('a', 30)],
        [20, dispute('a', 'd', 'lost')],
        [30, month('b', 60)],
      ],
      'paid',
    ],
    [
      'with a lost and an open dispute of one payment is disputed',
      [
        [0, month('a', 30)],
        [5, dispute('a', 'd', 'lost')],
        [6, dispute('a', 'e', 'open')],
      ],
      'disputed',
    ],
  ])('%s', (_, facts, state) => {
    expect(fold(facts).state).toBe(state as 'paid');
  });

  test('that had run out when it was revoked ended when it ran out', () => {
    expect(
      fold([
        [0, month('a', 30)],
        [50, REVOKE],
      ]),
    ).toMatchObject({ state: 'ended', until: 33 * DAY });
  });

  test('that is revoked while it runs ends then', () => {
    expect(
      fold([
        [0, month('a', 30)],
        [10, REVOKE],
      ]),
    ).toMatchObject({ state: 'ended', until: 10 * DAY });
  });

  test.each([
    ['at the moment it ran out is open for good', 33, null],
    ['a day before keeps its end', 32, 33 * DAY],
  ])('that the owner grants %s', (_, day, until) => {
    expect(
      fold([
        [0, month('a', 30)],
        [day, GRANT],
      ]),
    ).toMatchObject({ state: 'paid', until });
  });
});

test.each([
  ['in the same moment', 1, 'refunded'],
  ['later', 2, 'paid'],
])('a payment %s as the owner gave the money back is %p', (_, day, state) => {
  const back: OwnerFact = { kind: 'give-back' };
  expect(
    fold([
      [0, payment('a')],
      [1, back],
      [day, payment('b')],
    ]).state,
  ).toBe(state as 'paid');
});
