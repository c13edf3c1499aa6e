import type { Statements } from '../platform/store/statements.ts';
import type { ServedEdition } from './edition.rule.ts';
import type { KnownTag, KnownVersion, NewTag } from './version.rule.ts';

/** Gives the edition its version for good, if the version may stay and no other edition was served under it before. */
export function claimVersion(
  db: Statements,
  { kind, itemKey, version, digest, staysVersion }: Omit<ServedEdition, 'files'>,
): void {
  if (staysVersion)
    db.run`INSERT OR IGNORE INTO item_versions (kind, item_key, version, digest)
      VALUES (${kind}, ${itemKey}, ${version}, ${digest})`;
}

export const versionReads = (db: Statements) => ({
  /**
   * Lists the versions that an item's editions have for good, withdrawn editions included, in the order in which the editions
   * were first served.
   */
  listVersions: (kind: string, itemKey: string) =>
    db.all<KnownVersion>`SELECT item_versions.version, digest, state, first_served_at AS firstServedAt, manifest
        FROM item_versions JOIN editions USING (kind, item_key, digest)
        WHERE kind = ${kind} AND item_key = ${itemKey} ORDER BY first_served_at, editions.rowid`,
  /** Finds the digest of the edition that has this version of the item for good; null if no edition has it. */
  findVersion: (kind: string, itemKey: string, version: string) =>
    db.value<string>`SELECT digest FROM item_versions
        WHERE kind = ${kind} AND item_key = ${itemKey} AND version = ${version}`,
  /**
   * Returns when this edition was first served, in milliseconds since 1970, if it has the version for good and the version has
   * no commit for a git tag yet; otherwise null.
   */
  findUntagged: (kind: string, itemKey: string, version: string, digest: string) =>
    db.value<number>`SELECT first_served_at FROM item_versions JOIN editions USING (kind, item_key, digest)
        WHERE kind = ${kind} AND item_key = ${itemKey} AND item_versions.version = ${version}
          AND digest = ${digest} AND commit_id IS NULL`,
  /**
   * Lists the git tags under the slug that the item has today, without those of editions whose archive was deleted or
   * withdrawn.
   */
  listTags: (kind: string, itemKey: string, slug: string) =>
    db.all<KnownTag>`SELECT item_versions.slug || '--v' || item_versions.version AS name, commit_id AS id,
          commit_body AS body, texts, digest, was_free AS wasFree
        FROM item_versions JOIN editions USING (kind, item_key, digest)
        WHERE kind = ${kind} AND item_key = ${itemKey} AND item_versions.slug = ${slug}
          AND state IN ('served', 'kept') ORDER BY name`,
});

export const versionWrites = (db: Statements) => ({
  /** Stores the commits of git tags. A version that already has a commit keeps it. */
  tagVersions(tags: readonly NewTag[]): void {
    for (const { kind, itemKey, version, slug, id, body, texts } of tags)
      db.run`UPDATE item_versions SET slug = ${slug}, commit_id = ${id}, commit_body = ${body}, texts = ${texts}
        WHERE kind = ${kind} AND item_key = ${itemKey} AND version = ${version} AND commit_id IS NULL`;
  },
});
