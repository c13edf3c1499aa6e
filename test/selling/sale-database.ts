import { Database } from 'bun:sqlite';
import { statementsOf } from '../../src/platform/store/statements.ts';
import { createReads, createWrites } from '../../src/writes.ts';
import { migrations } from '../../src/platform/store/database.ts';
import type { Offer } from '../../src/selling/goods.rule.ts';
import type { OfferedItem } from '../../src/catalog/item.rule.ts';
import type { Order } from '../../src/selling/order.rule.ts';

export const AT = Date.UTC(2026, 10, 20);

export const BOOK = { kind: 'book', itemKey: 'paid-id', slug: 'paid-book' } as const;
export const SKILL = { kind: 'skill', itemKey: 'paid-skill', slug: 'paid-skill' } as const;
const GRACE = 3 * 24 * 60 * 60 * 1000;

const offer = (provider: string, product: string, more: Partial<Offer> = {}): Offer => ({
  provider,
  product,
  bundle: null,
  items: [BOOK],
  least: null,
  ...more,
});

const CHOSEN = { from: { amount: 500, currency: 'usd' } };

/** The offers of these tests; `plink_cheap` must bring five dollars, and buyers of the chosen ones pay five or more. */
export const OFFERS: readonly Offer[] = [
  offer('', 'plink_other', { items: [] }),
  offer('stripe', 'plink_paid'),
  offer('stripe', 'plink_cheap', { least: { usd: 500 } }),
  offer('stripe', 'plink_both', { bundle: 'everything', items: [BOOK, SKILL] }),
  offer('stripe', 'price_monthly', { items: [SKILL] }),
  offer('stripe', 'plink_chosen', CHOSEN),
  offer('stripe', 'price_book', { least: { usd: 500 } }),
  offer('stripe', 'price_skill', { items: [SKILL], least: { usd: 700 } }),
  offer('stripe', 'price_chosen', { items: [SKILL], from: { amount: 800, currency: 'usd' } }),
  offer('polar', '7c2d3f80-0003-4000-8000-000000000003', CHOSEN),
  offer('gumroad', 'Ch0sen==', CHOSEN),
  offer('lemonsqueezy', '510003', { ...CHOSEN, least: { usd: 400 } }),
  offer('polar', '7c2d3f80-0001-4000-8000-000000000001'),
  offer('polar', '7c2d3f80-0002-4000-8000-000000000002', { items: [SKILL] }),
  offer('gumroad', 'Ex4mple=='),
  offer('gumroad', 'M0nthly==', { items: [SKILL] }),
  offer('lemonsqueezy', '510001'),
  offer('lemonsqueezy', '510002', { items: [SKILL] }),
];

/** The edition of an item that its first publish stores. */
export const servedEdition = (item: OfferedItem) => ({
  ...item,
  digest: 'd'.repeat(64),
  version: null,
  size: 1,
  files: 1,
  added: 1,
  changed: 0,
  removed: 0,
  notes: null,
  tar: '{}',
  tarSize: 1,
  manifest: '{}',
  changedFiles: null,
  staysVersion: false,
  wasFree: 0 as const,
});

/** A database in memory with both items published and the verified account of ada@example.org, as bytes. */
const EMPTY = (() => {
  const db = new Database(':memory:', { strict: true });
  for (const migration of migrations) db.run(migration);
  const writes = createWrites(statementsOf(() => db));
  const items = [BOOK, SKILL].map((item) => ({ ...item, edition: null }));
  writes.publishItems({ items, editions: [BOOK, SKILL].map(servedEdition), at: 1 });
  writes.setOffers({
    offers: OFFERS,
    settings: { grace: GRACE, mail: 'manual', tellsSales: false },
    at: 1,
  });
  const account = { isOwner: false, createdAt: 1, disabledAt: null };
  writes.addAccount({ ...account, id: 'ada', email: 'Ada@example.org', verifiedAt: 1 });
  writes.addAccount({ ...account, id: 'eve', email: 'eve@example.org', verifiedAt: null });
  return db.serialize();
})();

/** The writer's statements over a database of its own, without a Worker. */
export function openSaleDatabase() {
  const db = Database.deserialize(EMPTY, { strict: true });
  db.run('PRAGMA foreign_keys = ON');
  const writes = createWrites(statementsOf(() => db));
  const reads = createReads(statementsOf(() => db));
  const deliver = (provider: string, event: unknown, at = AT) =>
    writes.addSaleEvent({
      provider,
      mode: 'live',
      origin: 'webhook',
      body: new TextEncoder().encode(typeof event === 'string' ? event : JSON.stringify(event)),
      eventId: null,
      at,
    });
  return {
    db,
    writes,
    reads,
    deliver,
    async orders(): Promise<readonly Order[]> {
      const ids = db.query<{ id: number }, []>('SELECT id FROM orders ORDER BY id').all();
      const orders = ids.map(({ id }) => reads.findOrder(id));
      return orders.filter((order) => order !== null);
    },
    /** Runs an act, and takes back all that it wrote: preparing every statement again would take longer. */
    async inPassing<Result>(act: () => Promise<Result>): Promise<Result> {
      db.run('BEGIN');
      try {
        return await act();
      } finally {
        db.run('ROLLBACK');
      }
    },
    /** Grants that are not revoked, as account, item and end. */
    grants: () =>
      db
        .query(
          `SELECT account_id AS account, item_key AS item, ends_at AS until, source FROM grants
           WHERE revoked_at IS NULL ORDER BY account, item`,
        )
        .all() as readonly LiveGrant[],
    mails: () =>
      db.query('SELECT kind, address, state FROM outbox ORDER BY id').all() as readonly {
        readonly kind: string;
        readonly address: string;
        readonly state: string;
      }[],
  };
}

export type LiveGrant = {
  readonly account: string;
  readonly item: string;
  readonly until: number | null;
  readonly source: string;
};

/** An order without what differs from one order of delivery to another: its number, and when it was attached. */
export function settled({ id: _, number: ____, claimedAt: __, ...order }: Order) {
  return order;
}
