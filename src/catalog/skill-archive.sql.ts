import { sql, type Statements, values } from '../platform/store/statements.ts';
import type { ItemKind } from '../platform/base/principal.ts';

/** `artefact` is JSON; `supersededAt` is null while no newer archive replaced this one. */
export type StoredSkillArchive = {
  readonly name: string;
  readonly kind: ItemKind;
  readonly itemKey: string;
  readonly digest: string;
  readonly sha256: string;
  readonly artefact: string;
  readonly supersededAt: number | null;
};

const COLUMNS = sql`name, kind, item_key AS itemKey, digest, sha256, artefact, superseded_at AS supersededAt`;

export const skillArchiveReads = (db: Statements) => ({
  findSkillArchive: (name: string): StoredSkillArchive | null =>
    db.one<StoredSkillArchive>`SELECT ${COLUMNS} FROM skill_archives WHERE name = ${name}`,
  findSkillArchiveBySha256: (
    sha256: string,
  ): StoredSkillArchive | null => db.one<StoredSkillArchive>`SELECT ${COLUMNS} FROM skill_archives WHERE sha256 = ${sha256}
        ORDER BY superseded_at IS NOT NULL LIMIT 1`,
  listSkillArchives: (): readonly StoredSkillArchive[] =>
    db.all<StoredSkillArchive>`SELECT ${COLUMNS} FROM skill_archives`,
});

type Retirement = {
  readonly superseded: readonly string[];
  readonly forgotten: readonly string[];
  readonly at: number;
};

export const skillArchiveWrites = (db: Statements) => ({
  addSkillArchive(archive: Omit<StoredSkillArchive, 'supersededAt'>): void {
    db.run`INSERT INTO skill_archives ${values(archive)}
        ON CONFLICT DO UPDATE SET sha256 = excluded.sha256, artefact = excluded.artefact, superseded_at = NULL`;
  },
  retireSkillArchives({ superseded, forgotten, at }: Retirement): void {
    for (const name of superseded)
      db.run`UPDATE skill_archives SET superseded_at = ${at} WHERE name = ${name} AND superseded_at IS NULL`;
    for (const name of forgotten) db.run`DELETE FROM skill_archives WHERE name = ${name}`;
  },
});
