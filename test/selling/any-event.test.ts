import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { SALE_PROVIDERS } from '../../src/selling/providers/provider.ts';
import { runs } from '../helpers/runs.ts';
import { LEMONSQUEEZY_STORIES } from './providers/lemonsqueezy-stories.ts';
import { openSaleDatabase } from './sale-database.ts';
import { STRIPE_STORIES } from './providers/stripe-stories.ts';

const sales = openSaleDatabase();
const STORIES = { stripe: STRIPE_STORIES, lemonsqueezy: LEMONSQUEEZY_STORIES };
const PROVIDERS = ['stripe', 'lemonsqueezy'] as const;

type Json = Record<string, unknown>;

/** Every path of keys to a value in a JSON object. */
function pathsOf(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...path, key]))];
}

/** A copy of an event with another value at a path. */
function replaced(event: unknown, path: readonly string[], value: unknown): unknown {
  const [key, ...others] = path;
  if (key === undefined) return value;
  const copy = Array.isArray(event) ? [...(event as unknown[])] : { ...(event as Json) };
  (copy as Json)[key] = replaced((event as Json)[key], others, value);
  return copy;
}

test.each(Object.keys(SALE_PROVIDERS))('%s reads any JSON without a fault', (name) => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (body) => {
      expect(() => SALE_PROVIDERS[name]?.read(body)).not.toThrow();
    }),
    { numRuns: runs(500) },
  );
});

test.each(PROVIDERS)('an event of %s with any value in it replaced is never failed', async (provider) => {
  const events = STORIES[provider].flatMap((story) => story.events);
  const odd = fc.constantFrom(events).chain((list) =>
    fc.nat(list.length - 1).chain((n) => {
      const paths = pathsOf(list[n]);
      return fc.tuple(
        fc.constant(n),
        fc.constantFrom(...paths),
        fc.oneof(
          fc.jsonValue({ maxDepth: 2 }),
          fc.constantFrom(null, -1, 1e300, 9e15, '', 'x'.repeat(5000), {}, []),
        ),
      );
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(odd, { minLength: 1, maxLength: 6 }), (changes) =>
      sales.inPassing(async () => {
        for (const [n, path, value] of changes) {
          const { state, reason } = sales.deliver(provider, replaced(events[n], path, value));
          expect([state, reason]).not.toEqual(['failed', reason]);
        }
        const stray = sales.db.query('PRAGMA foreign_key_check').all();
        expect(stray).toEqual([]);
        for (const order of await sales.orders()) expect(order.refunded).toBeLessThanOrEqual(order.amount);
      }),
    ),
    { numRuns: runs(500) },
  );
});
