import { knownItemReads } from '../catalog/known-item.sql.ts';
import { versionReads } from '../catalog/version.sql.ts';
import type { Statements } from '../platform/store/statements.ts';

/** Reads from the database of a stall what the needs of items are judged by. */
export const earlierReads = (db: Statements) => ({ ...knownItemReads(db), ...versionReads(db) });
