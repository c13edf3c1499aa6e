import type { Statements } from '../platform/store/statements.ts';
import type { ServedEdition } from './edition.rule.ts';
import type { KnownVersion } from './version.rule.ts';

/** Gives a version to the edition that is served under it, for good, unless another edition was served under it before. */
export function claimVersion(
  db: Statements,
  { kind, itemKey, version, digest, staysVersion }: Omit<ServedEdition, 'files'>,
): void {
  if (staysVersion)
    db.run`INSERT OR IGNORE INTO item_versions (kind, item_key, version, digest)
      VALUES (${kind}, ${itemKey}, ${version}, ${digest})`;
}

export const versionReads = (db: Statements) => ({
  /** Lists an item's versions that stay, in the order of their editions' first serving; also withdrawn ones. */
  listVersions: (kind: string, itemKey: string) =>
    db.all<KnownVersion>`SELECT item_versions.version, digest, state, first_served_at AS firstServedAt
        FROM item_versions JOIN editions USING (kind, item_key, digest)
        WHERE kind = ${kind} AND item_key = ${itemKey} ORDER BY first_served_at, editions.rowid`,
  /** Finds the digest of the edition that has a version of an item for good; null if the version is free. */
  findVersion: (kind: string, itemKey: string, version: string) =>
    db.value<string>`SELECT digest FROM item_versions
        WHERE kind = ${kind} AND item_key = ${itemKey} AND version = ${version}`,
});
