import { sql, type Statements } from '../statements.ts';
import { foldEmail } from '../../access/email-address.ts';

type Known = { readonly id: string; readonly email: string; readonly isVerified: 0 | 1 };

/** Finds the account of an address in any spelling; of several, a verified one. */
export function accountsByAddress(db: Statements) {
  const columns = sql`SELECT id, email, verified_at IS NOT NULL AS isVerified FROM accounts`;
  const order = sql`ORDER BY verified_at IS NULL, created_at`;
  return (address: string): Known | null => {
    const folded = foldEmail(address);
    const isPlain = /^[ -~]*$/.test(address) && !folded.includes('xn--');
    // SQLite compares only ASCII without case: an address with other letters is looked for among those.
    const found = isPlain
      ? db.all<Known>`${columns} WHERE email IN (${address.trim()}, ${folded}) ${order}`
      : db.all<Known>`${columns} WHERE email GLOB '*[^ -~]*' OR email LIKE '%xn--%' ${order}`;
    return found.find(({ email }) => foldEmail(email) === folded) ?? null;
  };
}
