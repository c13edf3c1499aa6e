import type { Statements } from './platform/store/statements.ts';
import { saleFollowers, tellHolders } from './selling/account-follow-up.sql.ts';
import { announcementReads, announcementWrites } from './selling/announcement.sql.ts';
import { accountReads, accountWrites } from './accounts/account.sql.ts';
import { codeReads, codeWrites } from './selling/code.sql.ts';
import { logReads, logWrites } from './asking/log.sql.ts';
import { editionReads, editionWrites } from './catalog/edition.sql.ts';
import { groupReads, groupWrites } from './accounts/group.sql.ts';
import { grantReads, grantWrites } from './accounts/grant.sql.ts';
import { versionReads, versionWrites } from './catalog/version.sql.ts';
import { itemDayReads, itemDayWrites } from './catalog/item-day.sql.ts';
import { connectionReads, connectionWrites } from './accounts/connection.sql.ts';
import { deviceKeyReads, deviceKeyWrites } from './accounts/device-key.sql.ts';
import { devicePlaceReads, devicePlaceWrites } from './reading/device-place.sql.ts';
import { keyReads, keyWrites } from './accounts/key.sql.ts';
import { knownItemReads, knownItemWrites } from './catalog/known-item.sql.ts';
import { linkReads, linkWrites } from './accounts/one-time-link.sql.ts';
import { mailReads, mailWrites } from './selling/mail.sql.ts';
import { noteReads, noteWrites } from './reading/note.sql.ts';
import { outboxReads } from './mailing/outbox.sql.ts';
import { orderReads, orderWrites } from './selling/order.sql.ts';
import { secondStepReads, secondStepWrites } from './accounts/second-step.sql.ts';
import { sessionReads, sessionWrites } from './accounts/session.sql.ts';
import { publishKeyReads, publishKeyWrites } from './publishing/publish-key.sql.ts';
import { personalDataReads, personalDataWrites } from './selling/personal-data.sql.ts';
import { readingPlaceReads, readingPlaceWrites } from './reading/reading-place.sql.ts';
import { reportReads, reportWrites } from './reading/report.sql.ts';
import { saleReads, saleWrites } from './selling/sale.sql.ts';
import { subscriberReads, subscriberWrites } from './selling/subscriber.sql.ts';
import { skillArchiveReads, skillArchiveWrites } from './catalog/skill-archive.sql.ts';
import { auditReads, auditWrites } from './platform/store/audit-log.sql.ts';
import { settingReads, settingWrites } from './platform/store/setting.sql.ts';

/** Returns all writes. Each happens whole or not at all; the writer may put several into one transaction. */
export function createWrites(db: Statements) {
  const follow = saleFollowers(db);
  return {
    ...accountWrites(db, follow),
    ...keyWrites(db),
    ...connectionWrites(db),
    ...deviceKeyWrites(db),
    ...devicePlaceWrites(db),
    ...publishKeyWrites(db),
    ...skillArchiveWrites(db),
    ...knownItemWrites(db, (item, at) => tellHolders(db, item, at)),
    ...editionWrites(db),
    ...versionWrites(db),
    ...grantWrites(db, follow),
    ...groupWrites(db),
    ...logWrites(db),
    ...itemDayWrites(db),
    ...personalDataWrites(db),
    ...readingPlaceWrites(db),
    ...noteWrites(db),
    ...reportWrites(db),
    ...sessionWrites(db),
    ...secondStepWrites(db),
    ...linkWrites(db, follow),
    ...mailWrites(db),
    ...announcementWrites(db),
    ...subscriberWrites(db),
    ...saleWrites(db),
    ...orderWrites(db),
    ...codeWrites(db),
    ...settingWrites(db),
    ...auditWrites(db),
  };
}

export type Writes = ReturnType<typeof createWrites>;

export const createReads = (db: Statements) => ({
  ...accountReads(db),
  ...itemDayReads(db),
  ...keyReads(db),
  ...connectionReads(db),
  ...deviceKeyReads(db),
  ...devicePlaceReads(db),
  ...publishKeyReads(db),
  ...skillArchiveReads(db),
  ...knownItemReads(db),
  ...editionReads(db),
  ...versionReads(db),
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
  ...settingReads(db),
});

export type Reads = ReturnType<typeof createReads>;
