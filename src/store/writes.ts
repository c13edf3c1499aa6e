import type { Database } from 'bun:sqlite';
import { accountWrites } from './accounts.ts';
import { auditWrites } from './audit-log.ts';
import { downloadWrites } from './downloads.ts';
import { fetchLogWrites } from './fetch-logs.ts';
import { grantWrites } from './grants.ts';
import { keyWrites } from './keys.ts';
import { knownItemWrites } from './known-items.ts';
import { linkWrites } from './links.ts';
import { passwordWrites } from './passwords.ts';
import { personalDataWrites } from './personal-data.ts';
import { retentionWrites } from './retention.ts';
import { serverStartWrites } from './server-starts.ts';
import { sessionWrites } from './sessions.ts';

/** Every write there is, by name. Each is whole or not at all; the writer may put several into one commit. */
export function createWrites(db: Database) {
  return {
    ...accountWrites(db),
    ...keyWrites(db),
    ...knownItemWrites(db),
    ...grantWrites(db),
    ...fetchLogWrites(db),
    ...downloadWrites(db),
    ...serverStartWrites(db),
    ...personalDataWrites(db),
    ...retentionWrites(db),
    ...sessionWrites(db),
    ...passwordWrites(db),
    ...linkWrites(db),
    ...auditWrites(db),
  };
}

export type Writes = ReturnType<typeof createWrites>;
export type WriteName = keyof Writes;
export type WriteArgument<Name extends WriteName> = Parameters<Writes[Name]>[0];
export type WriteResult<Name extends WriteName> = ReturnType<Writes[Name]>;
