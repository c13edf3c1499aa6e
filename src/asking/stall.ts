import type { Http as HttpOf } from '../platform/http/http.ts';
import type { Store as StoreOf } from '../platform/store/store.ts';
import type { Stall as Reading } from '../reading/stall.ts';
import type { createProofs } from './proof.ts';
import type { createQueue } from '../platform/base/turn.ts';
import type { logReads, logWrites } from './log.sql.ts';
import type { BookVectors } from './book-vectors.ts';
import type { BookIndexes } from './book-indexes.ts';
import type { Engine } from './engines/engine.ts';
import type { ModelQuota } from './model-quota.ts';

type Reads = ReturnType<typeof logReads>;
type Writes = ReturnType<typeof logWrites>;

/** An open stall as asking and all areas above see it: indexes, and an engine that answers. */
export type Stall = Reading & {
  readonly store: StoreOf<Reads, Writes>;
  readonly indexes: BookIndexes;
  readonly vectors: BookVectors;
  /**
   * Runs one search of several books at a time, accounts in turn. Many at once would each take as long as all together, and
   * none might be done before its client gives up.
   */
  readonly searchInTurn: ReturnType<typeof createQueue>;
  readonly engine: Engine;
  readonly modelQuota: ModelQuota;
  readonly proofs: ReturnType<typeof createProofs>;
};

export type Store = Stall['store'];

export type Http = HttpOf<Stall>;
