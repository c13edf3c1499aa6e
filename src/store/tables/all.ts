import type { Statements } from '../statements.ts';
import { announcementReads, announcementWrites } from './announcements.ts';
import { accountReads, accountWrites } from './accounts.ts';
import { codeReads, codeWrites } from './codes.ts';
import { logReads, logWrites } from './logs.ts';
import { editionReads, editionWrites } from './editions.ts';
import { groupReads, groupWrites } from './groups.ts';
import { grantReads, grantWrites } from './grants.ts';
import { itemDayReads, itemDayWrites } from './item-days.ts';
import { keyReads, keyWrites } from './keys.ts';
import { knownItemReads, knownItemWrites } from './known-items.ts';
import { linkReads, linkWrites } from './links.ts';
import { mailReads, mailWrites } from './mails.ts';
import { noteReads, noteWrites } from './notes.ts';
import { outboxReads } from './outbox.ts';
import { orderReads, orderWrites } from './orders.ts';
import { secondStepReads, secondStepWrites } from './second-steps.ts';
import { sessionReads, sessionWrites } from './sessions.ts';
import { publishKeyReads, publishKeyWrites } from './publish-keys.ts';
import { personalDataReads, personalDataWrites } from './personal-data.ts';
import { readingPlaceReads, readingPlaceWrites } from './reading-places.ts';
import { reportReads, reportWrites } from './reports.ts';
import { saleReads, saleWrites } from './sales.ts';
import { subscriberReads, subscriberWrites } from './subscribers.ts';
import { skillArchiveReads, skillArchiveWrites } from './skill-archives.ts';
import { auditReads } from './audit-log.ts';

/** Returns all writes. Each happens whole or not at all; the writer may put several into one transaction. */
export const createWrites = (db: Statements) => ({
  ...accountWrites(db),
  ...keyWrites(db),
  ...publishKeyWrites(db),
  ...skillArchiveWrites(db),
  ...knownItemWrites(db),
  ...editionWrites(db),
  ...grantWrites(db),
  ...groupWrites(db),
  ...logWrites(db),
  ...itemDayWrites(db),
  ...personalDataWrites(db),
  ...readingPlaceWrites(db),
  ...noteWrites(db),
  ...reportWrites(db),
  ...sessionWrites(db),
  ...secondStepWrites(db),
  ...linkWrites(db),
  ...mailWrites(db),
  ...announcementWrites(db),
  ...subscriberWrites(db),
  ...saleWrites(db),
  ...orderWrites(db),
  ...codeWrites(db),
});

export type Writes = ReturnType<typeof createWrites>;

/** Returns all reads of the database. */
export const createReads = (db: Statements) => ({
  ...accountReads(db),
  ...itemDayReads(db),
  ...keyReads(db),
  ...publishKeyReads(db),
  ...skillArchiveReads(db),
  ...knownItemReads(db),
  ...editionReads(db),
  ...grantReads(db),
  ...groupReads(db),
  ...logReads(db),
  ...readingPlaceReads(db),
  ...noteReads(db),
  ...reportReads(db),
  ...personalDataReads(db),
  ...sessionReads(db),
  ...secondStepReads(db),
  ...linkReads(db),
  ...auditReads(db),
  ...orderReads(db),
  ...codeReads(db),
  ...saleReads(db),
  ...outboxReads(db),
  ...mailReads(db),
  ...announcementReads(db),
  ...subscriberReads(db),
});

export type Reads = ReturnType<typeof createReads>;
