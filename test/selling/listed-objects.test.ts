import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { runs } from '../helpers/runs.ts';
import { LEMONSQUEEZY_STORIES } from './providers/lemonsqueezy-stories.ts';
import { POLAR_STORIES } from './providers/polar-stories.ts';
import { openSaleDatabase, settled } from './sale-database.ts';

const sales = openSaleDatabase();

type Json = Readonly<Record<string, unknown>>;
type Twin = (event: Json) => readonly Json[];

/**
 * The objects of events as a list of the provider has them: the same state, dated by the object's own change, which is at
 * most as late as the event that told of it.
 */
const TWINS: Readonly<Record<string, Twin>> = {
  polar(event) {
    const [, kind] = /^(order|subscription)\./.exec(String(event['type'])) ?? [];
    const early = new Date(Date.parse(String(event['timestamp'])) - 400).toISOString();
    return kind === undefined
      ? []
      : [event['timestamp'], early].map((timestamp) => ({ ...event, type: `${kind}.updated`, timestamp }));
  },
  lemonsqueezy: (event) => [
    { ...event, meta: { event_name: `listed_${(event['data'] as Json)['type']}`, test_mode: false } },
  ],
};

/** An object is dated up to a second before its event: the order's own times may be that, and nothing else. */
const UNDATED = { at: 0, paidAt: null };

const play = (provider: string, events: readonly unknown[]) =>
  sales.inPassing(async () => {
    for (const event of events) sales.deliver(provider, event);
    const orders = (await sales.orders()).map((order) => ({ ...settled(order), ...UNDATED }));
    return { orders, grants: sales.grants().map(({ item, until }) => [item, until]) };
  });

describe.each([
  ['polar', POLAR_STORIES],
  ['lemonsqueezy', LEMONSQUEEZY_STORIES],
] as const)('what %s lists', (provider, stories) => {
  const twinsOf = TWINS[provider] ?? (() => []);

  test.each(stories)('beside its events changes nothing of: $name', async ({ events }) => {
    const all = events as readonly Json[];
    const expected = await play(provider, all);
    const pool = [...all, ...all.flatMap(twinsOf)];
    const orders = fc.shuffledSubarray([...pool.keys()], { minLength: pool.length });
    await fc.assert(
      fc.asyncProperty(orders, async (order) => {
        expect(
          await play(
            provider,
            order.map((n) => pool[n]),
          ),
        ).toEqual(expected);
      }),
      { numRuns: runs(20) },
    );
  });

  test.each(stories)('instead of its last event ends as that would: $name', async ({ events }) => {
    const all = events as readonly Json[];
    const last = all.at(-1);
    const twins = last === undefined ? [] : twinsOf(last).slice(0, 1);
    if (twins.length === 0) return;
    expect(await play(provider, [...all.slice(0, -1), ...twins])).toEqual(await play(provider, all));
  });
});
