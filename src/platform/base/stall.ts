import type { Config } from '../config/config.ts';
import type { auditReads, auditWrites } from '../store/audit-log.sql.ts';
import type { settingReads, settingWrites } from '../store/setting.sql.ts';
import type { Settings } from '../store/settings.ts';
import type { Store } from '../store/store.ts';
import type { Log } from './log.ts';

/** The part of an open stall that every area needs. An area adds its own parts in its `stall.ts`. */
export type Ground = {
  readonly config: Config;
  readonly store: Store<
    ReturnType<typeof auditReads> & ReturnType<typeof settingReads>,
    ReturnType<typeof settingWrites> & ReturnType<typeof auditWrites>
  >;
  readonly settings: Settings;
  readonly serverStartId: string;
  readonly isServed: () => boolean;
  readonly log: Log;
  /** In milliseconds since 1970. */
  readonly now: () => number;
  /** Returns the stall's address for readers, without a path. Known once the server listens. */
  readonly origin: () => string;
};

export type Records = Pick<Ground, 'store' | 'now'>;
