import { query, type Sql, sql, type Statements, values } from '../platform/store/statements.ts';
import { type Grant, liveGrant } from './grant.rule.ts';
import { type Account, accountWrites } from './account.sql.ts';
import { type Audited, logAct } from '../platform/store/audit-log.sql.ts';
import { groupWrites, type Membership } from './group.sql.ts';
import { linkWrites } from './one-time-link.sql.ts';
import type { NewLink } from './one-time-link-row.sql.ts';
import { type LogPlace, type LogWindow, readPage } from '../platform/store/paging.ts';
import type { AccountFollowers } from './account-follow-up.rule.ts';

export type ListedGrant = Grant & { readonly email: string; readonly slug: string };

type Revocation = Pick<Grant, 'accountId' | 'kind' | 'itemKey'> & {
  /** The source to revoke; null revokes those of every source. */
  readonly source: string | null;
  readonly at: number;
};

export type NewGrant = Omit<Grant, 'revokedAt' | 'waits'>;

const COLUMNS = sql`account_id AS accountId, grants.kind, grants.item_key AS itemKey, source, granted_at AS grantedAt,
  starts_at AS "from", ends_at AS "until", revoked_at AS revokedAt, waits`;
const LISTED = sql`SELECT ${COLUMNS}, email, slug FROM all_grants AS grants JOIN accounts ON accounts.id = account_id
  JOIN known_items ON known_items.kind = grants.kind AND known_items.item_key = grants.item_key`;

export function upsertGrant(db: Statements, grant: NewGrant): void {
  const { from, until, ...row } = grant;
  db.run`INSERT INTO grants ${values({ ...row, startsAt: from, endsAt: until })}
    ON CONFLICT (account_id, kind, item_key, source) DO UPDATE SET
      granted_at = CASE WHEN revoked_at IS NULL THEN granted_at ELSE excluded.granted_at END,
      starts_at = excluded.starts_at, ends_at = excluded.ends_at, revoked_at = NULL`;
}

export function grantWrites(db: Statements, follow: AccountFollowers) {
  /**
   * Revokes the orders that gave an account an item, and returns how many. If only their grants were revoked, the order's
   * next computation would restore them.
   */
  const revokeSales = ({ accountId, kind, itemKey, source, at }: Revocation): number => {
    // GLOB lets SQLite use the index of grants from sales.
    const grants = db.all<{ source: string; slug: string }>`SELECT source, slug
      FROM grants JOIN known_items USING (kind, item_key)
      WHERE account_id = ${accountId} AND grants.kind = ${kind} AND grants.item_key = ${itemKey}
        AND revoked_at IS NULL AND (${source} IS NULL OR source = ${source}) AND source GLOB 'sale:*'`;
    const revoked = grants.filter((grant) =>
      follow.revokeOrder(grant.source, { kind, itemKey, slug: grant.slug }, at),
    );
    return revoked.length;
  };
  return {
    addGrants({ grants, audit }: { readonly grants: readonly NewGrant[] } & Audited): void {
      for (const grant of grants) upsertGrant(db, grant);
      logAct(db, audit);
    },
    revokeGrants(change: Revocation & Audited): number {
      const { accountId, kind, itemKey, source, at } = change;
      const sales = revokeSales(change);
      const { changes } = db.run`UPDATE grants SET revoked_at = ${at} WHERE account_id = ${accountId}
        AND kind = ${kind} AND item_key = ${itemKey} AND revoked_at IS NULL
        AND (${source} IS NULL OR source = ${source})`;
      const revoked = sales + changes;
      if (revoked > 0) logAct(db, change.audit);
      return revoked;
    },
    /**
     * Adds accounts, links, grants and members. If an account with a new one's address exists by now, adds nothing and
     * returns the address; else null.
     */
    importGrants({ batches, audit }: Import): string | null {
      const [accounts, links, groups] = [accountWrites(db, follow), linkWrites(db, follow), groupWrites(db)];
      const rows = batches.flatMap((batch) => JSON.parse(batch) as readonly ImportedRow[]);
      const isKnown = (email: string) => db.has`SELECT 1 FROM accounts WHERE email = ${email}`;
      for (const row of rows)
        if (row.type === 'account' && isKnown(row.account.email)) return row.account.email;
      for (const row of rows) {
        if (row.type === 'account') accounts.addAccount({ ...row.account, ...audited(row) });
        if (row.type === 'link') links.addLink({ ...row.link, secretHash: hashOf(row), ...audited(row) });
        if (row.type === 'grant') upsertGrant(db, row.grant);
        if (row.type === 'member') groups.joinGroup(row.member);
      }
      logAct(db, audit);
      return null;
    },
  };
}

/** One row that an import adds. A link's `secretHash` is in base64. */
export type ImportedRow =
  | ({ readonly type: 'account'; readonly account: Omit<Account, 'hasPassword'> } & Audited)
  | ({
      readonly type: 'link';
      readonly link: Omit<NewLink, 'secretHash'> & { readonly secretHash: string };
    } & Audited)
  | { readonly type: 'grant'; readonly grant: NewGrant }
  | { readonly type: 'member'; readonly member: Membership };

/** `batches` are JSON arrays of `ImportedRow`, an account before its link and grants. */
type Import = { readonly batches: readonly string[] } & Audited;

const audited = ({ audit }: Audited): Audited => (audit === undefined ? {} : { audit });

