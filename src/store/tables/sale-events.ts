import type { Database } from 'bun:sqlite';
import type { DatedFact, Fact, OwnerFact, ProviderFact } from '../../sales/fact.ts';
import { loadZlib, sha256 } from '../../runtime.ts';
import { messageOf } from '../../refusal.ts';
import { parseBody, questionOf, SALE_PROVIDERS, type SaleEvent } from '../../sales/provider.ts';
import { isTestSale } from '../../sales/order.ts';
import { isSqliteError } from '../copy.ts';
import type { FoldMoment, OrderFolds } from './order-folds.ts';

/** A stored event. `reason` says why it is not folded. */
type EventState = 'folded' | 'ignored' | 'failed' | 'waiting';

/** An event to add, with its raw body. */
type NewSaleEvent = {
  readonly provider: string;
  readonly mode: 'live' | 'test';
  readonly eventId: string;
  readonly origin: string;
  readonly type: string;
  readonly at: number;
  readonly receivedAt: number;
  readonly body: Uint8Array;
};

/** A stored event that can be read again. */
export type StoredBody = {
  readonly id: number;
  readonly provider: string;
  readonly body: Uint8Array;
};

/** The part of a transaction that keeps events. */
export function saleEventInserts(db: Database) {
  const find = db.prepare<{ id: number; state: EventState }, [string, string, string, string]>(
    'SELECT id, state FROM sale_events WHERE provider = ? AND mode = ? AND event_id IN (?, ?)',
  );
  const insert = db.prepare<{ id: number }, (string | number | Uint8Array)[]>(
    `INSERT INTO sale_events (provider, mode, event_id, origin, type, at, received_at, state, body)
     VALUES (?, ?, ?, ?, ?, ?, ?, 'folded', ?) RETURNING id`,
  );
  const insertAct = db.prepare<{ id: number }, [string, string, string, number]>(
    `INSERT INTO sale_events (provider, mode, event_id, origin, type, at, received_at, state)
     SELECT ?1, 'live', 'act:' || (coalesce(max(id), 0) + 1), ?2, ?3, ?4, ?4, 'folded' FROM sale_events RETURNING id`,
  );
  const setState = db.prepare(
    "UPDATE sale_events SET state = ?2, reason = ?3, tries = tries + (?2 = 'failed') WHERE id = ?1",
  );
  const wait = db.prepare(
    "UPDATE sale_events SET state = 'waiting', next_at = ?2, received_at = ?2, tries = 0, body = ?3 WHERE id = ?1",
  );
  const delay = db.prepare(
    "UPDATE sale_events SET next_at = ?2, reason = ?3, tries = tries + 1 WHERE id = ?1 AND state = 'waiting'",
  );
  const blank = db.prepare('UPDATE sale_events SET body = NULL WHERE id = ?');
  const hide = db.prepare('UPDATE sale_events SET event_id = ? WHERE id = ?');
  const failed = db.prepare<StoredBody, [number, number]>(
    `SELECT id, provider, body FROM sale_events WHERE state = 'failed' AND body IS NOT NULL AND id > ? ORDER BY id LIMIT ?`,
  );
  const one = db.prepare<StoredBody, [number]>(
    "SELECT id, provider, body FROM sale_events WHERE id = ? AND state = 'waiting' AND body IS NOT NULL",
  );
  const ofChain = db.prepare<
    { id: number; provider: string; eventId: string; body: Uint8Array | null },
    [number]
  >(
    `SELECT DISTINCT sale_events.id, provider, event_id AS eventId, body FROM sale_facts
     JOIN sale_events ON sale_events.id = event WHERE chain = ?`,
  );
  const silent = db.prepare<{ id: number; body: Uint8Array }, []>(
    "SELECT id, body FROM sale_events WHERE state = 'ignored' AND body IS NOT NULL",
  );
  const facts = db.prepare<{ id: number; fact: string }, [number]>(
    'SELECT id, fact FROM sale_facts WHERE chain = ?',
  );
  const setFact = db.prepare('UPDATE sale_facts SET fact = ? WHERE id = ?');

  return {
    /** Finds an event that arrived before, by its id or that id's hash. */
    find: (provider: string, mode: string, eventId: string) =>
      find.get(provider, mode, eventId, hideId(eventId)),
    add(event: NewSaleEvent): number {
      const { provider, mode, eventId, origin, type, at, receivedAt, body } = event;
      return insert.get(provider, mode, eventId, origin, type, at, receivedAt, pack(body))?.id ?? 0;
    },
    /** Adds an act on an order, which has no body. */
    addAct(provider: string, origin: string, type: string, at: number): number {
      return insertAct.get(provider, origin, type, at)?.id ?? 0;
    },
    setState(id: number, state: EventState, reason: string | null): void {
      setState.run(id, state, reason);
    },
    /** Lets an event wait for its provider's API, which is asked at a time. */
    wait(id: number, at: number, body: Uint8Array): void {
      wait.run(id, at, pack(body));
    },
    /** Postpones a waiting event, with the reason. */
    delay(id: number, nextAt: number, reason: string): void {
      delay.run(id, nextAt, reason);
    },
    /** A waiting event, or null. */
    findBody: (id: number): StoredBody | null => one.get(id),
    /** The failed events after an id. */
    listFailed: (after: number, atMost: number): readonly StoredBody[] => failed.all(after, atMost),
    /** The events of a chain; old bodies are null. */
    listOfChain: (chain: number) => ofChain.all(chain),
    blank(id: number): void {
      blank.run(id);
    },
    /** Drops bodies and addresses of a chain that is not ours. */
    forget(chain: number): void {
      for (const { id } of ofChain.all(chain)) {
        blank.run(id);
        setState.run(id, 'ignored', 'notOurs names its product');
      }
      for (const { id, fact } of facts.all(chain)) {
        const known = JSON.parse(fact) as Fact;
        if (known.kind === 'buyer') setFact.run(JSON.stringify({ ...known, email: null }), id);
      }
    },
    /** Drops the bodies of events without an order in which one of these texts occurs, in any case. */
    forgetNamed(texts: readonly string[]): void {
      const names = texts.map((text) => text.toLowerCase());
      for (const { id, body } of silent.all()) {
        const told = new TextDecoder().decode(unpackBody(body)).toLowerCase();
        if (names.some((name) => told.includes(name))) blank.run(id);
      }
    },
    /** Takes the person out of a chain: no bodies, no address, and hashes for the provider's ids. */
    hide(chain: number): void {
      for (const { id, eventId } of ofChain.all(chain)) {
        blank.run(id);
        hide.run(hideId(eventId), id);
      }
      for (const { id, fact } of facts.all(chain)) {
        const known = JSON.parse(fact) as Fact;
        if ('keys' in known) setFact.run(JSON.stringify(hideFact(known)), id);
      }
    },
  };
}

