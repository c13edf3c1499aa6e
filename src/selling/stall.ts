import type { Http as HttpOf } from '../platform/http/http.ts';
import type { Store as StoreOf } from '../platform/store/store.ts';
import type { Stall as Reading } from '../reading/stall.ts';
import type { createQueue } from '../platform/base/turn.ts';
import type { announcementReads, announcementWrites } from './announcement.sql.ts';
import type { codeReads, codeWrites } from './code.sql.ts';
import type { mailReads, mailWrites } from './mail.sql.ts';
import type { personalDataReads, personalDataWrites } from './personal-data.sql.ts';
import type { orderReads, orderWrites } from './order.sql.ts';
import type { saleReads, saleWrites } from './sale.sql.ts';
import type { subscriberReads, subscriberWrites } from './subscriber.sql.ts';

type Reads = ReturnType<typeof announcementReads> &
  ReturnType<typeof codeReads> &
  ReturnType<typeof mailReads> &
  ReturnType<typeof personalDataReads> &
  ReturnType<typeof orderReads> &
  ReturnType<typeof saleReads> &
  ReturnType<typeof subscriberReads>;
type Writes = ReturnType<typeof announcementWrites> &
  ReturnType<typeof codeWrites> &
  ReturnType<typeof mailWrites> &
  ReturnType<typeof personalDataWrites> &
  ReturnType<typeof orderWrites> &
  ReturnType<typeof saleWrites> &
  ReturnType<typeof subscriberWrites>;

export type Stall = Reading & {
  readonly store: StoreOf<Reads, Writes>;
  readonly countUnknownPurchase: (address: string, name: string) => void;
  /** Imports one list of sales after another, since eight long lists at once took 446 MB. */
  readonly importInTurn: ReturnType<typeof createQueue>;
  readonly waitingEvents: { readonly run: () => Promise<void> };
};

export type Store = Stall['store'];

export type Records = Pick<Stall, 'store' | 'now'>;

export type Http = HttpOf<Stall>;
