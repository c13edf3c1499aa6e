import type { Http as HttpOf } from '../platform/http/http.ts';
import type { Store as StoreOf } from '../platform/store/store.ts';
import type { Stall as Publishing } from '../publishing/stall.ts';
import type { Stall as Shop } from '../shop/stall.ts';
import type { Stall as Agents } from '../agents/stall.ts';
import type { personalDataReads, personalDataWrites } from './personal-data.sql.ts';

type Reads = ReturnType<typeof personalDataReads>;
type Writes = ReturnType<typeof personalDataWrites>;

/** An open stall as its owner sees it: all of it. */
export type Stall = Publishing &
  Shop &
  Agents & {
    readonly store: StoreOf<Reads, Writes>;
  };

/** The database, as far as this area and lower ones know it. */
export type Store = Stall['store'];

/** The part of a stall that most commands have too: its database, and the time. */
export type Records = Pick<Stall, 'store' | 'now'>;

/** Everything on which the routes of this area depend. */
export type Http = HttpOf<Stall>;

/** The part of a stall with its database, the time and the data directory. */
export type Data = Records & { readonly config: { readonly data: string } };
