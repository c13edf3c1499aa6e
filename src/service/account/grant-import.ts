import type { Actor } from '../../access/actor.ts';
import { Refusal } from '../../refusal.ts';
import type { Grant } from '../../access/grant.ts';
import type { NewGrant } from '../../store/tables/grants.ts';
import type { ImportedRow } from '../../store/tables/grant-import.ts';
import type { Store } from '../../store/store.ts';
import { describeActs } from '../audit-entry.ts';
import { createTurns } from '../../turn.ts';
import { refuseRows } from '../csv-rows.ts';
import { readEmail } from '../../access/email-address.ts';
import { type GrantRequest, readGrantRows } from './grant-csv.ts';
import { findGrantedItem, type KnownItem, planGrant } from './grant-plan.ts';
import { type MintedLink, mintLink } from './links.ts';

/** The result of an import; each link sets the first password of a new account, and is seen only here. */
type GrantImport = { readonly added: number; readonly links: readonly MintedLink[] };

/** Grants in one text for the writer. */
const BATCH = 100;

/** The use cases of grants from a CSV text: all of its rows are added, or none. */
export function createGrantImport(store: Store, by: Actor, now: () => number) {
  const act = describeActs(by, now);

  /** Adds all rows; with an origin, addresses without an account get one, and a link to it. */
  const importRows = async (csv: string, origin: string | null): Promise<GrantImport> => {
    const rows = await readGrantRows(csv);
    const turn = createTurns();
    const faults: string[] = [];
    const links: MintedLink[] = [];
    const imported: ImportedRow[] = [];
    const accountIds = new Map<string, string>();
    const grants = new Map<string, readonly Grant[]>();
    const items = new Map<string, KnownItem>();

    const makeAccount = (text: string, linkOrigin: string): string => {
      const account = { id: crypto.randomUUID(), email: readEmail(text), createdAt: now() };
      const { row, link } = mintLink({ purpose: 'invite', account }, linkOrigin, now());
      links.push(link);
      imported.push({
        type: 'account',
        account: { ...account, isOwner: false, disabledAt: null, verifiedAt: null },
        audit: act('account.add', account.email),
      });
      imported.push({
        type: 'link',
        link: { ...row, secretHash: Buffer.from(row.secretHash).toString('base64') },
        audit: act('account.link', account.email, { purpose: 'invite' }),
      });
      return account.id;
    };
    const findAccountId = async (text: string): Promise<string> => {
      const name = foldEmail(text);
      const known = accountIds.get(name);
      if (known !== undefined) return known;
      const account = await store.findAccount(text.trim());
      const id = account?.id ?? (origin === null ? refuseUnknown(text) : makeAccount(text, origin));
      accountIds.set(name, id);
      return id;
    };
    const prepare = async (fields: GrantRequest): Promise<NewGrant> => {
      const item = items.get(fields.slug) ?? (await findGrantedItem(store, fields.slug));
      items.set(fields.slug, item);
      const accountId = await findAccountId(fields.email);
      const name = `${accountId} ${item.kind} ${item.itemKey}`;
      const known = grants.get(name) ?? (await store.findGrants(accountId, item.kind, item.itemKey));
      grants.set(name, known);
      return planGrant(fields, { accountId, item, known, at: now() });
    };

    for (const { line, fields } of rows) {
      await turn();
      try {
        imported.push({ type: 'grant', grant: await prepare(fields) });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        faults.push(`line ${line}: ${error.message}`);
      }
    }
    if (faults.length > 0) throw refuseRows('grants', faults);
    const details = { added: rows.length, ...(links.length > 0 ? { accounts: links.length } : {}) };
    await write(imported, details);
    return { added: rows.length, links };
  };

  const write = async (imported: readonly ImportedRow[], details: Readonly<Record<string, number>>) => {
    const turn = createTurns();
    const batches: string[] = [];
    for (let at = 0; at < imported.length; at += BATCH) {
      // Texts: copying fifteen thousand objects to the writer would hold the event loop for longer than making these.
      batches.push(JSON.stringify(imported.slice(at, at + BATCH)));
      await turn();
    }
    const clash = await store.write('importGrants', {
      batches,
      audit: act('grants.import', 'grants', details),
    });
    if (clash === null) return;
    throw new Refusal(
      'invalid-request',
      `Cannot import the grants, none was added: "${clash}" has got an account in the meantime; import again`,
    );
  };

  return {
    /** Adds a grant for every row of accounts that exist, and returns their number. */
    import: async (csv: string): Promise<number> => (await importRows(csv, null)).added,
    /** Does the same, and makes an account with an invite link for every address that has none. */
    importWithAccounts: (csv: string, origin: string): Promise<GrantImport> => importRows(csv, origin),
  };
}

function refuseUnknown(email: string): never {
  throw new Refusal(
    'not-found',
    `Cannot find an account "${email}": add it, or let the import create missing accounts (--make-accounts)`,
  );
}

/** SQLite compares addresses so: ASCII letters in any case. */
function foldEmail(text: string): string {
  return text.trim().replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
