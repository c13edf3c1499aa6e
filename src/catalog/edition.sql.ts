import { sql, type Statements, values } from '../platform/store/statements.ts';
import { type Audited, logAct } from '../platform/store/audit-log.sql.ts';
import { claimVersion } from './version.sql.ts';
import type {
  DatedEdition,
  EditionName,
  GitCommit,
  KeepLimits,
  KnownEdition,
  Rollback,
  ServedEdition,
} from './edition.rule.ts';

type EditionNews = Pick<ServedEdition, 'notes' | 'changedFiles'>;

type NamingEdition = Pick<KnownEdition, 'slug' | 'manifest'>;

type NotedEdition = Pick<KnownEdition, 'digest' | 'version' | 'firstServedAt' | 'notes'>;

type EditionTar = { readonly id: number; readonly tar: string; readonly isOver: number };

type OldestKept = Pick<KnownEdition, 'kind' | 'itemKey' | 'digest' | 'slug' | 'version' | 'tar'>;

const COLUMNS = sql`kind, item_key AS itemKey, digest, slug, version, first_served_at AS firstServedAt, size, added,
  changed, removed, notes, state, tar, tar_size AS tarSize, manifest, was_free AS wasFree`;
const MOST_LISTED = 100;
/** Leaves out the editions that rollbacks name: the next publish may serve them again, and needs their archives. */
const NOT_ROLLED_BACK_TO = sql`(kind, item_key, digest) NOT IN (SELECT kind, item_key, digest FROM rollbacks)`;

/**
 * Makes this the edition that its item serves, unless it was withdrawn; the one served before becomes `kept`. If the edition
 * had another archive before, as before a renaming, returns the reference to that archive as JSON; otherwise null.
 */
export function serveEdition(
  db: Statements,
  { files, ...edition }: ServedEdition,
  at: number,
): string | null {
  // In an item's first edition every file counts as added. It may have been compared with drafts, but nobody was served those.
  const { kind, itemKey, digest } = edition;
  const before = db.value<string>`SELECT tar FROM editions
    WHERE kind = ${kind} AND item_key = ${itemKey} AND digest = ${digest}`;
  const isFirst = !db.has`SELECT 1 FROM editions WHERE kind = ${kind} AND item_key = ${itemKey} LIMIT 1`;
  const first = { added: files, changed: 0, removed: 0, changedFiles: null };
  const e = { ...edition, ...(isFirst ? first : {}) };
  db.run`INSERT INTO editions (kind, item_key, digest, slug, version, first_served_at, size, added, changed, removed,
      notes, state, tar, tar_size, manifest, changed_files, was_free)
    VALUES (${kind}, ${itemKey}, ${digest}, ${e.slug}, ${e.version}, ${at}, ${e.size}, ${e.added}, ${e.changed},
      ${e.removed}, ${e.notes}, 'served', ${e.tar}, ${e.tarSize}, ${e.manifest}, ${e.changedFiles}, ${e.wasFree})
    ON CONFLICT DO UPDATE SET slug = excluded.slug, version = excluded.version, notes = excluded.notes,
      state = iif(state = 'withdrawn', state, 'served'),
      tar = excluded.tar, tar_size = excluded.tar_size, manifest = excluded.manifest,
      was_free = max(was_free, excluded.was_free)`;
  db.run`UPDATE editions SET state = 'kept'
    WHERE kind = ${kind} AND item_key = ${itemKey} AND state = 'served' AND digest <> ${digest}`;
  claimVersion(db, e);
  return before === edition.tar ? null : before;
}