const pack = (body: Uint8Array): Uint8Array => loadZlib().gzipSync(body, { level: 1 });

/** The bytes of a stored body. */
export function unpackBody(body: Uint8Array): Uint8Array {
  return loadZlib().gunzipSync(body);
}

/** The id of an event that is identified by its body alone: a hash of it. */
function bodyId(body: Uint8Array): string {
  return `body:${sha256(body)}`;
}

/** An event that waits for an answer; times are milliseconds since 1970 UTC. */
export type WaitingEvent = StoredBody & { readonly tries: number; readonly receivedAt: number };

/** The event that the facts come from. */
type FactSource = { readonly id: number; readonly provider: string; readonly at: number };

/**
 * The part of a transaction that keeps facts in chains: facts that share a key are one. Ids of an erased order are found by
 * their hash, and a new fact of it is stored as the others are.
 */
export function saleFactInserts(db: Database) {
  const insert = db.prepare('INSERT INTO sale_facts (event, chain, at, fact) VALUES (?, ?, ?, ?)');
  const find = db.prepare<{ chain: number }, [string, string]>(
    'SELECT chain FROM sale_keys WHERE provider = ? AND key = ?',
  );
  const next = db.prepare<{ chain: number }, []>(
    `SELECT max(coalesce((SELECT max(chain) FROM sale_facts), 0), coalesce((SELECT max(chain) FROM sale_keys), 0),
       coalesce((SELECT max(chain) FROM orders), 0)) + 1 AS chain`,
  );
  const addKey = db.prepare(
    'INSERT INTO sale_keys (provider, key, chain) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const moves = ['sale_facts', 'sale_keys'].map((table) =>
    db.prepare(`UPDATE ${table} SET chain = ?1 WHERE chain = ?2`),
  );
  const list = db.prepare<Omit<DatedFact, 'number' | 'fact'> & { id: number; fact: string }, [number]>(
    `SELECT sale_facts.id, sale_facts.at, event_id AS eventId, origin, fact FROM sale_facts
     JOIN sale_events ON sale_events.id = event WHERE chain = ?`,
  );
  const removeOf = db.prepare('DELETE FROM sale_facts WHERE event = ?');

  return {
    /** Adds facts of one event; `merge` is told of chains that turn out to be one. Gives the chains that changed. */
    add(
      { id, provider, at }: FactSource,
      facts: readonly ProviderFact[],
      merge: (into: number, from: number) => void,
    ): readonly number[] {
      const touched = new Set<number>();
      // Facts of one event mostly share their keys.
      const chains = new Map<string, number>();
      const chainOf = (key: string): number | null => {
        const chain = chains.get(key) ?? find.get(provider, key)?.chain ?? null;
        if (chain !== null) chains.set(key, chain);
        return chain;
      };
      for (const given of facts) {
        const isHidden = given.keys.some((key) => !chains.has(key) && chainOf(hideId(key)) !== null);
        const fact = isHidden ? hideFact(given) : given;
        const names = isHidden ? [...given.keys, ...fact.keys] : given.keys;
        const found = names.map(chainOf).filter((chain) => chain !== null);
        const [chain = next.get()?.chain ?? 1, ...others] = [...new Set(found)].toSorted((a, b) => a - b);
        for (const other of others) {
          moves.forEach((move) => move.run(chain, other));
          merge(chain, other);
          touched.delete(other);
          chains.clear();
        }
        for (const key of fact.keys) if (chains.get(key) !== chain) addKey.run(provider, key, chain);
        for (const key of fact.keys) chains.set(key, chain);
        insert.run(id, chain, at, JSON.stringify(fact));
        touched.add(chain);
      }
      return [...touched];
    },
    /** Adds an act to a chain. */
    addAct(eventId: number, chain: number, at: number, fact: OwnerFact): void {
      insert.run(eventId, chain, at, JSON.stringify(fact));
    },
    list(chain: number): readonly DatedFact[] {
      return list
        .all(chain)
        .map(({ id, fact, ...dated }) => ({ ...dated, number: id, fact: JSON.parse(fact) as Fact }));
    },
    /** Removes the facts of an event before they are read again. */
    removeOf(eventId: number): void {
      removeOf.run(eventId);
    },
  };
}

