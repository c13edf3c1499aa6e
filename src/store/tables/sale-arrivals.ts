import type { Database } from 'bun:sqlite';
import { messageOf } from '../../refusal.ts';
import type { SaleEvent } from '../../sales/provider.ts';
import { isTestSale } from '../../sales/order-references.ts';
import { parseBody, questionOf, SALE_PROVIDERS } from '../../sales/providers.ts';
import { isSqliteError } from '../copy/verify-database.ts';
import { type FoldMoment, type OrderFolds } from './order-folds.ts';
import {
  bodyId,
  type EventState,
  saleEventInserts,
  saleFactInserts,
  type StoredBody,
  unpackBody,
} from './sale-events.ts';

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
