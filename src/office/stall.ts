import type { Backups } from './chores.ts';
import type { Http as HttpOf } from '../platform/http/http.ts';
import type { Stall as Publishing } from '../publishing/stall.ts';
import type { Stall as Shop } from '../shop/stall.ts';
import type { Stall as Agents } from '../agents/stall.ts';

export type Stall = Publishing & Shop & Agents & { readonly backups: Backups };

export type Store = Stall['store'];

export type Http = HttpOf<Stall>;