/** The form of an id that is kept after erasing: its hash. */
export function hideId(id: string): string {
  return id.startsWith('sha256:') ? id : `sha256:${sha256(id)}`;
}

/** A fact without the person: no address, and a hash for each of the provider's ids. */
function hideFact<Known extends ProviderFact>(fact: Known): Known {
  return {
    ...fact,
    keys: fact.keys.map(hideId),
    ...('ids' in fact ? { ids: fact.ids.map(hideId) } : {}),
    ...('id' in fact ? { id: hideId(fact.id) } : {}),
    ...(fact.kind === 'buyer' ? { ref: hideId(fact.ref), email: null } : {}),
    ...(fact.kind === 'note' ? { text: '' } : {}),
  };
}

/** A verified delivery, or an answer of a provider's API. The writer reads it, so that an event it cannot read is kept. */
export type SaleArrival = FoldMoment & {
  readonly provider: string;
  /** Decided by the secret that verified it. */
  readonly mode: 'live' | 'test';
  readonly origin: 'webhook' | 'api';
  readonly body: Uint8Array;
  /** The event's id, if it was sent in a header. */
  readonly eventId: string | null;
  /** Whether the provider's API can be asked. If so, an event that needs its answer waits for it. */
  readonly canAsk?: boolean;
};

/** `isNew` is false for one that arrived before: it changes nothing. */
export type SaleArrived = {
  readonly isNew: boolean;
  readonly state: EventState;
  readonly reason: string | null;
  readonly orderIds: readonly number[];
};