const hashOf = ({ link }: Extract<ImportedRow, { type: 'link' }>): Uint8Array =>
  new Uint8Array(Buffer.from(link.secretHash, 'base64'));

/**
 * When an account last used an item; null if never. `not lately` if its newest rows are all about other items and older
 * rows exist.
 */
export type LastTime = number | 'not lately' | null;

export type Holder = LogPlace &
  Pick<Grant, 'accountId' | 'source' | 'from' | 'until' | 'revokedAt' | 'waits'> & {
    readonly email: string;
    readonly disabledAt: number | null;
    readonly lastDownload: LastTime;
    readonly lastQuestion: LastTime;
  };

type HolderSelection = {
  readonly kind: string;
  readonly itemKey: string;
  /** The keys by which grants name the item: for a skill, also its former slugs. */
  readonly grantKeys: readonly string[];
  readonly now: number;
  readonly isLive: boolean;
};

type Row = Omit<Holder, 'lastDownload' | 'lastQuestion'> & {
  readonly lastDownload: number | null;
  readonly lastQuestion: number | null;
};

/** How many of an account's newest downloads, or questions, are searched for an item: no index covers account and item. */
const LOOKED_THROUGH = 200;

/**
 * Selects the time of an account's newest row about the item, among its newest rows in a log. If none of these is about the
 * item: 0 if there are older rows, else null.
 */
const lastTime = (table: Sql, time: Sql, isOfItem: Sql): Sql =>
  sql`coalesce(
     (SELECT time FROM (SELECT ${time} AS time, ${isOfItem} AS isOfItem FROM ${table}
        WHERE account_id = accounts.id ORDER BY ${time} DESC LIMIT ${LOOKED_THROUGH}) WHERE isOfItem LIMIT 1),
     (SELECT 0 FROM ${table} WHERE account_id = accounts.id LIMIT 1 OFFSET ${LOOKED_THROUGH}))`;

const DISABLED = sql`(SELECT id FROM accounts WHERE disabled_at IS NOT NULL)`;

type HolderPage = Omit<Row, 'email' | 'disabledAt' | 'lastDownload' | 'lastQuestion'>;

/** Selects grants without their accounts' columns: those are read only for the rows of one page. */
const HOLDERS = query<HolderPage>`SELECT id AS row, granted_at AS at, account_id AS accountId, source, starts_at AS "from",
  ends_at AS "until", revoked_at AS revokedAt, waits FROM all_grants`;

export const grantReads = (db: Statements) => ({
  countHolders(item: Omit<HolderSelection, 'isLive' | 'itemKey'>): number {
    const live = sql`kind = ${item.kind} AND ${liveGrant(item.now)}
        AND item_key IN (SELECT value FROM json_each(${JSON.stringify(item.grantKeys)}))`;
    return db.value<number>`SELECT count(DISTINCT account_id) FROM all_grants
      WHERE ${live} AND account_id NOT IN ${DISABLED}`!;
  },
  listHolders(
    { kind, itemKey, grantKeys, now, isLive }: HolderSelection,
    window: LogWindow,
  ): readonly Holder[] {
    const rows = grantKeys.flatMap((key) =>
      readPage(
        db,
        {
          select: HOLDERS,
          time: sql`granted_at`,
          row: sql`id`,
          conditions: [
            sql`kind = ${kind}`,
            sql`item_key = ${key}`,
            isLive ? sql`${liveGrant(now)} AND account_id NOT IN ${DISABLED}` : null,
          ],
        },
        window,
      ),
    );
    const describe = (row: HolderPage): Holder =>
      toHolder({
        ...row,
        ...db.one<Omit<Row, keyof HolderPage>>`SELECT email, disabled_at AS disabledAt,
          ${lastTime(sql`downloads`, sql`downloaded_at`, sql`kind = ${kind} AND item_key = ${itemKey}`)} AS lastDownload,
          ${lastTime(sql`fetch_logs`, sql`asked_at`, sql`${kind} = 'book' AND book_id = ${itemKey}`)} AS lastQuestion
          FROM accounts WHERE id = ${row.accountId}`!,
      });
    const sorted = rows.toSorted((a, b) => b.at - a.at || b.row - a.row);
    const { side, limit } = window;
    return (side === 'older' ? sorted.slice(0, limit) : sorted.slice(-limit)).map(describe);
  },
  findGrants: (accountId: string, kind: string, itemKey: string) =>
    db.all<Grant>`SELECT ${COLUMNS} FROM all_grants AS grants WHERE account_id = ${accountId} AND kind = ${kind}
        AND item_key = ${itemKey}`,
  findAccountGrants: (accountId: string) =>
    db.all<Grant>`SELECT ${COLUMNS} FROM all_grants AS grants WHERE account_id = ${accountId}`,
  listGrants: (accountId: string | null): readonly ListedGrant[] =>
    accountId === null
      ? db.all<ListedGrant>`${LISTED} ORDER BY email, slug, source`
      : db.all<ListedGrant>`${LISTED} WHERE account_id = ${accountId} ORDER BY slug, source`,
});

const toHolder = (row: Row): Holder => ({
  ...row,
  lastDownload: row.lastDownload === 0 ? 'not lately' : row.lastDownload,
  lastQuestion: row.lastQuestion === 0 ? 'not lately' : row.lastQuestion,
});
