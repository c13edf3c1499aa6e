import { sql, type Statements } from '../platform/store/statements.ts';
import { comparableEmail } from '../platform/base/email-address.ts';

type Known = { readonly id: string; readonly email: string; readonly isVerified: 0 | 1 };

/** Finds the account of an address in any spelling. If several match, prefers a verified one, then the oldest. */
export function accountByAddress(db: Statements, address: string): Known | null {
  const folded = comparableEmail(address);
  const isPlain = /^[ -~]*$/.test(address) && !folded.includes('xn--');
  // SQLite ignores case only for ASCII. An address with other letters, or with `xn--`, is compared with all such addresses.
  const isLike = isPlain
    ? sql`email IN (${address.trim()}, ${folded})`
    : sql`email GLOB '*[^ -~]*' OR email LIKE '%xn--%'`;
  const found = db.all<Known>`SELECT id, email, verified_at IS NOT NULL AS isVerified FROM accounts
    WHERE ${isLike} ORDER BY verified_at IS NULL, created_at`;
  return found.find(({ email }) => comparableEmail(email) === folded) ?? null;
}
