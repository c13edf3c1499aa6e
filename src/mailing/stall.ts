import type { Store as StoreOf } from '../platform/store/store.ts';
import type { Ground } from '../platform/base/stall.ts';
import type { outboxReads } from './outbox.sql.ts';

type Reads = ReturnType<typeof outboxReads>;
type Writes = object;

export type Stall = Ground & {
  readonly store: StoreOf<Reads, Writes>;
  /**
   * The queue of mails, which go out after the write that queues them. `sends` says whether this stall sends mail itself;
   * `settle` sends what is due, and waits until no mail is being sent.
   */
  readonly outbox: {
    readonly sends: boolean;
    readonly settle: () => Promise<void>;
  };
};
