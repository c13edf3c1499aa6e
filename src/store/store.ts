import type { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { accountReads } from './accounts.ts';
import { accountRollReads } from './account-roll.ts';
import { activityReads } from './activity.ts';
import { auditReads } from './audit-log.ts';
import { createCommitCounter } from './commit-counter.ts';
import { openForReading } from './database.ts';
import { downloadReads } from './downloads.ts';
import { fetchLogReads } from './fetch-logs.ts';
import { grantReads } from './grants.ts';
import { keyReads } from './keys.ts';
import { knownItemReads } from './known-items.ts';
import { linkReads } from './links.ts';
import { passwordReads } from './passwords.ts';
import { personalDataReads } from './personal-data.ts';
import { serverStartReads } from './server-starts.ts';
import { sessionReads } from './sessions.ts';
import { openWriteQueue, type Write } from './write-queue.ts';

export type Reads = ReturnType<typeof createReads>;

/** All that is kept of accounts, keys, grants and logs. Reads are synchronous statements behind kept promises; writes go to the Worker. */
export type Store = Reads & {
  readonly write: Write;
  /** Stays the same for as long as no process has written. */
  readonly generation: () => number;
  close(): Promise<void>;
};

/** Opens (and creates) `bookstall.db` in an existing data directory. Refuses what `openForWriting` refuses. */
export async function openStore(dataDirectory: string): Promise<Store> {
  const file = join(dataDirectory, 'bookstall.db');
  const queue = await openWriteQueue(file);
  const db = openForReading(file);
  const commits = createCommitCounter(db);
  let isOpen = true;
  return {
    ...createReads(db),
    async write(name, argument) {
      const result = await queue.write(name, argument);
      if (isOpen) commits.look();
      return result;
    },
    generation: commits.count,
    async close() {
      isOpen = false;
      db.close();
      await queue.close();
    },
  };
}

function createReads(db: Database) {
  return {
    ...accountReads(db),
    ...accountRollReads(db),
    ...activityReads(db),
    ...keyReads(db),
    ...knownItemReads(db),
    ...grantReads(db),
    ...fetchLogReads(db),
    ...downloadReads(db),
    ...serverStartReads(db),
    ...personalDataReads(db),
    ...sessionReads(db),
    ...passwordReads(db),
    ...linkReads(db),
    ...auditReads(db),
  };
}
