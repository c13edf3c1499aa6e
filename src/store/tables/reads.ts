import type { Statements } from '../statements.ts';
import { accountReads, accountSearchReads } from './accounts.ts';
import { activityReads, itemDayReads } from './item-days.ts';
import { auditReads } from './audit-log.ts';
import { codeReads } from './codes.ts';
import { downloadReads, fetchLogReads, serverStartReads } from './logs.ts';
import { editionReads, gitCommitReads } from './editions.ts';
import { grantReads, holderReads } from './grants.ts';
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
import { saleReads } from './sales.ts';
import { skillArchiveReads } from './skill-archives.ts';

/** Every read there is. */
export function createReads(db: Statements) {
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
