// Office work: random commands on accounts, keys and grants, with the facts that hold in the database before and after each.
import type { Database } from 'bun:sqlite';
import type { Chance } from './chance.ts';

/** Something the database must hold about one object: `sql` selects 1 if it does. */
export type Fact = {
  readonly object: string;
  readonly sql: string;
  readonly params: readonly (string | number)[];
};

/** The JSON that a command printed with `--json`. */
export type Output = Readonly<Record<string, string | number>>;

/**
 * One command. `before` holds until it is done, `after` once it is: all of one of them, or the change is half done.
 * `settle` tells the clerk that it was done; the output is null if the command was killed before it printed any.
 */
export type Operation = {
  readonly words: readonly string[];
  readonly csv: string | null;
  readonly before: readonly Fact[];
  readonly after: (output: Output | null) => readonly Fact[];
  readonly settle: (output: Output | null) => void;
};

type Key = { readonly id: string; readonly text: string };
type Account = {
  readonly email: string;
  isDisabled: boolean;
  keys: Key[];
  revoked: Key[];
  readonly grants: Map<string, { readonly slug: string; readonly source: string }>;
};

/** Rows of one imported file. */
const IMPORTED = 120;

export type Clerk = ReturnType<typeof createClerk>;

/** A clerk with a few accounts of their own, who runs one command at a time. */
export function createClerk(name: string, chance: Chance, slugs: readonly string[]) {
  const accounts: Account[] = [];
  let count = 0;

  const addAccount = (): Operation => {
    const email = `${name}-${count++}@example.org`;
    return {
      words: ['account', 'add', email],
      csv: null,
      before: [noAccount(email)],
      after: () => [account(email, false)],
      settle: () =>
        void accounts.push({ email, isDisabled: false, keys: [], revoked: [], grants: new Map() }),
    };
  };

  const switchAccount = (of: Account): Operation => ({
    words: ['account', of.isDisabled ? 'enable' : 'disable', of.email],
    csv: null,
    before: [account(of.email, of.isDisabled)],
    after: () => [account(of.email, !of.isDisabled)],
    settle: () => void (of.isDisabled = !of.isDisabled),
  });

  const createKey = (of: Account): Operation => {
    const label = `${name}-key-${count++}`;
    return {
      words: ['key', 'create', of.email, '--name', label],
      csv: null,
      before: [],
      after: (output) => (output === null ? [] : [keyNamed(String(output['id']), of.email, label, true)]),
      settle: (output) => output && of.keys.push({ id: String(output['id']), text: String(output['key']) }),
    };
  };

  const revokeKey = (of: Account, key: Key): Operation => ({
    words: ['key', 'revoke', key.id],
    csv: null,
    before: [keyIs(key.id, true)],
    after: () => [keyIs(key.id, false)],
    settle: () => retire(of, key),
  });

  const rotateKey = (of: Account, key: Key): Operation => ({
    words: ['key', 'rotate', key.id],
    csv: null,
    before: [keyIs(key.id, true), replacements(key.id, 0)],
    after: (output) => [
      keyIs(key.id, false),
      replacements(key.id, 1),
      ...(output === null ? [] : [keyIs(String(output['id']), true)]),
    ],
    settle: (output) => {
      retire(of, key);
      if (output !== null) of.keys.push({ id: String(output['id']), text: String(output['key']) });
    },
  });

  const addGrant = (of: Account): Operation => {
    const [slug, source] = [chance.among(slugs), `order-${chance.below(3)}`];
    const grant = { slug, source };
    const stands = of.grants.has(`${slug} ${source}`);
    return {
      words: ['grant', 'add', of.email, slug, '--source', source],
      csv: null,
      before: [grantIs(of.email, grant, stands)],
      after: () => [grantIs(of.email, grant, true)],
      settle: () => void of.grants.set(`${slug} ${source}`, grant),
    };
  };

  const revokeGrant = (of: Account): Operation => {
    const grant = chance.among([...of.grants.values()]);
    return {
      words: ['grant', 'revoke', of.email, grant.slug, '--source', grant.source],
      csv: null,
      before: [grantIs(of.email, grant, true)],
      after: () => [grantIs(of.email, grant, false)],
      settle: () => void of.grants.delete(`${grant.slug} ${grant.source}`),
    };
  };

  const importGrants = (of: Account): Operation => {
    const [batch, slug] = [`${name}-batch-${count++}`, chance.among(slugs)];
    const rows = Array.from({ length: IMPORTED }, (_, n) => `${of.email},${slug},${batch}-${n}`);
    return {
      words: ['grant', 'import'],
      csv: ['email,slug,source', ...rows, ''].join('\n'),
      before: [imported(batch, 0)],
      after: () => [imported(batch, IMPORTED)],
      settle: () => void of.grants.set(`${slug} ${batch}-0`, { slug, source: `${batch}-0` }),
    };
  };

  const choices = (of: Account): readonly (() => Operation)[] => {
    const [key, hasGrant] = [of.keys[chance.below(of.keys.length)], of.grants.size > 0];
    return [
      () => createKey(of),
      () => addGrant(of),
      () => switchAccount(of),
      () => (hasGrant ? revokeGrant(of) : addGrant(of)),
      () => (chance.odds(0.4) ? importGrants(of) : addGrant(of)),
      () => (key === undefined ? createKey(of) : revokeKey(of, key)),
      () => (key === undefined ? createKey(of) : rotateKey(of, key)),
    ];
  };

  return {
    accounts: (): readonly Account[] => accounts,
    next(): Operation {
      if (accounts.length < 2 || (accounts.length < 8 && chance.odds(0.05))) return addAccount();
      return chance.among(choices(chance.among(accounts)))();
    },
  };
}

