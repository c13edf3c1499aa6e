import { setImmediate } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse/sync';
import type { Actor } from '../../access/actor.ts';
import { Refusal } from '../../refusal.ts';
import type { ListedGrant, NewGrant } from '../../store/tables/grants.ts';
import type { Store } from '../../store/store.ts';
import type { Accounts } from './accounts.ts';
import { describeActs } from '../audit-entry.ts';
import { readInstant } from '../instant.ts';

/** A grant as it is asked for; times are ISO 8601, `source` tells where it came from. */
export type GrantRequest = {
  readonly email: string;
  readonly slug: string;
  readonly from?: string | undefined;
  readonly until?: string | undefined;
  readonly source?: string | undefined;
};

/** What names one grant. */
type NamedGrant = Pick<ListedGrant, 'accountId' | 'kind' | 'itemKey' | 'source' | 'email' | 'slug'>;

const DEFAULT_SOURCE = 'manual';
/** Lines of a CSV text between two turns of the event loop. */
const TURN = 50;
const COLUMNS = ['email', 'slug', 'from', 'until', 'source'];

/** The use cases of grants. An item must have been published from this data directory once; a book is granted by its id. */
export function createGrants(store: Store, accounts: Accounts, by: Actor, now: () => number) {
  const act = describeActs(by, now);
  const findItem = async (slug: string) => {
    const item = await store.findKnownItem(slug);
    if (item !== null) return item;
    throw new Refusal(
      'not-found',
      `Cannot find an item "${slug}": this stall never published it; check the slug, and start or reindex the stall after adding it`,
    );
  };

  const prepare = async (request: GrantRequest): Promise<NewGrant> => {
    const { id } = await accounts.find(request.email);
    const { kind, itemKey } = await findItem(request.slug);
    const grantedAt = now();
    const source = request.source || DEFAULT_SOURCE;
    const standing = (await store.findGrants(id, kind, itemKey)).find(
      (grant) => grant.source === source && grant.revokedAt === null,
    );
    const from = request.from === undefined ? (standing?.from ?? grantedAt) : readInstant(request.from);
    const until = readEnd(request.until, standing?.until ?? null);
    if (until !== null && until <= from)
      throw new Refusal(
        'invalid-request',
        `Cannot grant "${request.slug}" from ${new Date(from).toISOString()} until ${new Date(until).toISOString()}: it must end after it begins`,
      );
    return { accountId: id, kind, itemKey, source, grantedAt, from, until };
  };

  return {
    async add(request: GrantRequest): Promise<NewGrant> {
      const grant = await prepare(request);
      const { source, from, until } = grant;
      const audit = act('grant.add', request.email.trim(), { item: request.slug, source, from, until });
      await store.write('addGrants', { grants: [grant], audit });
      return grant;
    },
    async list(email: string | null): Promise<readonly ListedGrant[]> {
      return store.listGrants(email === null ? null : (await accounts.find(email)).id);
    },
    /** How many grants were revoked: of every source, unless one is named. */
    async revoke(email: string, slug: string, source: string | null): Promise<number> {
      const { id } = await accounts.find(email);
      const { kind, itemKey } = await findItem(slug);
      const audit = act('grant.revoke', email.trim(), { item: slug, source: source ?? 'every source' });
      return store.write('revokeGrants', { accountId: id, kind, itemKey, source, at: now(), audit });
    },
    /** Revokes one grant, by the item's key: its slug may be another item's by now. Refuses one that is not there, or revoked. */
    async revokeOne({ accountId, kind, itemKey, source, email, slug }: NamedGrant): Promise<void> {
      const audit = act('grant.revoke', email, { item: slug, source });
      const change = { accountId, kind, itemKey, source, at: now(), audit };
      if ((await store.write('revokeGrants', change)) > 0) return;
      throw new Refusal('not-found', 'Cannot revoke this grant: it is revoked already, or never was there');
    },
    /** Adds every row of a CSV text with the header `email,slug,from,until,source` (the last three optional), or none of them. */
    async import(csv: string): Promise<number> {
      const grants: NewGrant[] = [];
      const faults: string[] = [];
      for (const [n, { line, fields }] of readRows(csv).entries()) {
        // Reads are answered at once: without a turn for others a server would stand still for seconds.
        if (n % TURN === TURN - 1) await setImmediate();
        try {
          grants.push(await prepare(fields));
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          faults.push(`line ${line}: ${error.message}`);
        }
      }
      if (faults.length > 0)
        throw new Refusal(
          'invalid-request',
          `Cannot import the grants, none was added:\n${faults.join('\n')}`,
        );
      await store.write('addGrants', {
        grants,
        audit: act('grants.import', 'grants', { added: grants.length }),
      });
      return grants.length;
    },
  };
}

/** What is left out stays as it stands; `never` takes an end away. */
function readEnd(text: string | undefined, standing: number | null): number | null {
  if (text === undefined) return standing;
  return text === 'never' ? null : readInstant(text);
}

export type Grants = ReturnType<typeof createGrants>;

function readRows(csv: string): readonly { line: number; fields: GrantRequest }[] {
  const [first, ...rows] = parseRows(csv);
  const header = first?.record ?? [];
  const unknown = header.filter((name) => !COLUMNS.includes(name));
  if (!header.includes('email') || !header.includes('slug') || unknown.length > 0) {
    throw new Refusal(
      'invalid-request',
      `Cannot import the grants: the first line must be "${COLUMNS.join(',')}", the last three optional, and reads "${header.join(',').slice(0, 200)}"`,
    );
  }
  return rows.map(({ record, line }) => {
    const value = (name: string): string | undefined => record[header.indexOf(name)] || undefined;
    return {
      line,
      fields: {
        email: value('email') ?? '',
        slug: value('slug') ?? '',
        from: value('from'),
        until: value('until'),
        source: value('source'),
      },
    };
  });
}

type Row = { readonly record: readonly string[]; readonly line: number };

/** The rows with the line each ends on: a quoted field may hold line breaks, and blank lines are passed over. */
function parseRows(csv: string): readonly Row[] {
  const rows: Row[] = [];
  try {
    parse(csv, {
      bom: true,
      trim: true,
      skip_empty_lines: true,
      on_record: (record: string[], { lines }) => {
        rows.push({ record, line: lines });
        return null;
      },
    });
    return rows;
  } catch (error) {
    if (error instanceof CsvError)
      throw new Refusal('invalid-request', `Cannot import the grants: ${error.message}`);
    throw error;
  }
}
