import type { Database } from 'bun:sqlite';

/** `served` now, `kept` and can be had, `gone` (its body was deleted), or `withdrawn` by the publisher. */
type EditionState = 'served' | 'kept' | 'gone' | 'withdrawn';

/**
 * An edition as it is first served; `tar` is its tar body's artefact as JSON, `manifest` has the keys of item.yaml that belong
 * to its files, as JSON, null if it was last served by an older version.
 */
export type ServedEdition = {
  readonly kind: 'book' | 'skill';
  readonly itemKey: string;
  readonly digest: string;
  readonly slug: string;
  readonly version: string | null;
  readonly size: number;
  readonly files: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly notes: string | null;
  readonly tar: string;
  readonly tarSize: number;
  readonly manifest: string;
  /** 1 if it was ever served free, else 0. */
  readonly wasFree: 0 | 1;
  /** The paths of changed files, as JSON; null for an item's first edition. */
  readonly changedFiles: string | null;
};

/** `firstServedAt` is in milliseconds since 1970. */
export type KnownEdition = Omit<ServedEdition, 'files' | 'changedFiles'> & {
  readonly firstServedAt: number;
  readonly state: EditionState;
};

/** The details of an edition besides its label: notes and the paths of changed files, as JSON. */
type EditionNews = Pick<ServedEdition, 'notes' | 'changedFiles'>;

/** An edition in a list that anyone may see who sees its item. */
export type DatedEdition = Omit<
  KnownEdition,
  'kind' | 'itemKey' | 'slug' | 'notes' | 'tar' | 'tarSize' | 'manifest' | 'wasFree'
>;

/** An edition with its notes, as a feed tells of it. */
export type NotedEdition = Pick<KnownEdition, 'digest' | 'version' | 'firstServedAt' | 'notes'>;

type EditionTar = { readonly id: number; readonly tar: string; readonly isOver: number };

type OldestKept = Pick<KnownEdition, 'kind' | 'itemKey' | 'digest' | 'slug' | 'version' | 'tar'>;

/** How many editions of an item keep their bodies, the served one included, and how many bytes all superseded ones may take. */
export type KeepLimits = { readonly editions: number; readonly bytes: number };

const COLUMNS = `kind, item_key AS itemKey, digest, slug, version, first_served_at AS firstServedAt, size, added, changed,
  removed, notes, state, tar, tar_size AS tarSize, manifest, was_free AS wasFree`;
const MOST = 100;
/** A publish that is asked for, or runs, serves that edition again. */
const NOT_AWAITED = '(kind, item_key, digest) NOT IN (SELECT kind, item_key, digest FROM rollbacks)';

export function editionReads(db: Database) {
  const ofItem = db.prepare<KnownEdition, [string, string]>(
    `SELECT ${COLUMNS} FROM editions WHERE kind = ? AND item_key = ?
     ORDER BY first_served_at DESC, rowid DESC LIMIT ${MOST}`,
  );
  const dated = db.prepare<DatedEdition, [string, string]>(
    `SELECT digest, version, first_served_at AS firstServedAt, size, added, changed, removed, state FROM editions
     WHERE kind = ? AND item_key = ? AND state <> 'withdrawn' ORDER BY first_served_at DESC, rowid DESC LIMIT ${MOST}`,
  );
  const news = db.prepare<EditionNews, [string, string, string]>(
    'SELECT notes, changed_files AS changedFiles FROM editions WHERE kind = ? AND item_key = ? AND digest = ?',
  );
  const noted = db.prepare<NotedEdition, [string, string, number]>(
    `SELECT digest, version, first_served_at AS firstServedAt, notes FROM editions
     WHERE kind = ? AND item_key = ? AND state <> 'withdrawn' ORDER BY first_served_at DESC, rowid DESC LIMIT ?`,
  );
  const served = db.prepare<KnownEdition, [string, string]>(
    `SELECT ${COLUMNS} FROM editions WHERE kind = ? AND item_key = ? AND state = 'served'`,
  );
  const tars = db.prepare<EditionTar, [number]>(
    `SELECT rowid AS id, tar, state IN ('gone', 'withdrawn') AS isOver FROM editions
     WHERE rowid > ? ORDER BY rowid LIMIT 200`,
  );
  const oldest = db.prepare<OldestKept, [number]>(
    `SELECT kind, item_key AS itemKey, digest, slug, version, tar FROM editions
     WHERE state = 'kept' AND ${NOT_AWAITED}
     ORDER BY first_served_at, rowid LIMIT ?`,
  );
  return {
    /** The tar bodies of all editions after a row, a page of them; `isOver` is 1 for one that is gone or withdrawn. */
    async listEditionTars(after: number): Promise<readonly EditionTar[]> {
      return tars.all(after);
    },
    /** The superseded editions that were first served longest ago, without those that a publish is about to serve again. */
    async listOldestKept(count: number): Promise<readonly OldestKept[]> {
      return oldest.all(count);
    },
    /** The same without withdrawn ones, and without the long texts, for a page that many open. */
    async listDatedEditions(kind: string, itemKey: string): Promise<readonly DatedEdition[]> {
      return dated.all(kind, itemKey);
    },
    /** The same with their notes, at most `count`. */
    async listNotedEditions(kind: string, itemKey: string, count: number): Promise<readonly NotedEdition[]> {
      return noted.all(kind, itemKey, count);
    },
    async findEditionNews(kind: string, itemKey: string, digest: string): Promise<EditionNews | null> {
      return news.get(kind, itemKey, digest);
    },
    /** The editions of an item, newest first, at most a hundred; withdrawn ones too. */
    async listEditions(kind: string, itemKey: string): Promise<readonly KnownEdition[]> {
      return ofItem.all(kind, itemKey);
    },
    /** The edition that an item served last; null if it never served one. */
    async findServedEdition(kind: string, itemKey: string): Promise<KnownEdition | null> {
      return served.get(kind, itemKey);
    },
  };
}