export const editionReads = (db: Statements) => ({
  /** Lists the served editions of items that need the item with this slug. */
  listNaming: (slug: string) =>
    db.all<NamingEdition>`SELECT slug, manifest FROM editions WHERE state = 'served'
        AND EXISTS (SELECT 1 FROM json_each(manifest, '$.needs') WHERE value ->> 'slug' = ${slug}) ORDER BY slug`,
  sumKeptEditions: (): { readonly editions: number; readonly bytes: number } =>
    db.one<{ editions: number; bytes: number }>`
        SELECT count(*) AS editions, coalesce(sum(tar_size), 0) AS bytes FROM editions WHERE state = 'kept'`!,
  listRollbacks: () =>
    db.all<Rollback>`SELECT kind, item_key AS itemKey, digest, own_digest AS ownDigest, version,
        tar, manifest FROM rollbacks JOIN editions USING (kind, item_key, digest)`,
  listWithdrawn: () =>
    db.all<EditionName>`SELECT kind, item_key AS itemKey, digest FROM editions
        WHERE state = 'withdrawn'`,
  listEditionTars: (after: number) =>
    db.all<EditionTar>`SELECT rowid AS id, tar, state IN ('gone', 'withdrawn') AS isOver
        FROM editions WHERE rowid > ${after} ORDER BY rowid LIMIT 200`,
  listOldestKept: (count: number) =>
    db.all<OldestKept>`SELECT kind, item_key AS itemKey, digest, slug, version, tar FROM editions
        WHERE state = 'kept' AND ${NOT_ROLLED_BACK_TO} ORDER BY first_served_at, rowid LIMIT ${count}`,
  listDatedEditions: (kind: string, itemKey: string) =>
    db.all<DatedEdition>`SELECT digest, version, first_served_at AS firstServedAt, size, added,
        changed, removed, state FROM editions WHERE kind = ${kind} AND item_key = ${itemKey}
        AND state <> 'withdrawn' ORDER BY first_served_at DESC, rowid DESC LIMIT ${MOST_LISTED}`,
  listNotedEditions: (kind: string, itemKey: string, count: number) =>
    db.all<NotedEdition>`SELECT digest, version, first_served_at AS firstServedAt, notes
        FROM editions WHERE kind = ${kind} AND item_key = ${itemKey} AND state <> 'withdrawn'
        ORDER BY first_served_at DESC, rowid DESC LIMIT ${count}`,
  /**
   * Returns the date from which on a key has signed every edition of an item, in ISO 8601; null if it did not sign the newest.
   */
  findSignedSince: (kind: string, itemKey: string, key: string) =>
    db.value<string>`SELECT min(substr(manifest ->> '$.signature.text', -21, 20)) FROM editions
        WHERE kind = ${kind} AND item_key = ${itemKey} AND manifest ->> '$.signature.key' = ${key}
        AND first_served_at >= ifnull((SELECT max(first_served_at) FROM editions WHERE kind = ${kind}
          AND item_key = ${itemKey} AND manifest ->> '$.signature.key' IS NOT ${key}), 0)`,
  findEditionNews: (kind: string, itemKey: string, digest: string) =>
    db.one<EditionNews>`SELECT notes, changed_files AS changedFiles FROM editions
        WHERE kind = ${kind} AND item_key = ${itemKey} AND digest = ${digest}`,
  listEditions: (kind: string, itemKey: string) =>
    db.all<KnownEdition>`SELECT ${COLUMNS} FROM editions WHERE kind = ${kind}
        AND item_key = ${itemKey} ORDER BY first_served_at DESC, rowid DESC LIMIT ${MOST_LISTED}`,
  listNamedEditions: (kind: string, itemKey: string, name: string) =>
    db.all<KnownEdition>`SELECT ${COLUMNS} FROM editions WHERE kind = ${kind} AND item_key = ${itemKey}
        AND ${name} IN (version, 'sha256:' || digest) ORDER BY first_served_at DESC, rowid DESC`,
  findServedEdition: (kind: string, itemKey: string) =>
    db.one<KnownEdition>`SELECT ${COLUMNS} FROM editions WHERE kind = ${kind}
        AND item_key = ${itemKey} AND state = 'served'`,
  listGitCommits: (kind: string, itemKey: string, most: number) =>
    db.all<GitCommit>`SELECT kind, item_key AS itemKey, number, digest, tree, id, body, at
        FROM git_commits WHERE kind = ${kind} AND item_key = ${itemKey} ORDER BY number DESC LIMIT ${most}`,
});