/** The part of a transaction that stores an event once and folds the orders it touches. */
export function saleArrivals(db: Database, folds: OrderFolds) {
  const [events, facts] = [saleEventInserts(db), saleFactInserts(db)];

  const foldEvent = (
    id: number,
    provider: string,
    event: SaleEvent,
    moment: FoldMoment,
  ): readonly number[] => {
    const said = event.facts.map((fact) =>
      fact.kind === 'buyer' && isTestSale(fact.ref) ? { ...fact, isTest: true as const } : fact,
    );
    const chains = facts.add({ id, provider, at: event.at }, said, folds.merge);
    return chains.flatMap((chain) => folds.fold(chain, provider, moment) ?? []);
  };
  /**
   * Runs in a savepoint, so that an event that cannot be folded is kept as failed. A failing disk still refuses the
   * whole write.
   */
  const tryToFold = (
    id: number,
    provider: string,
    read: () => SaleEvent | null,
    moment: FoldMoment,
  ): SaleArrived => {
    db.run('SAVEPOINT folding');
    try {
      const event = read();
      const orderIds = event === null ? [] : foldEvent(id, provider, event, moment);
      db.run('RELEASE folding');
      const reason = reasonToIgnore(event);
      if (reason !== null) events.setState(id, 'ignored', reason);
      return { isNew: true, state: reason === null ? 'folded' : 'ignored', reason, orderIds };
    } catch (error) {
      if (!db.inTransaction || isOfDisk(error)) throw error;
      db.run('ROLLBACK TO folding');
      db.run('RELEASE folding');
      const reason = messageOf(error);
      events.setState(id, 'failed', reason);
      return { isNew: true, state: 'failed', reason, orderIds: [] };
    }
  };

  return {
    add({ provider, mode, origin, body, eventId, canAsk = false, ...moment }: SaleArrival): SaleArrived {
      const read = readOnce(provider, body);
      const event = tryTo(read);
      const isTest = mode === 'test' || event?.isTest === true;
      const name = event?.id ?? eventId ?? bodyId(body);
      const before = events.find(provider, isTest ? 'test' : 'live', name);
      const asks = !isTest && canAsk && questionOf(provider, body) !== null;
      // A provider that repeats what was answered may have something new to say.
      if (before !== null && before.state !== 'failed' && !(asks && before.state === 'ignored'))
        return { isNew: false, state: before.state, reason: null, orderIds: [] };
      const id =
        before?.id ??
        events.add({
          provider,
          mode: isTest ? 'test' : 'live',
          eventId: name,
          origin,
          type: event?.type ?? 'unknown',
          at: event?.at ?? moment.at,
          receivedAt: moment.at,
          body,
        });
      // Sent again after it failed: it is not a failed one any more unless it fails again.
      if (before !== null) events.setState(id, 'folded', null);
      if (asks) {
        events.wait(id, moment.at, body);
        return { isNew: true, state: 'waiting', reason: null, orderIds: [] };
      }
      if (!isTest) return tryToFold(id, provider, read, moment);
      events.setState(id, 'ignored', 'test');
      return { isNew: before === null, state: 'ignored', reason: 'test', orderIds: [] };
    },
    /** Reads and folds a stored event again. */
    repeat({ id, provider, body }: StoredBody, moment: FoldMoment): SaleArrived {
      facts.removeOf(id);
      events.setState(id, 'folded', null);
      return tryToFold(id, provider, () => readBody(provider, unpackBody(body)), moment);
    },
  };
}

/** The event in a body; null if it cannot be parsed, or is not an event. */
function readBody(provider: string, body: Uint8Array): SaleEvent | null {
  const value = parseBody(provider, body);
  return value === undefined ? null : (SALE_PROVIDERS[provider]?.read(value) ?? null);
}

/** The same, read at the first call; a reader that fails does so at each. */
function readOnce(provider: string, body: Uint8Array): () => SaleEvent | null {
  let event: SaleEvent | null | undefined;
  return () => (event ??= readBody(provider, body));
}

/** Null also if the reader throws: folding then meets the same error and keeps the event as failed. */
function tryTo(read: () => SaleEvent | null): SaleEvent | null {
  try {
    return read();
  } catch {
    return null;
  }
}

function reasonToIgnore(event: SaleEvent | null): string | null {
  if (event === null) return 'it is no event that can be read';
  return event.facts.length === 0 ? 'its type says nothing to a stall' : null;
}

function isOfDisk(error: unknown): boolean {
  return isSqliteError(error) && !error.code.startsWith('SQLITE_CONSTRAINT');
}
