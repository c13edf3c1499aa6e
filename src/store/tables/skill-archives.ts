import type { Database } from 'bun:sqlite';

/** An archive of an item as a skill; `artefact` is JSON, `supersededAt` in milliseconds since 1970, null while it is the item's own. */
export type StoredSkillArchive = {
  readonly name: string;
  readonly kind: 'book' | 'skill';
  readonly itemKey: string;
  readonly digest: string;
  readonly sha256: string;
  readonly artefact: string;
  readonly supersededAt: number | null;
};

const COLUMNS = 'name, kind, item_key AS itemKey, digest, sha256, artefact, superseded_at AS supersededAt';

export function skillArchiveReads(db: Database) {
  const byName = db.prepare<StoredSkillArchive, [string]>(
    `SELECT ${COLUMNS} FROM skill_archives WHERE name = ?`,
  );
  const bySha256 = db.prepare<StoredSkillArchive, [string]>(
    `SELECT ${COLUMNS} FROM skill_archives WHERE sha256 = ? ORDER BY superseded_at IS NOT NULL LIMIT 1`,
  );
  const all = db.prepare<StoredSkillArchive, []>(`SELECT ${COLUMNS} FROM skill_archives`);
  return {
    findSkillArchive(name: string): StoredSkillArchive | null {
      return byName.get(name);
    },
    findSkillArchiveBySha256(sha256: string): StoredSkillArchive | null {
      return bySha256.get(sha256);
    },
    listSkillArchives(): readonly StoredSkillArchive[] {
      return all.all();
    },
  };
}

export function skillArchiveWrites(db: Database) {
  const upsert = db.prepare(
    `INSERT INTO skill_archives (name, kind, item_key, digest, sha256, artefact)
     VALUES ($name, $kind, $itemKey, $digest, $sha256, $artefact)
     ON CONFLICT DO UPDATE SET sha256 = excluded.sha256, artefact = excluded.artefact, superseded_at = NULL`,
  );
  const supersede = db.prepare(
    'UPDATE skill_archives SET superseded_at = ? WHERE name = ? AND superseded_at IS NULL',
  );
  const forget = db.prepare('DELETE FROM skill_archives WHERE name = ?');
  return {
    addSkillArchive(archive: Omit<StoredSkillArchive, 'supersededAt'>): void {
      upsert.run(archive);
    },
    /** Notes which archives are no longer their items' own, and forgets others. */
    retireSkillArchives({
      superseded,
      forgotten,
      at,
    }: {
      readonly superseded: readonly string[];
      readonly forgotten: readonly string[];
      readonly at: number;
    }): void {
      for (const name of superseded) supersede.run(at, name);
      for (const name of forgotten) forget.run(name);
    },
  };
}
