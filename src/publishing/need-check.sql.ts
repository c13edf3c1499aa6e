import { knownItemReads } from '../catalog/known-item.sql.ts';
import { versionReads } from '../catalog/version.sql.ts';
import type { Statements } from '../platform/store/statements.ts';

export const earlierReads = (db: Statements) => ({ ...knownItemReads(db), ...versionReads(db) });
