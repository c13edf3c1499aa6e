import { sql, type Statements, values } from '../platform/store/statements.ts';
import {
  type DatedFact,
  type Fact,
  hideFact,
  hideId,
  type OwnerFact,
  type ProviderFact,
  withoutAddress,
} from './fact.rule.ts';
import { loadZlib } from '../platform/base/runtime.ts';
import type { SaleMode } from '../words/en/mail.ts';

/**
 * The state of a stored event: `folded` if an order was computed from it, `waiting` until the provider's API answers;
 * `ignored` or `failed` for the event's `reason`.
 */
export type EventState = 'folded' | 'ignored' | 'failed' | 'waiting';

export type NewSaleEvent = {
  readonly provider: string;
  /** `test` if a test secret verified the event, a test API gave it, or it says so itself. */
  readonly mode: SaleMode;
  readonly eventId: string;
  readonly origin: string;
  readonly type: string;
  readonly at: number;
  readonly receivedAt: number;
  readonly body: Uint8Array | null;
};

export type StoredBody = { readonly id: number; readonly provider: string; readonly body: Uint8Array };

export function saleEventInserts(db: Statements) {
  const setState = (id: number, state: EventState, reason: string | null): void =>
    void db.run`UPDATE sale_events SET state = ${state}, reason = ${reason}, tries = tries + (${state} = 'failed')
      WHERE id = ${id}`;
  const blank = (id: number): void => void db.run`UPDATE sale_events SET body = NULL WHERE id = ${id}`;
  const listOfChain = (chain: number) =>
    db.all<Omit<StoredBody, 'body'> & { eventId: string; state: EventState; body: Uint8Array | null }>`
      SELECT DISTINCT sale_events.id, provider, event_id AS eventId, state, body FROM sale_facts
      JOIN sale_events ON sale_events.id = event WHERE chain = ${chain}`;
  const changeFacts = (chain: number, change: (fact: Fact) => Fact): void => {
    const facts = db.all<{
      id: number;
      fact: string;
    }>`SELECT id, fact FROM sale_facts WHERE chain = ${chain}`;
    for (const { id, fact } of facts) {
      const changed = JSON.stringify(change(JSON.parse(fact) as Fact));
      if (changed !== fact) db.run`UPDATE sale_facts SET fact = ${changed} WHERE id = ${id}`;
    }
  };

  return {
    /** Finds a stored event by its id; if the event was erased, by the id's hash. */
    find: ({ provider, mode, eventId }: Pick<NewSaleEvent, 'provider' | 'mode' | 'eventId'>) =>
      db.one<{ id: number; state: EventState }>`SELECT id, state FROM sale_events
        WHERE provider = ${provider} AND mode = ${mode} AND event_id IN (${eventId}, ${hideId(eventId)})`,
    add(event: NewSaleEvent): number {
      const row = { ...event, state: 'folded', body: event.body && pack(event.body) };
      return db.value<number>`INSERT INTO sale_events ${values(row)} RETURNING id`!;
    },
    addAct: (provider: string, origin: string, type: string, at: number): number =>
      db.value<number>`
        INSERT INTO sale_events (provider, mode, event_id, origin, type, at, received_at, state)
        SELECT ${provider}, 'live', 'act:' || (coalesce(max(id), 0) + 1), ${origin}, ${type}, ${at}, ${at}, 'folded'
        FROM sale_events RETURNING id`!,
    setState,
    blank,
    listOfChain,
    wait(id: number, at: number, body: Uint8Array): void {
      db.run`UPDATE sale_events SET state = 'waiting', next_at = ${at}, received_at = ${at}, tries = 0,
          body = ${pack(body)} WHERE id = ${id}`;
    },
    delay({ id, nextAt, reason }: { id: number; nextAt: number; reason: string }): void {
      db.run`UPDATE sale_events SET next_at = ${nextAt}, reason = ${reason}, tries = tries + 1
        WHERE id = ${id} AND state = 'waiting'`;
    },
    findBody: (id: number) =>
      db.one<StoredBody>`SELECT id, provider, body FROM sale_events
        WHERE id = ${id} AND state = 'waiting' AND body IS NOT NULL`,
    listFailed: (after: number, atMost: number) =>
      db.all<StoredBody>`SELECT id, provider, body FROM sale_events
        WHERE state = 'failed' AND body IS NOT NULL AND id > ${after} ORDER BY id LIMIT ${atMost}`,
    /**
     * For a purchase that makes no order: deletes the bodies and addresses of its events, and marks the events as ignored
     * for this reason.
     */
    forget(chain: number, reason: string): void {
      for (const { id } of listOfChain(chain)) {
        blank(id);
        setState(id, 'ignored', reason);
      }
      changeFacts(chain, withoutAddress);
    },
    forgetNamed(texts: readonly string[]): void {
      const names = texts.map((text) => text.toLowerCase());
      const silent = db.all<StoredBody>`
        SELECT id, provider, body FROM sale_events WHERE state = 'ignored' AND body IS NOT NULL`;
      for (const { id, body } of silent) {
        const told = new TextDecoder().decode(unpackBody(body)).toLowerCase();
        if (names.some((name) => told.includes(name))) blank(id);
      }
    },
    /** Erases the buyer's data from all events of a purchase: deletes bodies and addresses, and hashes the provider's ids. */
    hide(chain: number): void {
      for (const { id, eventId } of listOfChain(chain)) {
        blank(id);
        db.run`UPDATE sale_events SET event_id = ${hideId(eventId)} WHERE id = ${id}`;
      }
      changeFacts(chain, (fact) => ('keys' in fact ? hideFact(fact) : fact));
    },
  };
}

