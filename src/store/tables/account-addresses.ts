import type { Database } from 'bun:sqlite';
import { foldEmail } from '../../access/email-address.ts';

type Known = { readonly id: string; readonly email: string; readonly isVerified: 0 | 1 };

/** Finds the account of an address in any spelling; of several, a verified one. */
export function accountsByAddress(db: Database) {
  const columns = 'SELECT id, email, verified_at IS NOT NULL AS isVerified FROM accounts';
  const order = 'ORDER BY verified_at IS NULL, created_at';
  const plain = db.prepare<Known, [string, string]>(`${columns} WHERE email IN (?, ?) ${order}`);
  // SQLite compares only ASCII without case: an address with other letters is looked for among those.
  const foreign = db.prepare<Known, []>(
    `${columns} WHERE email GLOB '*[^ -~]*' OR email LIKE '%xn--%' ${order}`,
  );
  return (address: string): Known | null => {
    const folded = foldEmail(address);
    const isPlain = /^[ -~]*$/.test(address) && !folded.includes('xn--');
    const found = isPlain ? plain.all(address.trim(), folded) : foreign.all();
    return found.find(({ email }) => foldEmail(email) === folded) ?? null;
  };
}
