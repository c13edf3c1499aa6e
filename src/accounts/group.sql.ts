import { type Sql, sql, type Statements } from '../platform/store/statements.ts';
import { TYPED } from './address-proof.sql.ts';
import { type Grant, liveGrant } from './grant.rule.ts';
import { type Audited, logAct } from '../platform/store/audit-log.sql.ts';
import { HOLDERS_ONLY } from '../catalog/known-item.rule.ts';

export type Group = {
  readonly name: string;
  readonly members: number;
  readonly items: number;
  readonly createdAt: number;
};

type Member = { readonly email: string; readonly joinedAt: number; readonly waits: 0 | 1 };

export type GroupGrant = Omit<Grant, 'accountId' | 'source' | 'revokedAt' | 'waits'> & {
  readonly slug: string;
};

type NewGroupGrant = Omit<GroupGrant, 'slug'> & { readonly group: string };

export type Membership = { readonly group: string; readonly accountId: string; readonly at: number };

export const EVERYONE = 'everyone';

/** Selects the accounts that belong to `everyone`, by the same condition as the view `all_grants`. */
const OF_EVERYONE = sql`disabled_at IS NULL AND NOT (${TYPED})`;

const GROUPS = sql`SELECT name, created_at AS createdAt,
  iif(name = ${EVERYONE}, (SELECT count(*) FROM accounts WHERE ${OF_EVERYONE}),
    (SELECT count(*) FROM group_members WHERE group_name = name)) AS members,
  (SELECT count(*) FROM group_grants WHERE group_name = name) AS items FROM groups`;

export const groupReads = (db: Statements) => ({
  listGroups: () => db.all<Group>`${GROUPS} ORDER BY name`,
  findGroup: (name: string) => db.one<Group>`${GROUPS} WHERE name = ${name}`,
  listMembers: (name: string) =>
    db.all<Member>`SELECT email, joined_at AS joinedAt, ${TYPED} AS waits FROM group_members
      JOIN accounts ON accounts.id = account_id WHERE group_name = ${name} ORDER BY email`,
  listGroupGrants: (name: string) =>
    db.all<GroupGrant>`SELECT group_grants.kind, group_grants.item_key AS itemKey, slug, granted_at AS grantedAt,
        starts_at AS "from", ends_at AS "until"
      FROM group_grants JOIN known_items USING (kind, item_key) WHERE group_name = ${name} ORDER BY slug`,
  listGroupsOf: (accountId: string): readonly string[] =>
    db.all<{ name: string }>`SELECT group_name AS name FROM group_members
      WHERE account_id = ${accountId} ORDER BY group_name`.map(({ name }) => name),
  /** Lists the addresses of the accounts that hold an item through this group only: without the group they would lose it. */
  listHoldersBy: (name: string, now: number): readonly string[] =>
    db.all<{
      email: string;
    }>`SELECT DISTINCT email FROM all_grants AS given JOIN accounts ON accounts.id = account_id
      WHERE source = ${`@${name}`} AND disabled_at IS NULL AND ${liveGrant(now)} AND NOT EXISTS (
        SELECT 1 FROM all_grants AS other WHERE other.account_id = given.account_id AND other.kind = given.kind
          AND other.item_key = given.item_key AND other.source <> given.source AND ${liveGrant(now, sql`other.`)})
      ORDER BY email`.map(({ email }) => email),
  /** Reports whether the stall has codes, and whether it has orders. Through either, strangers can get accounts. */
  findDoors: () =>
    db.one<{ codes: 0 | 1; orders: 0 | 1 }>`SELECT EXISTS (SELECT 1 FROM codes) AS codes,
      EXISTS (SELECT 1 FROM orders) AS orders`!,
  isPrivate: (kind: string, itemKey: string): boolean =>
    db.has`SELECT 1 FROM shown_items WHERE kind = ${kind} AND item_key = ${itemKey} AND edition GLOB ${`${HOLDERS_ONLY}*`}`,
});

export function groupWrites(db: Statements) {
  const logged = ({ audit }: Audited, { changes }: { readonly changes: number }): boolean => {
    if (changes > 0) logAct(db, audit);
    return changes > 0;
  };
  const change = (query: Sql, audited: Audited): boolean => logged(audited, db.run`${query}`);
  return {
    addGroup: ({ name, at, ...audited }: { readonly name: string; readonly at: number } & Audited) =>
      change(sql`INSERT INTO groups VALUES (${name}, ${at}) ON CONFLICT DO NOTHING`, audited),
    removeGroup: ({ name, ...audited }: { readonly name: string } & Audited) =>
      change(sql`DELETE FROM groups WHERE name = ${name}`, audited),
    joinGroup: ({ group, accountId, at, ...audited }: Membership & Audited) =>
      change(
        sql`INSERT INTO group_members (group_name, account_id, joined_at) VALUES (${group}, ${accountId}, ${at})
          ON CONFLICT DO NOTHING`,
        audited,
      ),
    leaveGroup: ({ group, accountId, ...audited }: Omit<Membership, 'at'> & Audited) =>
      change(
        sql`DELETE FROM group_members WHERE group_name = ${group} AND account_id = ${accountId}`,
        audited,
      ),
    addGroupGrants({ grants, audit }: { readonly grants: readonly NewGroupGrant[] } & Audited): void {
      for (const { group, kind, itemKey, grantedAt, from, until } of grants)
        db.run`INSERT INTO group_grants (group_name, kind, item_key, granted_at, starts_at, ends_at)
          VALUES (${group}, ${kind}, ${itemKey}, ${grantedAt}, ${from}, ${until})
          ON CONFLICT DO UPDATE SET starts_at = excluded.starts_at, ends_at = excluded.ends_at`;
      logAct(db, audit);
    },
    revokeGroupGrant: ({
      group,
      kind,
      itemKeys,
      ...audited
    }: Pick<NewGroupGrant, 'group' | 'kind'> & { readonly itemKeys: readonly string[] } & Audited) =>
      change(
        sql`DELETE FROM group_grants WHERE group_name = ${group} AND kind = ${kind}
          AND item_key IN (SELECT value FROM json_each(${JSON.stringify(itemKeys)}))`,
        audited,
      ),
  };
}
