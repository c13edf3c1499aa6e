import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { runs } from '../helpers/runs.ts';
import { LEMONSQUEEZY_STORIES } from './providers/lemonsqueezy-stories.ts';
import { GUMROAD_STORIES } from './providers/gumroad-stories.ts';
import { POLAR_STORIES } from './providers/polar-stories.ts';
import { AT, BOOK, openSaleDatabase, settled, SKILL } from './sale-database.ts';
import type { Order } from '../../src/selling/order.rule.ts';
import { permutations, type Story } from './story.ts';
import { STRIPE_STORIES } from './providers/stripe-stories.ts';
import { ANNOUNCED } from '../../src/catalog/known-item.rule.ts';

const sales = openSaleDatabase();

/** The state after events in an order, each as often as it is named. */
const play = (provider: string, events: readonly unknown[]) =>
  sales.inPassing(async () => {
    for (const event of events) {
      const { state, reason } = sales.deliver(provider, event);
      if (!['folded', 'ignored'].includes(state)) throw new Error(`an event is ${state}: ${reason}`);
    }
    return {
      grants: sales.grants(),
      payments: sales.db.query('SELECT * FROM order_payments').all(),
      codes: sales.db.query('SELECT order_id, items, uses, is_copies FROM codes').all(),
      orders: (await sales.orders()).map(settled),
    };
  });

const PROVIDERS: readonly (readonly [provider: string, stories: readonly Story[]])[] = [
  ['stripe', STRIPE_STORIES],
  ['polar', POLAR_STORIES],
  ['gumroad', GUMROAD_STORIES],
  ['lemonsqueezy', LEMONSQUEEZY_STORIES],
];

describe.each(PROVIDERS)('%s', (provider, stories) => {
  test.each(stories)('$name ends as it must', async ({ events, order, grants }) => {
    const ended = await play(provider, events);
    expect(ended.orders).toHaveLength(1);
    expect(ended.orders[0]).toMatchObject({ email: 'ada@example.org', accountId: 'ada', ...order });
    expect(ended.grants.map(({ item, until }) => [item, until] as const)).toEqual([...grants]);
  });

  test.each(stories)('$name ends the same in every order, each event twice', async ({ events }) => {
    const expected = await play(provider, events);
    for (const order of permutations(events)) {
      const twice = order.flatMap((event) => [event, event]);
      expect(await play(provider, twice)).toEqual(expected);
    }
  });

  test.each(stories)(
    '$name ends the same before publication, and tells each holder once',
    async ({ events }) => {
      const expected = await play(provider, events);
      const items = [BOOK, SKILL];
      await sales.inPassing(async () => {
        sales.db.run('DELETE FROM editions');
        const tell = (edition: string) =>
          sales.writes.publishItems({ items: items.map((item) => ({ ...item, edition })), at: AT });
        tell(ANNOUNCED);
        for (const event of events.flatMap((one) => [one, one])) sales.deliver(provider, event);
        expect((await sales.orders()).map(settled)).toEqual(expected.orders);
        expect(sales.grants()).toEqual(expected.grants);
        tell('served');
        tell('served');
        const told = sales.db.query("SELECT subject, address FROM outbox WHERE kind = 'published'").all();
        const isOpen = ({ state, until }: Order): boolean =>
          state === 'paid' && (until === null || until > AT);
        const holders = (await sales.orders()).filter(isOpen).flatMap(({ items: bought, accountId, email }) =>
          bought.map(({ kind, itemKey }) => ({
            subject: `published:${kind} ${itemKey}`,
            address: accountId === null ? email : 'Ada@example.org',
          })),
        );
        expect(told).toEqual(holders);
      });
    },
  );

  test('all stories at once keep to themselves, in any order and as often as one likes', async () => {
    const own = stories.map((story, n) => renumber(story, n));
    const all = own.flatMap(({ events }) => events);
    const expected = await play(provider, all);
    expect(expected.orders).toHaveLength(stories.length);
    const sorted = (state: typeof expected) => ({
      grants: state.grants.map(({ source: _, ...grant }) => JSON.stringify(grant)).toSorted(),
      orders: state.orders.map((order) => JSON.stringify(order)).toSorted(),
    });
    const indexes = fc
      .shuffledSubarray([...all.keys()], { minLength: all.length })
      .chain((order) => fc.tuple(fc.constant(order), fc.array(fc.nat(all.length - 1), { maxLength: 20 })));
    await fc.assert(
      fc.asyncProperty(indexes, async ([order, again]) => {
        const events = [...order.slice(0, 30), ...again, ...order.slice(30)].map((n) => all[n]);
        expect(sorted(await play(provider, events))).toEqual(sorted(expected));
      }),
      { numRuns: runs(20) },
    );
  });
});

/** The same story with ids of its own. */
function renumber({ events, ...story }: Story, n: number): Story {
  const text = JSON.stringify(events)
    .replace(/"(cs_live|pi|in|sub|ch|re|dp|inpay|evt)_(\w+)"/g, `"$1_$2x${n}"`)
    .replace(/"(id|order_id|subscription_id)":"?(900|901|70|1|2)"?(?=[,}])/g, (_, key, id) =>
      key === 'id' ? `"id":"${id}${100 + n}"` : `"${key}":${id}${100 + n}`,
    )
    .replace(/"identifier":"[^"]*"/g, `"identifier":"identifier-${n}"`)
    .replace(/"(0[abde])000000-0000-4000/g, `"$1${String(n).padStart(6, '0')}-0000-4000`)
    .replaceAll('tJGvlpWTfd-CSKm4bDP97w==', `sale-${n}==`)
    .replaceAll('second==', `second-${n}==`)
    .replaceAll('sub==', `sub-${n}==`)
    .replaceAll('83db262a-', `83db26${n}-`)
    .replace(/"C0DE0000-/g, `"C0DE${String(n).padStart(4, '0')}-`);
  return { ...story, events: JSON.parse(text) as readonly unknown[] };
}
