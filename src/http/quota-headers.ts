/** The budget's headers, which differ with each answer; none if there is no budget. */
export type Quota = Readonly<Record<string, string>>;

/**
 * Writes the quota of one answer over that of the last; valid until the next call, since `new Response` copies headers. Headers that
 * never change are made once: eight headers from an object literal cost an install more than all its checks together.
 */
export function withQuota(fixed: Headers, quota: Quota): Headers {
  for (const name in quota) fixed.set(name, quota[name] ?? '');
  return fixed;
}
