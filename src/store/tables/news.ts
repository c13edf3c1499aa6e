import type { Database } from 'bun:sqlite';

/** An account whose holder asked for news by mail; `since` is the last news it got, or when it asked. */
export type NewsReader = { readonly accountId: string; readonly email: string; readonly since: number };

export function newsReads(db: Database) {
  // Only verified addresses: anyone could tick the box under another's address.
  const readers = db.prepare<NewsReader & { readonly last: number | null }, [number]>(
    `SELECT id AS accountId, email, max(news_since, coalesce(last, 0)) AS since, last FROM accounts
     LEFT JOIN (SELECT account_id, max(created_at) AS last FROM outbox WHERE kind = 'news' GROUP BY account_id)
       ON account_id = id
     WHERE news_since IS NOT NULL AND verified_at IS NOT NULL AND disabled_at IS NULL
       AND (last IS NULL OR last <= ?) ORDER BY accounts.rowid`,
  );
  const since = db.prepare<{ newsSince: number | null }, [string]>(
    'SELECT news_since AS newsSince FROM accounts WHERE id = ?',
  );
  return {
    /** Those who may get news by mail now: their last was at this time or earlier. */
    async listNewsReaders(lastBefore: number): Promise<readonly NewsReader[]> {
      return readers
        .all(lastBefore)
        .map(({ accountId, email, since: from }) => ({ accountId, email, since: from }));
    },
    /** When an account's holder asked for news by mail; null if they do not want it. */
    async findNewsSince(accountId: string): Promise<number | null> {
      return since.get(accountId)?.newsSince ?? null;
    },
  };
}

export function newsWrites(db: Database) {
  const set = db.prepare(
    'UPDATE accounts SET news_since = CASE WHEN ?1 IS NULL THEN NULL ELSE coalesce(news_since, ?1) END WHERE id = ?2',
  );
  // Also once it was used, and after the account's other links ended: a mail program may send it twice.
  const end = db.prepare(
    `UPDATE accounts SET news_since = NULL WHERE id =
       (SELECT account_id FROM links WHERE secret_hash = ? AND purpose = 'unsubscribe' AND expires_at > ?)`,
  );
  return {
    /** Notes when an account's holder asked for news by mail; null ends it. */
    setNews({ accountId, at }: { readonly accountId: string; readonly at: number | null }): void {
      set.run(at, accountId);
    },
    /** Ends the news of the account whose mail has this link; false if there is no such link. */
    endNews({ secretHash, at }: { readonly secretHash: Uint8Array; readonly at: number }): boolean {
      return end.run(secretHash, at).changes === 1;
    },
  };
}
