import type { Database } from 'bun:sqlite';
import { accountReads } from './accounts.ts';
import { accountSearchReads } from './account-search.ts';
import { activityReads } from './activity.ts';
import { auditReads } from './audit-log.ts';
import { codeReads } from './codes.ts';
import { downloadReads, fetchLogReads } from './logs.ts';
import { editionReads } from './editions.ts';
import { gitCommitReads } from './git-commits.ts';
import { grantReads, holderReads } from './grants.ts';
import { itemDayReads } from './item-days.ts';
import { keyReads } from './keys.ts';
import { knownItemReads } from './known-items.ts';
import { linkReads } from './links.ts';
import { mailReads } from './mails.ts';
import { orderReads } from './orders.ts';
import { outboxReads } from './outbox.ts';
import { passwordReads, sessionReads } from './sessions.ts';
import { personalDataReads } from './personal-data.ts';
import { readingPlaceReads } from './reading-places.ts';
import { rollbackReads } from './rollbacks.ts';
import { serverStartReads } from './server-starts.ts';
import { saleReads } from './sale-reads.ts';
import { skillArchiveReads } from './skill-archives.ts';

/** Every read there is. */
export function createReads(db: Database) {
  return {
    ...accountReads(db),
    ...accountSearchReads(db),
    ...activityReads(db),
    ...itemDayReads(db),
    ...keyReads(db),
    ...skillArchiveReads(db),
    ...knownItemReads(db),
    ...editionReads(db),
    ...rollbackReads(db),
    ...gitCommitReads(db),
    ...grantReads(db),
    ...holderReads(db),
    ...fetchLogReads(db),
    ...downloadReads(db),
    ...readingPlaceReads(db),
    ...serverStartReads(db),
    ...personalDataReads(db),
    ...sessionReads(db),
    ...passwordReads(db),
    ...linkReads(db),
    ...auditReads(db),
    ...orderReads(db),
    ...codeReads(db),
    ...saleReads(db),
    ...outboxReads(db),
    ...mailReads(db),
  };
}

export type Reads = ReturnType<typeof createReads>;
