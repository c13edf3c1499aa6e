import type { FindGrants } from '../access/grant.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Config } from '../config.ts';
import type { StallManifest } from '../item/stall-manifest.ts';
import type { Log } from '../log.ts';
import type { Store } from '../store/store.ts';
import type { Shelf } from './library.ts';
import type { Memo } from './memo.ts';
import type { PageViews } from './page-views.ts';
import type { WindowIndexes } from './window-index.ts';

/** An open stall: what every use case is given. Made by app.ts, closed by it, and passed as the first argument. */
export type Stall = {
  readonly config: Config;
  readonly store: Store;
  /** What is served at this moment. */
  readonly catalog: () => Catalog;
  /** What stall.yaml says at this moment. */
  readonly manifest: () => StallManifest;
  readonly findGrants: FindGrants;
  /** What accounts hold, by account. */
  readonly shelves: Memo<Shelf>;
  readonly windowIndexes: WindowIndexes;
  readonly pageViews: PageViews;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Where readers reach the stall; known once it listens. */
  readonly origin: () => string;
};
