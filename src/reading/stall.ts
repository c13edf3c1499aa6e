import type { Http as HttpOf } from '../platform/http/http.ts';
import type { Store as StoreOf } from '../platform/store/store.ts';
import type { Stall as Accounts } from '../accounts/stall.ts';
import type { createNoteTurns } from './note.ts';
import type { devicePlaceReads, devicePlaceWrites } from './device-place.sql.ts';
import type { noteReads, noteWrites } from './note.sql.ts';
import type { readingPlaceReads, readingPlaceWrites } from './reading-place.sql.ts';
import type { reportReads, reportWrites } from './report.sql.ts';
import type { Epubs } from './epubs.ts';
import type { ReadingPages } from './reading-pages.ts';
import type { ReadingPlaces } from './reading-place.ts';

type Reads = ReturnType<typeof noteReads> &
  ReturnType<typeof devicePlaceReads> &
  ReturnType<typeof readingPlaceReads> &
  ReturnType<typeof reportReads>;
type Writes = ReturnType<typeof noteWrites> &
  ReturnType<typeof devicePlaceWrites> &
  ReturnType<typeof readingPlaceWrites> &
  ReturnType<typeof reportWrites>;

export type Stall = Accounts & {
  readonly store: StoreOf<Reads, Writes>;
  readonly pages: ReadingPages;
  readonly readingPlaces: ReadingPlaces;
  readonly noteTurns: ReturnType<typeof createNoteTurns>;
  readonly epubs: Epubs;
  readonly wasRefunded: (accountId: string, itemKey: string) => boolean;
};

export type Store = Stall['store'];

export type Http = HttpOf<Stall>;
