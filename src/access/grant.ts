/**
 * One grant of one item to one account. Times are milliseconds since 1970 UTC; a null `until` means it never
 * ends.
 */
export type Grant = {
  readonly accountId: string;
  readonly kind: 'book' | 'skill';
  /** A book's id or a skill's slug, so that renaming a book's folder keeps its grants. */
  readonly itemKey: string;
  readonly source: string;
  readonly grantedAt: number;
  readonly from: number;
  readonly until: number | null;
  readonly revokedAt: number | null;
};

/**
 * Whether a grant of an enabled account is in force at a time: begun, not ended, not revoked. `liveGrant` of
 * the store says the same in SQL, and a test holds the two together.
 */
export const isLive = (grant: Pick<Grant, 'from' | 'until' | 'revokedAt'>, now: number): boolean =>
  grant.revokedAt === null && grant.from <= now && (grant.until === null || now < grant.until);

/** Returns the grants that are in force at a time. */
export const liveGrants = <T extends Grant>(grants: readonly T[], now: number): readonly T[] =>
  grants.filter((grant) => isLive(grant, now));

/** Returns the next time after `now` at which one of the grants begins or ends; Infinity if none does. */
export function nextTurn(grants: readonly Grant[], now: number): number {
  const times = grants.flatMap(({ from, until }) => [from, until ?? Infinity]);
  return Math.min(...times.filter((time) => time > now), Infinity);
}
