import initial from '../migrations/001-initial.sql' with { type: 'text' };
import namelessQuestions from '../migrations/002-nameless-questions.sql' with { type: 'text' };
import auditLog from '../migrations/003-audit-log.sql' with { type: 'text' };
import shownItems from '../migrations/004-shown-items.sql' with { type: 'text' };
import downloadDays from '../migrations/005-download-days.sql' with { type: 'text' };
import auditVia from '../migrations/006-audit-via.sql' with { type: 'text' };
import editions from '../migrations/007-editions.sql' with { type: 'text' };
import readingPlaces from '../migrations/008-reading-places.sql' with { type: 'text' };
import questionDoor from '../migrations/009-question-door.sql' with { type: 'text' };
import rollbacks from '../migrations/010-rollbacks.sql' with { type: 'text' };
import tokens from '../migrations/011-tokens.sql' with { type: 'text' };
import itemDays from '../migrations/012-item-days.sql' with { type: 'text' };
import changedFiles from '../migrations/013-changed-files.sql' with { type: 'text' };
import skillArchives from '../migrations/014-skill-archives.sql' with { type: 'text' };
import gitCommits from '../migrations/015-git-commits.sql' with { type: 'text' };
import formerSlugs from '../migrations/016-former-slugs.sql' with { type: 'text' };
import sales from '../migrations/017-sales.sql' with { type: 'text' };
import saleUpkeep from '../migrations/018-sale-upkeep.sql' with { type: 'text' };
import freeEditions from '../migrations/019-free-editions.sql' with { type: 'text' };

/** Every migration in order, append-only: the schema's version is how many were applied. */
export const migrations: readonly string[] = [
  initial,
  namelessQuestions,
  auditLog,
  shownItems,
  downloadDays,
  auditVia,
  editions,
  readingPlaces,
  questionDoor,
  rollbacks,
  tokens,
  itemDays,
  changedFiles,
  skillArchives,
  gitCommits,
  formerSlugs,
  sales,
  saleUpkeep,
  freeEditions,
];