/**
 * Makes the edition its item's served one; every other one that was served is kept from then on. Gives the tar body that
 * it had before, as JSON, or null: one that was renamed has another.
 */
export function editionUpserts(db: Database): (edition: ServedEdition, at: number) => string | null {
  const upsert = db.prepare(
    `INSERT INTO editions (kind, item_key, digest, slug, version, first_served_at, size, added, changed, removed, notes,
       state, tar, tar_size, manifest, changed_files, was_free)
     VALUES ($kind, $itemKey, $digest, $slug, $version, $at, $size, $added, $changed, $removed, $notes, 'served', $tar,
       $tarSize, $manifest, $changedFiles, $wasFree)
     ON CONFLICT DO UPDATE SET slug = excluded.slug, version = excluded.version, notes = excluded.notes,
       state = iif(state = 'withdrawn', state, 'served'),
       tar = excluded.tar, tar_size = excluded.tar_size, manifest = excluded.manifest,
       was_free = max(was_free, excluded.was_free)`,
  );
  const supersede = db.prepare(
    `UPDATE editions SET state = 'kept' WHERE kind = ? AND item_key = ? AND state = 'served' AND digest <> ?`,
  );
  const tarOf = db.prepare<{ tar: string }, [string, string, string]>(
    'SELECT tar FROM editions WHERE kind = ? AND item_key = ? AND digest = ?',
  );
  const isKnown = db.prepare<unknown, [string, string]>(
    'SELECT 1 FROM editions WHERE kind = ? AND item_key = ? LIMIT 1',
  );
  return ({ files, ...edition }, at) => {
    // It was compared with drafts, if there were some, which nobody was served.
    const before = tarOf.get(edition.kind, edition.itemKey, edition.digest)?.tar ?? null;
    const isFirst = isKnown.get(edition.kind, edition.itemKey) === null;
    const first = { added: files, changed: 0, removed: 0, changedFiles: null };
    upsert.run({ ...edition, ...(isFirst ? first : {}), at });
    supersede.run(edition.kind, edition.itemKey, edition.digest);
    return before === edition.tar ? null : before;
  };
}

export function editionWrites(db: Database) {
  const beyondCount = db.prepare<{ tar: string; id: number }, [number]>(
    `SELECT rowid AS id, tar FROM (
       SELECT rowid, kind, item_key, digest, tar, state, row_number() OVER (
         PARTITION BY kind, item_key ORDER BY state = 'served' DESC, first_served_at DESC, rowid DESC) AS place
       FROM editions WHERE state IN ('served', 'kept'))
     WHERE state = 'kept' AND place > ? AND ${NOT_AWAITED}`,
  );
  const beyondBytes = db.prepare<{ tar: string; id: number }, [number]>(
    `SELECT rowid AS id, tar FROM (
       SELECT rowid, kind, item_key, digest, tar, sum(tar_size) OVER (ORDER BY first_served_at DESC, rowid DESC) AS bytes
       FROM editions WHERE state = 'kept')
     WHERE bytes > ? AND ${NOT_AWAITED}`,
  );
  const drop = db.prepare(`UPDATE editions SET state = 'gone' WHERE rowid = ?`);
  const lose = db.prepare(
    `UPDATE editions SET state = 'gone' WHERE kind = ? AND item_key = ? AND digest = ? AND state = 'kept'`,
  );
  const dropAll = (rows: readonly { tar: string; id: number }[]): readonly string[] =>
    rows.map(({ tar, id }) => {
      drop.run(id);
      return tar;
    });
  return {
    /** Marks superseded editions beyond the limits as gone, the oldest first; gives their tar bodies, to be deleted. */
    trimEditions({ editions, bytes }: KeepLimits): readonly string[] {
      return [...dropAll(beyondCount.all(editions)), ...dropAll(beyondBytes.all(bytes))];
    },
    /** Marks a superseded edition as gone, since its body is missing or damaged. */
    loseEdition({ kind, itemKey, digest }: Pick<KnownEdition, 'kind' | 'itemKey' | 'digest'>): void {
      lose.run(kind, itemKey, digest);
    },
  };
}

/** A commit of an item's repository; `number` counts from 1, `body` is the commit as git has it, `at` milliseconds since 1970. */
export type GitCommit = Pick<KnownEdition, 'kind' | 'itemKey' | 'digest'> & {
  readonly number: number;
  readonly tree: string;
  readonly id: string;
  readonly body: string;
  readonly at: number;
};

export function gitCommitReads(db: Database) {
  const newest = db.prepare<GitCommit, [string, string, number]>(
    `SELECT kind, item_key AS itemKey, number, digest, tree, id, body, at FROM git_commits
     WHERE kind = ? AND item_key = ? ORDER BY number DESC LIMIT ?`,
  );
  return {
    /** The last commits of an item's repository, the newest first, at most `most`. */
    async listGitCommits(kind: string, itemKey: string, most: number): Promise<readonly GitCommit[]> {
      return newest.all(kind, itemKey, most);
    },
  };
}

export function gitCommitWrites(db: Database) {
  const insert = db.prepare(
    `INSERT INTO git_commits (kind, item_key, number, digest, tree, id, body, at)
     VALUES ($kind, $itemKey, $number, $digest, $tree, $id, $body, $at)`,
  );
  return {
    /** Adds a commit; throws if the item has one of this number. */
    addGitCommit(commit: GitCommit): void {
      insert.run(commit);
    },
  };
}
