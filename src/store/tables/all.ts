import type { Statements } from '../statements.ts';
import { announcementReads, announcementWrites } from './announcements.ts';
import { accountReads, accountSearchReads, accountWrites } from './accounts.ts';
import { claimWrites, codeReads, codeWrites } from './codes.ts';
import {
  downloadReads,
  downloadWrites,
  fetchLogReads,
  fetchLogWrites,
  retentionWrites,
  serverStartReads,
  serverStartWrites,
} from './logs.ts';
import {
  editionReads,
  editionWrites,
  gitCommitReads,
  gitCommitWrites,
  rollbackReads,
  rollbackWrites,
} from './editions.ts';
import { grantImportWrites, grantReads, grantWrites, holderReads } from './grants.ts';
import { activityReads, itemDayReads, itemDayWrites } from './item-days.ts';
import { keyReads, keyWrites } from './keys.ts';
import { knownItemReads, knownItemWrites } from './known-items.ts';
import { linkReads, linkWrites } from './links.ts';
import { mailReads, mailWrites } from './mails.ts';
import { noteReads, noteWrites } from './notes.ts';
import { outboxReads } from './outbox.ts';
import { orderReads, orderWrites } from './orders.ts';
import { passwordReads, passwordWrites, sessionReads, sessionWrites } from './sessions.ts';
import { personalDataReads, personalDataWrites } from './personal-data.ts';
import { readingPlaceReads, readingPlaceWrites } from './reading-places.ts';
import { saleReads, saleWrites } from './sales.ts';
import { skillArchiveReads, skillArchiveWrites } from './skill-archives.ts';
import { auditReads } from './audit-log.ts';

/** Every write there is, by name. Each is whole or not at all; the writer may put several into one commit. */
export function createWrites(db: Statements) {
  return {
    ...accountWrites(db),
    ...keyWrites(db),
    ...skillArchiveWrites(db),
    ...knownItemWrites(db),
    ...editionWrites(db),
    ...rollbackWrites(db),
    ...gitCommitWrites(db),
    ...grantWrites(db),
    ...grantImportWrites(db),
    ...fetchLogWrites(db),
    ...downloadWrites(db),
    ...itemDayWrites(db),
    ...serverStartWrites(db),
    ...personalDataWrites(db),
    ...readingPlaceWrites(db),
    ...noteWrites(db),
    ...retentionWrites(db),
    ...sessionWrites(db),
    ...passwordWrites(db),
    ...linkWrites(db),
    ...claimWrites(db),
    ...mailWrites(db),
    ...announcementWrites(db),
    ...saleWrites(db),
    ...orderWrites(db),
    ...codeWrites(db),
  };
}

export type Writes = ReturnType<typeof createWrites>;

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
    ...noteReads(db),
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
    ...announcementReads(db),
  };
}

export type Reads = ReturnType<typeof createReads>;
