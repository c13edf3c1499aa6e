import type { Backups } from './chores.ts';
import type { Http as HttpOf } from '../platform/http/http.ts';
import type { Stall as Publishing } from '../publishing/stall.ts';
import type { Stall as Shop } from '../shop/stall.ts';
import type { Stall as Agents } from '../agents/stall.ts';

/** An open stall as its owner sees it: all of it. */
export type Stall = Publishing & Shop & Agents & { readonly backups: Backups };

/** The database, as far as this area and lower ones know it. */
export type Store = Stall['store'];

/** The part of a stall that most commands have too: its database, and the time. */
type Records = Pick<Stall, 'store' | 'now'>;

/** Everything on which the routes of this area depend. */
export type Http = HttpOf<Stall>;

/** The part of a stall with its database, the time and the data directory. */
export type Data = Records & { readonly config: { readonly data: string } };