export function editionWrites(db: Statements) {
  const end = ({ kind, itemKey, digest }: EditionName): void =>
    void db.run`DELETE FROM rollbacks WHERE kind = ${kind} AND item_key = ${itemKey} AND digest = ${digest}`;
  return {
    /**
     * Makes the item serve a superseded edition from the next publish on. Returns false and changes nothing if the edition's
     * archive is not `kept`.
     */
    rollBack({ kind, itemKey, digest, at, audit }: EditionName & Audited & { readonly at: number }): boolean {
      const isKept = db.has`SELECT 1 FROM editions
        WHERE kind = ${kind} AND item_key = ${itemKey} AND digest = ${digest} AND state = 'kept'`;
      if (!isKept) return false;
      db.run`INSERT INTO rollbacks (kind, item_key, digest, at)
        VALUES (${kind}, ${itemKey}, ${digest}, ${at})
        ON CONFLICT DO UPDATE SET digest = excluded.digest, own_digest = NULL, at = excluded.at`;
      logAct(db, audit);
      return true;
    },
    /**
     * Stores the digest of the edition in the item's folder, in place of which a rollback's edition is served. Once the folder
     * has another digest, the rollback ends.
     */
    settleRollback({ kind, itemKey, digest, ownDigest }: EditionName & { readonly ownDigest: string }): void {
      db.run`UPDATE rollbacks SET own_digest = ${ownDigest} WHERE kind = ${kind} AND item_key = ${itemKey}
        AND digest = ${digest} AND own_digest IS NULL`;
    },
    endRollback: end,
    withdrawEdition({ kind, itemKey, digest, audit }: EditionName & Audited): string | null {
      const tar = db.value<string>`UPDATE editions SET state = 'withdrawn' WHERE kind = ${kind}
        AND item_key = ${itemKey} AND digest = ${digest} AND state IN ('kept', 'gone') RETURNING tar`;
      if (tar === null) return null;
      end({ kind, itemKey, digest });
      logAct(db, audit);
      return tar;
    },
    /**
     * Marks superseded editions beyond the limits as gone, the oldest first. Returns the references to their archives, as JSON,
     * for the caller to delete.
     */
    trimEditions({ editions, bytes, installedSince, needed }: KeepLimits): readonly string[] {
      const names = JSON.stringify(needed.map(({ kind, itemKey, digest }) => [kind, itemKey, digest]));
      const beyondCount = sql`SELECT id FROM (
          SELECT rowid AS id, kind, item_key, digest, state, installed_at, row_number() OVER (
            PARTITION BY kind, item_key ORDER BY state = 'served' DESC, first_served_at DESC, rowid DESC) AS place
          FROM editions WHERE state IN ('served', 'kept'))
        WHERE state = 'kept' AND place > ${editions} AND ifnull(installed_at, 0) < ${installedSince} AND ${NOT_ROLLED_BACK_TO}
          AND (kind, item_key, digest) NOT IN (
            SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(${names}))`;
      const beyondBytes = sql`SELECT id FROM (
          SELECT rowid AS id, kind, item_key, digest,
            sum(tar_size) OVER (ORDER BY first_served_at DESC, rowid DESC) AS bytes
          FROM editions WHERE state = 'kept')
        WHERE bytes > ${bytes} AND ${NOT_ROLLED_BACK_TO}`;
      const gone = [beyondCount, beyondBytes].flatMap(
        (ids) =>
          db.all<{ tar: string }>`UPDATE editions SET state = 'gone' WHERE rowid IN (${ids}) RETURNING tar`,
      );
      return gone.map(({ tar }) => tar);
    },
    loseEdition({ kind, itemKey, digest }: Pick<KnownEdition, 'kind' | 'itemKey' | 'digest'>): void {
      db.run`UPDATE editions SET state = 'gone' WHERE kind = ${kind} AND item_key = ${itemKey}
        AND digest = ${digest} AND state = 'kept'`;
    },
    addGitCommit(commit: GitCommit): void {
      db.run`INSERT INTO git_commits ${values(commit)}`;
    },
  };
}