const pack = (body: Uint8Array): Uint8Array => loadZlib().gzipSync(body, { level: 1 });

export const unpackBody = (body: Uint8Array): Uint8Array => loadZlib().gunzipSync(body);

/** An event that waits for an answer of its provider's API. Times are milliseconds since 1970 UTC. */
export type WaitingEvent = StoredBody & { readonly tries: number; readonly receivedAt: number };

type FactSource = { readonly id: number; readonly provider: string; readonly at: number };

/**
 * Returns functions that store facts, in the caller's transaction. Facts that share an id of the provider form a chain,
 * which is one purchase. An erased order is found by the hashes of its ids, and new facts about it are stored with hashes
 * too.
 */
export function saleFactInserts(db: Statements) {
  const insert = (eventId: number, chain: number, at: number, fact: Fact): void =>
    void db.run`INSERT INTO sale_facts (event, chain, at, fact)
      VALUES (${eventId}, ${chain}, ${at}, ${JSON.stringify(fact)})`;
  const findChain = (provider: string, key: string): number | null =>
    db.value<number>`SELECT chain FROM sale_keys WHERE provider = ${provider} AND key = ${key}`;
  const nextChain = (): number =>
    db.value<number>`SELECT max(coalesce((SELECT max(chain) FROM sale_facts), 0),
      coalesce((SELECT max(chain) FROM sale_keys), 0), coalesce((SELECT max(chain) FROM orders), 0)) + 1`!;

  return {
    /**
     * Adds the facts of one event to their chains, each of which is one purchase. Calls `merge` if two chains turn out to
     * be the same purchase. Returns the changed chains.
     */
    add(
      { id, provider, at }: FactSource,
      facts: readonly ProviderFact[],
      merge: (db: Statements, into: number, from: number) => void,
    ): readonly number[] {
      const touched = new Set<number>();
      // Saves lookups, since most facts of one event share their ids.
      const chains = new Map<string, number>();
      const chainOf = (key: string): number | null => {
        const chain = chains.get(key) ?? findChain(provider, key);
        if (chain !== null) chains.set(key, chain);
        return chain;
      };
      for (const given of facts) {
        const isHidden = given.keys.some((key) => !chains.has(key) && chainOf(hideId(key)) !== null);
        const fact = isHidden ? hideFact(given) : given;
        const names = isHidden ? [...given.keys, ...fact.keys] : given.keys;
        const found = names.map(chainOf).filter((chain) => chain !== null);
        const [chain = nextChain(), ...others] = [...new Set(found)].toSorted((a, b) => a - b);
        for (const other of others) {
          for (const table of [sql`sale_facts`, sql`sale_keys`])
            db.run`UPDATE ${table} SET chain = ${chain} WHERE chain = ${other}`;
          merge(db, chain, other);
          touched.delete(other);
          chains.clear();
        }
        for (const key of fact.keys)
          if (chains.get(key) !== chain)
            db.run`INSERT INTO sale_keys (provider, key, chain) VALUES (${provider}, ${key}, ${chain})
              ON CONFLICT DO NOTHING`;
        for (const key of fact.keys) chains.set(key, chain);
        insert(id, chain, at, fact);
        touched.add(chain);
      }
      return [...touched];
    },
    addAct: (eventId: number, chain: number, at: number, fact: OwnerFact): void =>
      insert(eventId, chain, at, fact),
    list(chain: number): readonly DatedFact[] {
      const rows = db.all<Omit<DatedFact, 'fact'> & { fact: string }>`
        SELECT sale_facts.id AS number, sale_facts.at, event_id AS eventId, origin, fact FROM sale_facts
        JOIN sale_events ON sale_events.id = event WHERE chain = ${chain}`;
      return rows.map((row) => ({ ...row, fact: JSON.parse(row.fact) as Fact }));
    },
    removeOf(eventId: number): void {
      db.run`DELETE FROM sale_facts WHERE event = ${eventId}`;
    },
  };
}
