import type { Statements } from './statements.ts';
import { accountWrites } from './tables/accounts.ts';
import { claimWrites } from './tables/claims.ts';
import { codeWrites } from './tables/codes.ts';
import { downloadWrites, fetchLogWrites, retentionWrites, serverStartWrites } from './tables/logs.ts';
import { editionWrites, gitCommitWrites } from './tables/editions.ts';
import { grantImportWrites, grantWrites } from './tables/grants.ts';
import { itemDayWrites } from './tables/item-days.ts';
import { keyWrites } from './tables/keys.ts';
import { knownItemWrites } from './tables/known-items.ts';
import { linkWrites } from './tables/links.ts';
import { mailWrites } from './tables/mails.ts';
import { orderWrites } from './tables/orders.ts';
import { passwordWrites, sessionWrites } from './tables/sessions.ts';
import { personalDataWrites } from './tables/personal-data.ts';
import { readingPlaceWrites } from './tables/reading-places.ts';
import { rollbackWrites } from './tables/rollbacks.ts';
import { saleWrites } from './tables/sales.ts';
import { skillArchiveWrites } from './tables/skill-archives.ts';

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
    ...retentionWrites(db),
    ...sessionWrites(db),
    ...passwordWrites(db),
    ...linkWrites(db),
    ...claimWrites(db),
    ...mailWrites(db),
    ...saleWrites(db),
    ...orderWrites(db),
    ...codeWrites(db),
  };
}

export type Writes = ReturnType<typeof createWrites>;
