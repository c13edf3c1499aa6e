import { OfficeRefusal } from '../platform/base/told.ts';
import type { Actor, ItemKind } from '../platform/base/principal.ts';
import type { Grant } from './grant.rule.ts';
import { readEmail } from '../platform/base/email-address.ts';
import { Refusal } from '../platform/base/refusal.ts';
import type { Holder, ImportedRow, ListedGrant, NewGrant } from './grant.sql.ts';
import { createTurns } from '../platform/base/turn.ts';
import { type MintedLink, mintLink } from './one-time-link.ts';
import { findAccount } from './account.ts';
import { findGroup, groupIn, readGroups } from './group.ts';
import { EVERYONE, type GroupGrant } from './group.sql.ts';
import { auditEntry, describeActs } from '../platform/store/audit-entry.ts';
import { readCsv, refuseRows } from '../platform/base/csv-rows.ts';
import { readInstant } from '../platform/base/duration.ts';
import type { Records, Stall } from './stall.ts';
import { isFree } from '../catalog/item.rule.ts';
import { compareText } from '../platform/base/text.ts';
import { pagesOf } from '../platform/store/paging.ts';
import type { KnownItem } from '../catalog/known-item.rule.ts';

export type { Holder, LastTime } from './grant.sql.ts';

/** The dates of a requested grant in ISO 8601: when it begins and ends; `until` may be `never`. */
type GrantDates = { readonly from?: string | undefined; readonly until?: string | undefined };

type GrantRequest = GrantDates & {
  readonly email: string;
  readonly slug: string;
  readonly source?: string | undefined;
};

export type GrantedItem = { readonly kind: ItemKind; readonly itemKey: string };

type NamedGrant = Pick<ListedGrant, 'accountId' | 'kind' | 'itemKey' | 'source' | 'email' | 'slug'>;

const DEFAULT_SOURCE = 'manual';

/** Finds the item with this slug, former slug or book id. Refuses a name that this stall never published. */
export function findGrantedItem({ store }: Records, slug: string): GrantedItem {
  const item = store.findKnownItem(slug);
  if (item !== null) return item;
  throw new OfficeRefusal('not-found', (r) => r.neverPublished({ slug }));
}

/** Adds a grant. `waits` tells whether the grant has no effect until somebody confirms the address of its account. */
export async function addGrant(stall: Records, by: Actor, request: GrantRequest) {
  const { id: accountId } = findAccount(stall, request.email);
  const item = findGrantedItem(stall, request.slug);
  const known = stall.store.findGrants(accountId, item.kind, item.itemKey);
  const grant = planGrant(request, { accountId, item, known, at: stall.now() });
  const { source, from, until } = grant;
  const details = { item: request.slug, source, from, until };
  const audit = auditEntry(by, stall.now(), 'grant.add', request.email.trim(), details);
  await stall.store.write.addGrants({ grants: [grant], audit });
  return { ...grant, waits: stall.store.isTyped(accountId) };
}

export const listGrants = (stall: Records, email: string | null): readonly ListedGrant[] =>
  stall.store.listGrants(email === null ? null : findAccount(stall, email).id);

/**
 * Revokes an account's grants of an item from `source`, or if that is null, from all. Returns how many were revoked, and
 * the groups that give the item too.
 */
export async function revokeGrants(
  stall: Records,
  by: Actor,
  { email, slug, source }: { readonly email: string; readonly slug: string; readonly source: string | null },
): Promise<{ readonly revoked: number; readonly groups: readonly string[] }> {
  const { id: accountId } = findAccount(stall, email);
  const { kind, itemKey } = findGrantedItem(stall, slug);
  const at = stall.now();
  const audit = auditEntry(by, at, 'grant.revoke', email.trim(), {
    item: slug,
    source: source ?? 'every source',
  });
  const keys = stall.store.listGrantKeys(kind, itemKey);
  const revoked = keys.map((key) =>
    stall.store.write.revokeGrants({ accountId, kind, itemKey: key, source, at, audit }),
  );
  const held = keys.flatMap((key) => stall.store.findGrants(accountId, kind, key));
  return {
    revoked: (await Promise.all(revoked)).reduce((sum, count) => sum + count, 0),
    groups: held.map((grant) => grant.source).filter((one) => groupIn(one) !== null),
  };
}

/**
 * Revokes one grant, by the item's key, since another item may have the slug by now. Refuses a grant that does not exist or
 * is revoked.
 */
export async function revokeGrant(stall: Records, by: Actor, grant: NamedGrant): Promise<void> {
  const { accountId, kind, itemKey, source, email, slug } = grant;
  const at = stall.now();
  const audit = auditEntry(by, at, 'grant.revoke', email, { item: slug, source });
  const count = await stall.store.write.revokeGrants({ accountId, kind, itemKey, source, at, audit });
  if (count > 0) return;
  throw new OfficeRefusal('not-found', (r) => r.grantNotHeld);
}

type Grantee = {
  readonly accountId: string;
  readonly item: GrantedItem;
  readonly known: readonly Grant[];
  readonly at: number;
};

