import type { CompilePool } from '../../catalog/compile-pool.ts';
import type { Edition } from '../../catalog/edition.ts';
import type { RefreshJob } from '../../catalog/refresh-job.ts';
import type { ItemFolder } from '../../catalog/scan.ts';
import type { Store } from '../../store/store.ts';
import type { MakeRoom } from './disk-room.ts';
import type { RestoredEditions } from './earlier-editions.ts';
import type { EditionHistory } from './edition-history.ts';
import type { ServedStall } from './served.ts';

/** Told of each item that is done. */
export type Progress = (done: number, all: number) => void;

/** What every step from a content directory to a catalog is given. Made by publish.ts. */
export type Publishing = {
  readonly content: string;
  readonly dataDirectory: string;
  readonly pool: CompilePool;
  readonly store: Store;
  readonly stall: ServedStall;
  readonly history: EditionHistory;
  readonly restored: RestoredEditions;
  readonly makeRoom: MakeRoom;
  readonly jobOf: (item: ItemFolder, previous: Edition | null) => RefreshJob;
  readonly onProgress: Progress;
  /** Whether requests wait for the first pass; it then leaves outdated editions to a second one. */
  readonly isServer: boolean;
  /** A database that cannot be written keeps no item from being served; what was not written waits for the next pass. */
  readonly onStorageFault: (cause: unknown) => void;
  readonly now: () => number;
};
