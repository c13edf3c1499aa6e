import type { Database } from 'bun:sqlite';
import type { Fact } from '../../sales/fact.ts';
import { sha256 } from '../../sha256.ts';
import { loadZlib } from '../../zlib.ts';
import { hideFact, hideId } from './sale-facts.ts';

/** A stored event. `reason` says why it is not folded. */
export type EventState = 'folded' | 'ignored' | 'failed' | 'waiting';

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
export function bodyId(body: Uint8Array): string {
  return `body:${sha256(body)}`;
}

/** An event that waits for an answer; times are milliseconds since 1970 UTC. */
export type WaitingEvent = StoredBody & { readonly tries: number; readonly receivedAt: number };

export function waitingEventReads(db: Database) {
  const due = db.prepare<WaitingEvent, [number, number]>(
    `SELECT id, provider, body, tries, received_at AS receivedAt FROM sale_events
     WHERE state = 'waiting' AND next_at <= ? AND body IS NOT NULL ORDER BY next_at, id LIMIT ?`,
  );
  return {
    /** Waiting events that are due to be asked about, at most so many. */
    async listWaitingEvents(at: number, most: number): Promise<readonly WaitingEvent[]> {
      return due.all(at, most).map((event) => ({ ...event, body: unpackBody(event.body) }));
    },
  };
}