function planGrant(
  request: GrantRequest,
  { accountId, item: { kind, itemKey }, known, at }: Grantee,
): NewGrant {
  const source = request.source || DEFAULT_SOURCE;
  if (/^(sale:|code:|@)/.test(source))
    throw new OfficeRefusal('invalid-request', (r) => r.grantSource({ slug: request.slug, source }));
  const earlier = known.find((grant) => grant.source === source && grant.revokedAt === null);
  return { accountId, kind, itemKey, source, grantedAt: at, ...planDates(request, earlier, at) };
}

function planDates(
  request: GrantDates & { readonly slug: string },
  earlier: Pick<Grant, 'from' | 'until'> | undefined,
  at: number,
): Pick<Grant, 'from' | 'until'> {
  const from = request.from === undefined ? (earlier?.from ?? at) : readInstant(request.from);
  const until = readEnd(request.until, earlier?.until ?? null);
  if (until === null || until > from) return { from, until };
  throw new OfficeRefusal('invalid-request', (r) =>
    r.grantSpan({
      slug: request.slug,
      from: new Date(from).toISOString(),
      until: new Date(until).toISOString(),
    }),
  );
}

function readEnd(text: string | undefined, earlier: number | null): number | null {
  if (text === undefined) return earlier;
  return text === 'never' ? null : readInstant(text);
}

/**
 * Grants items to a group: all, or none if one is refused. Dates that are left out stay as they were, if the group has the
 * item. Refuses an item that this stall never published.
 */
export async function grantToGroup(
  stall: Records,
  by: Actor,
  wanted: { readonly group: string; readonly slugs: readonly string[]; readonly dates: GrantDates },
): Promise<readonly GroupGrant[]> {
  const { group, slugs, dates } = wanted;
  findGroup(stall, group);
  const known = stall.store.listGroupGrants(group);
  const at = stall.now();
  const grants = slugs.map((slug) => {
    const item = findGrantedItem(stall, slug);
    const earlier = known.find((one) => one.kind === item.kind && one.itemKey === item.itemKey);
    return { ...item, ...planDates({ slug, ...dates }, earlier, at), slug, group, grantedAt: at };
  });
  const audit = auditEntry(by, at, 'grant.add', `@${group}`, { items: slugs.join(' ') });
  await stall.store.write.addGroupGrants({ grants, audit });
  return grants;
}

export async function revokeFromGroup(stall: Records, by: Actor, group: string, slug: string) {
  findGroup(stall, group);
  const { kind, itemKey } = findGrantedItem(stall, slug);
  const itemKeys = stall.store.listGrantKeys(kind, itemKey);
  const audit = auditEntry(by, stall.now(), 'grant.revoke', `@${group}`, { item: slug });
  return stall.store.write.revokeGroupGrant({ group, kind, itemKeys, audit });
}

/**
 * Makes the warning before a grant to `everyone`: the private items among `slugs`, and who could then have them. Null for
 * other groups, and if no item is private. `isOpen`: anyone may make an account.
 */
export function warnOfEveryone(
  stall: Records,
  { group, slugs, isOpen }: { group: string; slugs: readonly string[]; isOpen: boolean },
): string | null {
  const isPrivate = (slug: string): boolean => {
    const { kind, itemKey } = findGrantedItem(stall, slug);
    return stall.store.isPrivate(kind, itemKey);
  };
  const closed = group === EVERYONE ? slugs.filter(isPrivate) : [];
  if (closed.length === 0) return null;
  const { codes, orders } = stall.store.findDoors();
  const joining = [
    'those whom you add',
    ...(isOpen ? ['anyone who makes an account and confirms its address'] : []),
    ...(orders === 1 ? ['buyers who confirm their address'] : []),
    ...(codes === 1 ? ['anyone who redeems a code and confirms their address'] : []),
  ];
  return `${closed.join(', ')}: private, and "everyone" is every account, later ones too: ${joining.join(', ')}`;
}

const COLUMNS = ['email', 'slug', 'from', 'until', 'source', 'groups'];

/** The maximum number of imported rows in one batch for the thread that writes to the database. */
const BATCH = 100;

/**
 * Adds a grant for each row of a CSV text, or none if a row is refused. The columns are
 * `email,slug,from,until,source,groups`; only `email` and `slug` are required. `groups` lists groups for the account to
 * join, separated by blanks; `slug` may then be empty. For an unknown address, makes an account and a link to it if
 * `origin` is given, and refuses the row otherwise.
 */
