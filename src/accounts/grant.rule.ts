import { type Sql, sql } from '../platform/store/statements.ts';
import type { ItemKind } from '../platform/base/principal.ts';

/** The right of one account to one item. Times are in milliseconds since 1970 UTC; `until` is null if the grant never ends. */
export type Grant = {
  readonly accountId: string;
  readonly kind: ItemKind;
  /** A book's id or a skill's slug. A book's grants stay when its folder is renamed, since its id stays. */
  readonly itemKey: string;
  readonly source: string;
  readonly grantedAt: number;
  readonly from: number;
  readonly until: number | null;
  readonly revokedAt: number | null;
  /** 1 while the grant waits until somebody confirms the address of its account. */
  readonly waits: 0 | 1;
};

type Dated = Pick<Grant, 'from' | 'until' | 'revokedAt' | 'waits'>;

export const isLive = (grant: Dated, now: number): boolean =>
  grant.revokedAt === null &&
  grant.waits === 0 &&
  grant.from <= now &&
  (grant.until === null || now < grant.until);

/** The SQL for `isLive`. `of` is a table's name and a dot, if several tables have these columns. */
export const liveGrant = (now: number, of: Sql = sql``) =>
  sql`${of}revoked_at IS NULL AND ${of}waits = 0 AND ${of}starts_at <= ${now} AND (${of}ends_at IS NULL OR ${of}ends_at > ${now})`;

export const liveGrants = <T extends Grant>(grants: readonly T[], now: number): readonly T[] =>
  grants.filter((grant) => isLive(grant, now));

/** Returns when the next of the grants begins or ends, in milliseconds since 1970; Infinity if none does after `now`. */
export function nextTurn(grants: readonly Grant[], now: number): number {
  const times = grants.flatMap(({ from, until }) => [from, until ?? Infinity]);
  return Math.min(...times.filter((time) => time > now), Infinity);
}
