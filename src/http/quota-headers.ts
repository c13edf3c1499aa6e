/** The budget's headers: other ones with each answer, none where there is no budget. */
export type Quota = Readonly<Record<string, string>>;

/**
 * Writes the quota of one answer over that of the last, good until the next call: `new Response` copies headers. What
 * never changes is made once, since eight headers out of an object cost an install more than all else that is asked of it.
 */
export function withQuota(fixed: Headers, quota: Quota): Headers {
  for (const name in quota) fixed.set(name, quota[name] ?? '');
  return fixed;
}