export async function importGrants(stall: Records, by: Actor, csv: string, origin: string | null = null) {
  const { store, now } = stall;
  const act = describeActs(by, now);
  const { header, rows } = await readCsv(csv, 'grants');
  const isComplete = header.includes('email') && header.includes('slug');
  if (!isComplete || header.some((column) => !COLUMNS.includes(column)))
    throw Refusal.invalid(
      `Cannot import the grants: the first line must be "${COLUMNS.join(',')}", those after "slug" optional, and reads "${header.join(',').slice(0, 200)}"`,
    );
  const turn = createTurns();
  const faults: string[] = [];
  const links: MintedLink[] = [];
  const imported: ImportedRow[] = [];
  const accountIds = new Map<string, string>();
  const grants = new Map<string, readonly Grant[]>();
  const items = new Map<string, GrantedItem>();

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
  const findAccountId = (text: string): string => {
    const name = comparableEmail(text);
    const known = accountIds.get(name);
    if (known !== undefined) return known;
    const account = store.findAccount(text.trim());
    const id = account?.id ?? (origin === null ? refuseUnknown(text) : makeAccount(text, origin));
    accountIds.set(name, id);
    return id;
  };
  const prepare = (fields: GrantRequest): NewGrant => {
    const item = items.get(fields.slug) ?? findGrantedItem(stall, fields.slug);
    items.set(fields.slug, item);
    const accountId = findAccountId(fields.email);
    const name = `${accountId} ${item.kind} ${item.itemKey}`;
    const known = grants.get(name) ?? store.findGrants(accountId, item.kind, item.itemKey);
    grants.set(name, known);
    return planGrant(fields, { accountId, item, known, at: now() });
  };

  for (const { line, record } of rows) {
    await turn();
    const field = (column: string) => record[header.indexOf(column)] || undefined;
    try {
      const [email, slug] = [field('email') ?? '', field('slug') ?? ''];
      const dates = { from: field('from'), until: field('until') };
      const groups = readGroups(stall, field('groups') ?? '');
      if (slug !== '' || groups.length === 0)
        imported.push({ type: 'grant', grant: prepare({ email, slug, ...dates, source: field('source') }) });
      for (const group of groups)
        imported.push({ type: 'member', member: { group, accountId: findAccountId(email), at: now() } });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      faults.push(`line ${line}: ${error.message}`);
    }
  }
  if (faults.length > 0) throw refuseRows('grants', faults);
  const batches: string[] = [];
  for (let at = 0; at < imported.length; at += BATCH) {
    // Batches are passed as JSON: cloning fifteen thousand objects would block the event loop longer than writing the text.
    batches.push(JSON.stringify(imported.slice(at, at + BATCH)));
    await turn();
  }
  const details = { added: rows.length, ...(links.length > 0 ? { accounts: links.length } : {}) };
  const clash = await store.write.importGrants({ batches, audit: act('grants.import', 'grants', details) });
  if (clash === null) return { added: rows.length, links };
  throw Refusal.invalid(
    `Cannot import the grants, none was added: "${clash}" has got an account in the meantime; import again`,
  );
}

function refuseUnknown(email: string): never {
  throw Refusal.missing(
    `Cannot find an account "${email}": add it, or let the import create missing accounts (--make-accounts)`,
  );
}

/** Writes ASCII letters in lower case, as SQLite does when it compares addresses. */
const comparableEmail = (text: string): string =>
  text.trim().replace(/[A-Z]/g, (letter) => letter.toLowerCase());

const STEP = 50;

type NamedItem = Pick<KnownItem, 'kind' | 'itemKey'>;

export function pagedHolders({ store, now }: Records, { kind, itemKey }: NamedItem, isLive: boolean) {
  const at = now();
  return pagesOf<Holder>((window) => {
    const grantKeys = store.listGrantKeys(kind, itemKey);
    return store.listHolders({ kind, itemKey, grantKeys, isLive, now: at }, window);
  }, STEP);
}

export function countHolders({ store, now }: Records, { kind, itemKey }: NamedItem): number {
  const grantKeys = store.listGrantKeys(kind, itemKey);
  return store.countHolders({ kind, grantKeys, now: now() });
}

export function listHolders(stall: Records, slug: string, email: string | null) {
  const item = findGrantedItem(stall, slug);
  const accountId = email === null ? null : findAccount(stall, email).id;
  return [...pagedHolders(stall, item, false).all()]
    .flat()
    .filter((holder) => accountId === null || holder.accountId === accountId)
    .map((holder) => ({ ...holder, kind: item.kind }))
    .toSorted((a, b) => compareText(a.email, b.email) || compareText(a.source, b.source));
}

/** The maximum number of items in a list of choices. In a stall with more items, the owner types the slug. */
const MOST_CHOICES = 200;

type Choices = readonly (readonly [slug: string, name: string])[];

/**
 * Lists the slugs and names of the items that can be granted, without free ones; null if the stall knows more than
 * `MOST_CHOICES` items.
 */
export function listChoices({ store, catalog }: Pick<Stall, 'store' | 'catalog'>): Choices | null {
  const items = store.listKnownItems(MOST_CHOICES + 1);
  if (items.length > MOST_CHOICES) return null;
  const { bySlug } = catalog();
  return [...new Set(items.map(({ slug }) => slug))].flatMap((slug) => {
    const manifest = bySlug.get(slug)?.manifest;
    if (manifest !== undefined && isFree(manifest)) return [];
    return [[slug, manifest === undefined ? `${slug}, no longer served` : `${manifest.title} (${slug})`]];
  });
}
