import type { Store as StoreOf } from '../platform/store/store.ts';
import type { Ground } from '../platform/base/stall.ts';
import type { outboxReads } from './outbox.sql.ts';

type Reads = ReturnType<typeof outboxReads>;
type Writes = object;

export type Stall = Ground & {
  readonly store: StoreOf<Reads, Writes>;
  /**
   * The queue of mails. `sends` says whether this stall sends mail itself; `wake` starts to send due mails; `settle`
   * waits until none is being sent.
   */
  readonly outbox: {
    readonly sends: boolean;
    readonly wake: () => void;
    readonly settle: () => Promise<void>;
  };
};
