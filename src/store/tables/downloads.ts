import type { Database } from 'bun:sqlite';
import { DAY } from '../../duration.ts';
import {
  createLogPages,
  type LogFilter,
  type LogSelection,
  type LogWindow,
  type PageRow,
  when,
} from './log-page.ts';

/** One archive handed out. `door` is the way it was taken: install, zip, …; `bytes` is the archive's length. */
export type Download = {
  readonly id: string;
  readonly accountId: string | null;
  readonly keyId: number | null;
  readonly kind: string;
  readonly itemKey: string;
  readonly slug: string;
  readonly digest: string;
  readonly door: string;
  readonly bytes: number;
  readonly downloadedAt: number;
};

/** The edition of an item that an account took last. */
type LastDownload = Pick<Download, 'kind' | 'itemKey' | 'digest' | 'downloadedAt'>;

export type ListedDownload = Download & { readonly email: string | null };

/** A download as a page of the log shows it. */
export type PagedDownload = Omit<Download, 'downloadedAt'> & PageRow;

/** Selects downloads by item and door too; `kind` null is either. */
export type DownloadSelection = LogSelection & {
  readonly kind: string | null;
  readonly itemKey: string | null;
  readonly door: string | null;
};

/** Downloads of one item by one account since a time, in milliseconds since 1970. */
type OwnDownloads = Pick<Download, 'kind' | 'itemKey' | 'door'> & {
  readonly accountId: string;
  readonly since: number;
};

const COLUMNS = `downloads.id, downloads.account_id AS accountId, key_id AS keyId, kind, item_key AS itemKey, slug, digest, door, bytes`;

/** How many downloads of one account are looked at on its page: an agent may fetch every minute. */
const RECENT = 1000;

export function downloadReads(db: Database) {
  const list = db.prepare<ListedDownload, [string | null, number]>(
    `SELECT ${COLUMNS}, downloaded_at AS downloadedAt, email FROM downloads LEFT JOIN accounts ON accounts.id = account_id
     WHERE (?1 IS NULL OR account_id = ?1) AND downloaded_at >= ?2 ORDER BY downloaded_at, downloads.rowid`,
  );
  // The columns beside max() are those of its row: https://sqlite.org/lang_select.html#bareagg
  const last = db.prepare<LastDownload, [string]>(
    `SELECT kind, item_key AS itemKey, digest, max(downloaded_at) AS downloadedAt FROM (
       SELECT * FROM downloads WHERE account_id = ? ORDER BY downloaded_at DESC LIMIT ${RECENT})
     GROUP BY kind, item_key`,
  );
  const has = db.prepare<{ found: number }, [string, number, string, string, string]>(
    `SELECT EXISTS (SELECT 1 FROM downloads WHERE account_id = ? AND downloaded_at >= ?
       AND kind = ? AND item_key = ? AND door = ?) AS found`,
  );
  const readPage = createLogPages<PagedDownload>(db, {
    table: 'downloads',
    time: 'downloaded_at',
    columns: COLUMNS,
  });
  return {
    /** Downloads since a time, oldest first. */
    async listDownloads(filter: LogFilter): Promise<readonly ListedDownload[]> {
      return list.all(filter.accountId, filter.since);
    },
    /** The last download of each item by an account, among its newest thousand. */
    async listLastDownloads(accountId: string): Promise<readonly LastDownload[]> {
      return last.all(accountId);
    },
    /** whether an account has taken an item in this way since a time. */
    async hasDownload({ accountId, since, kind, itemKey, door }: OwnDownloads): Promise<boolean> {
      return has.get(accountId, since, kind, itemKey, door)?.found === 1;
    },
    /** Downloads in a window of the log, newest first. */
    async listDownloadPage(
      selection: DownloadSelection,
      window: LogWindow,
    ): Promise<readonly PagedDownload[]> {
      const { kind, itemKey, door } = selection;
      return readPage(
        selection,
        [when('kind = ?', kind), when('item_key = ?', itemKey), when('door = ?', door)],
        window,
      );
    },
  };
}

export function downloadWrites(db: Database) {
  const insert = db.prepare(
    `INSERT INTO downloads (id, account_id, key_id, kind, item_key, slug, digest, door, bytes, downloaded_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const count = db.prepare(
    `INSERT INTO download_days (kind, item_key, day, downloads) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET downloads = downloads + excluded.downloads`,
  );
  const findAccount = db.prepare<{ id: string }, [string]>('SELECT id FROM accounts WHERE id = ?');
  return {
    /**
     * Rows as JSON: a list of hundreds of objects costs the sender five times as much as their text. A row of an account
     * that was removed in between names none.
     */
    addDownloads(rows: string): void {
      const downloads = JSON.parse(rows) as readonly Download[];
      const named = new Set(downloads.flatMap(({ accountId }) => accountId ?? []));
      const accounts = new Set([...named].filter((id) => findAccount.get(id) !== null));
      for (const d of downloads) {
        const isThere = d.accountId !== null && accounts.has(d.accountId);
        insert.run(
          d.id,
          isThere ? d.accountId : null,
          isThere ? d.keyId : null,
          d.kind,
          d.itemKey,
          d.slug,
          d.digest,
          d.door,
          d.bytes,
          d.downloadedAt,
        );
      }
      for (const [first, times] of countByItemAndDay(downloads))
        count.run(first.kind, first.itemKey, dayOf(first), times);
    },
  };
}

/** How many of the downloads share item and day, by the first of each. */
function countByItemAndDay(downloads: readonly Download[]): Iterable<readonly [Download, number]> {
  const groups = Map.groupBy(downloads, (d) => `${dayOf(d)} ${d.kind} ${d.itemKey}`);
  return groups.values().map((group) => [group[0]!, group.length] as const);
}

/** Whole days since 1970 UTC. */
function dayOf({ downloadedAt }: Download): number {
  return Math.floor(downloadedAt / DAY);
}
