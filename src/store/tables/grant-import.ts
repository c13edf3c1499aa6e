import type { Database } from 'bun:sqlite';
import { type Account, accountWrites } from './accounts.ts';
import { type Audited, auditInserts } from './audit-log.ts';
import { type NewGrant, grantWrites } from './grants.ts';
import { linkWrites, type NewLink } from './links.ts';

/** One row that an import adds; hashes as base64. */
export type ImportedRow =
  | ({ readonly type: 'account'; readonly account: Omit<Account, 'hasPassword'> } & Audited)
  | ({
      readonly type: 'link';
      readonly link: Omit<NewLink, 'secretHash'> & { readonly secretHash: string };
    } & Audited)
  | { readonly type: 'grant'; readonly grant: NewGrant };

/** `batches` are JSON arrays of `ImportedRow`, an account before its link and grants. */
type Import = { readonly batches: readonly string[] } & Audited;

export function grantImportWrites(db: Database) {
  return {
    /** Adds accounts, links and grants, all or none. Null, or an address that has an account by now: then nothing was added. */
    importGrants({ batches, audit }: Import): string | null {
      const [accounts, links, grants] = [accountWrites(db), linkWrites(db), grantWrites(db)];
      const exists = db.prepare<{ email: string }, [string]>('SELECT email FROM accounts WHERE email = ?');
      const rows = batches.flatMap((batch) => JSON.parse(batch) as readonly ImportedRow[]);
      for (const row of rows)
        if (row.type === 'account' && exists.get(row.account.email) !== null) return row.account.email;
      for (const row of rows) {
        if (row.type === 'account') accounts.addAccount({ ...row.account, ...audited(row) });
        if (row.type === 'link') links.addLink({ ...row.link, secretHash: hashOf(row), ...audited(row) });
      }
      grants.addGrants({ grants: rows.flatMap((row) => (row.type === 'grant' ? [row.grant] : [])) });
      auditInserts(db)(audit);
      return null;
    },
  };
}

const audited = ({ audit }: Audited): Audited => (audit === undefined ? {} : { audit });

function hashOf({ link }: Extract<ImportedRow, { type: 'link' }>): Uint8Array {
  return new Uint8Array(Buffer.from(link.secretHash, 'base64'));
}