function retire(of: Account, key: Key): void {
  of.keys = of.keys.filter(({ id }) => id !== key.id);
  of.revoked.push(key);
}

/** Whether every fact holds in a database. */
export function holds(db: Database, facts: readonly Fact[]): boolean {
  return facts.every((fact) => missing(db, fact) === null);
}

/** The fact in words if a database does not hold it, else null. */
export function missing(db: Database, { object, sql, params }: Fact): string | null {
  const row = db.query<{ holds: number }, (string | number)[]>(`SELECT (${sql}) AS holds`).get(...params);
  return row?.holds === 1 ? null : `${object}: ${sql} with ${JSON.stringify(params)}`;
}

const ACCOUNT = 'SELECT id FROM accounts WHERE email = ?';

const noAccount = (email: string): Fact => ({
  object: `account ${email}`,
  sql: `NOT EXISTS (${ACCOUNT})`,
  params: [email],
});
const account = (email: string, isDisabled: boolean): Fact => ({
  object: `account ${email}`,
  sql: `EXISTS (${ACCOUNT} AND (disabled_at IS NOT NULL) = ?)`,
  params: [email, isDisabled ? 1 : 0],
});
const keyNamed = (id: string, email: string, label: string, isLive: boolean): Fact => ({
  object: `key ${id}`,
  sql: `EXISTS (SELECT 1 FROM keys WHERE id = ? AND account_id = (${ACCOUNT}) AND name = ? AND (revoked_at IS NULL) = ?)`,
  params: [Number(id), email, label, isLive ? 1 : 0],
});
const keyIs = (id: string, isLive: boolean): Fact => ({
  object: `key ${id}`,
  sql: 'EXISTS (SELECT 1 FROM keys WHERE id = ? AND (revoked_at IS NULL) = ?)',
  params: [Number(id), isLive ? 1 : 0],
});
const replacements = (id: string, count: number): Fact => ({
  object: `replacements of key ${id}`,
  sql: '(SELECT count(*) FROM keys WHERE replaces = ?) = ?',
  params: [Number(id), count],
});
const grantIs = (
  email: string,
  { slug, source }: { slug: string; source: string },
  isLive: boolean,
): Fact => ({
  object: `grant ${email} ${slug} ${source}`,
  sql: `(SELECT count(*) FROM grants JOIN known_items USING (kind, item_key)
    WHERE account_id = (${ACCOUNT}) AND slug = ? AND source = ? AND revoked_at IS NULL) = ?`,
  params: [email, slug, source, isLive ? 1 : 0],
});
const imported = (batch: string, count: number): Fact => ({
  object: `import ${batch}`,
  sql: `(SELECT count(*) FROM grants WHERE source LIKE ? || '-%') = ?`,
  params: [batch, count],
});
