import type { Browser } from '../accounts/session.rule.ts';
import type { Actor } from '../platform/base/principal.ts';
import { isMailable, readEmail } from '../platform/base/email-address.ts';
import { hashKey } from '../platform/base/key.ts';
import { codePrefix, mintCode, readCode } from './redeem-code.rule.ts';
import { Refusal } from '../platform/base/refusal.ts';
import type { OfferedItem } from '../catalog/item.rule.ts';
import { type Order, stateAt } from './order.rule.ts';
import type { CodeFault, NewCode, Redeemed, StoredCode } from './code.sql.ts';
import { auditEntry } from '../platform/store/audit-entry.ts';
import { readInstant } from '../platform/base/duration.ts';
import { findItem, findOrder } from './order.ts';
import { mintMember } from '../accounts/session.ts';
import { mustWait } from '../accounts/throttle.ts';
import type { Records, Stall } from './stall.ts';
import { ToldRefusal, OfficeRefusal } from '../platform/base/told.ts';
import { object, text } from '../platform/http/shape.ts';

/**
 * A request for new codes: `count` codes, each for `uses` accounts, valid until the ISO 8601 time `until`, null for no
 * end. `bundles` are those of stall.yaml; `orderId` is the order that pays for them.
 */
type CodeRequest = Pick<StoredCode, 'uses' | 'note' | 'orderId'> & {
  readonly slug: string;
  readonly bundles: readonly { readonly slug: string; readonly items: readonly string[] }[];
  readonly count: number;
  readonly until: string | null;
};

const MOST_CODES = 1000;
const MOST_USES = 100_000;
export const LONGEST_CODE_NOTE = 200;

export const CODE_BODY = object({ code: text('A code of this stall, svg_….') });

const MOST_LISTED_CODES = 5000;

/** Creates codes, which are shown only once. A code opens an item or a bundle, once for each account. */
export async function createCodes(stall: Records, by: Actor, request: CodeRequest) {
  const { slug, bundles, count, uses, until, note, orderId } = request;
  refuseCounts(count, uses, note);
  const at = stall.now();
  const end = until === null ? null : readInstant(until);
  if (end !== null && end <= at)
    throw new OfficeRefusal('invalid-request', (r) => r.codesUntil({ until: until ?? '' }));
  if (orderId !== null) findOrder(stall, orderId);
  const bundle = bundles.find((one) => one.slug === slug);
  const items = (bundle?.items ?? [slug]).map((one) => findItem(stall, one));
  const made = Array.from({ length: count }, mintCode);
  const isBundle = bundle !== undefined;
  const shared = { name: slug, isBundle, items, orderId, note, uses, until: end, createdAt: at };
  const audit = auditEntry(by, at, 'code.create', slug, { codes: count, uses });
  const codes = made.map((code) => ({ ...rowOf(code), ...shared }));
  await stall.store.write.addCodes({ codes, audit });
  return { codes: made, items, until: end };
}

export type CreatedCodes = Awaited<ReturnType<typeof createCodes>>;

export const listCodes = ({ store }: Records): readonly StoredCode[] => store.listCodes(MOST_LISTED_CODES);

export function findCode({ store }: Records, id: number): StoredCode {
  const code = store.findCode(id);
  if (code !== null) return code;
  throw new OfficeRefusal('not-found', (r) => r.noCodeOf({ id }));
}

/** Ends a code; items that it opened stay open. Refuses a code that is already revoked. */
export async function revokeCode(stall: Records, by: Actor, id: number): Promise<StoredCode> {
  const code = findCode(stall, id);
  const at = stall.now();
  const audit = auditEntry(by, at, 'code.revoke', `code ${code.prefix}`, { item: code.name });
  if (await stall.store.write.revokeCode({ id, at, audit })) return code;
  throw new OfficeRefusal('invalid-request', (r) => r.codeRevoked({ id }));
}

function rowOf(code: string): Pick<NewCode, 'hash' | 'prefix'> {
  return { hash: hashKey(code), prefix: codePrefix(code) };
}

export function stateOfCode({ revokedAt, orderState, until, used, uses }: StoredCode, now: number) {
  if (revokedAt !== null) return 'revoked';
  if (orderState !== null && orderState !== 'paid') return 'ended';
  if (until !== null && until <= now) return 'over';
  return used >= uses ? 'used' : 'open';
}

function refuseCounts(count: number, uses: number, note: string): void {
  const isWhole = (number: number, most: number): boolean =>
    Number.isInteger(number) && number >= 1 && number <= most;
  if (!isWhole(count, MOST_CODES))
    throw new OfficeRefusal('invalid-request', (r) => r.tooManyCodes({ mostCodes: MOST_CODES }));
  if (!isWhole(uses, MOST_USES))
    throw new OfficeRefusal('invalid-request', (r) => r.tooManyUses({ mostUses: MOST_USES }));
  if (note.length > LONGEST_CODE_NOTE || /\p{Cc}/u.test(note))
    throw new OfficeRefusal('invalid-request', (r) => r.codeNote({ longestCodeNote: LONGEST_CODE_NOTE }));
}

/** A visitor who makes an account with a code. `email` is unverified, `address` the visitor's network. */
type Joining = Browser & {
  readonly email: string;
  readonly address: string;
};

/**
 * Lists the items that a code would open, without using it. Refuses a code that opens nothing. `address` is the
 * client's network, whose wrong guesses are limited.
 */
export const checkCode = (stall: Stall, text: string, address: string): Promise<readonly OfferedItem[]> =>
  attempt(stall, text, address, async (hash) => findOpened(stall, hash));

/** Opens a code's items to an account, and returns them. A second call by the account changes nothing. */
export const redeemCode = (
  stall: Stall,
  text: string,
  { accountId, address }: { readonly accountId: string; readonly address: string },
) =>
  attempt(stall, text, address, async (hash) =>
    itemsOf(await stall.store.write.redeemCode({ hash, accountId, at: stall.now() })),
  );

/** Creates an account without a password, opens a code's items to it and signs it in. Refuses an address with an account. */
export async function joinByCode(
  stall: Stall,
  text: string,
  { email: typed, address, ...browser }: Joining,
): Promise<{ readonly items: readonly OfferedItem[]; readonly cookie: string }> {
  const email = readEmail(typed);
  if (!isMailable(email)) throw new ToldRefusal('invalid-request', (r) => r.account.codeNeedsEmail);
  return attempt(stall, text, address, async (hash) => {
    const { account, session, cookie } = mintMember(stall, { email, ...browser });
    const change = { hash, account, session, at: stall.now() };
    return { items: itemsOf(await stall.store.write.redeemWithAccount(change)), cookie };
  });
}

/**
 * Turns a paid order into a code, as a present for somebody else; the buyer loses the items. Refuses an order that is not
 * paid or is a present already.
 */
export async function giveOrder({ store, now }: Records, order: Order): Promise<string> {
  const code = mintCode();
  const { id: orderId, bundle, items } = order;
  const at = now();
  const opens = { name: bundle ?? items[0]?.slug ?? '', isBundle: bundle !== null, items, orderId };
  const row = { ...rowOf(code), ...opens, note: 'present', uses: 1, until: null, createdAt: at };
  if (await store.write.giveOrder({ code: row, at })) return code;
  throw new ToldRefusal('invalid-request', (r) => r.account.presentBefore(order));
}

export function mintCopies(orderId: number, origin: string) {
  const code = mintCode();
  return { row: { ...rowOf(code), orderId }, url: `${origin}/redeem#${code}` };
}

/** Makes a new link to the copies that the buyer of an order gives away; the earlier link ends. Refuses not-found. */
export async function linkToCopies({ store, origin, now }: Stall, accountId: string, ref: string) {
  const order = store.listAccountOrders(accountId).find((one) => one.ref === ref);
  if (order !== undefined && stateAt(order, now()) === 'paid') {
    const { row, url } = mintCopies(order.id, origin());
    if (await store.write.renewCopies(row)) return { order, url };
  }
  throw new ToldRefusal('not-found', (r) => r.account.noCopies);
}

/**
 * Hashes a code and calls `use` with the hash. If the code opens nothing, counts a wrong guess from `address`, the
 * client's network; after too many, refuses every code from there.
 */
async function attempt<T>(
  { codeGuesses, now }: Stall,
  text: string,
  address: string,
  use: (hash: Uint8Array) => Promise<T>,
): Promise<T> {
  if (text.trim() === '') throw new ToldRefusal('invalid-request', (r) => r.account.codeEmpty);
  const at = now();
  const wait = codeGuesses.wait(address, at);
  if (wait > 0) throw mustWait(wait, ({ account }, seconds) => account.codesLater({ seconds }));
  try {
    const code = readCode(text);
    if (code === null) throw faultOf('unknown');
    return await use(hashKey(code));
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'not-found') codeGuesses.take(address, at);
    throw error;
  }
}

function findOpened({ store, now }: Records, hash: Uint8Array): readonly OfferedItem[] {
  const found = store.checkCode(hash, now());
  if (typeof found === 'string') throw faultOf(found);
  return found;
}

function itemsOf(redeemed: Redeemed): readonly OfferedItem[] {
  if ('items' in redeemed) return redeemed.items;
  if (redeemed.state === 'known') throw new ToldRefusal('invalid-request', (r) => r.account.codeOfAccount);
  if (redeemed.state === 'own') throw new ToldRefusal('invalid-request', (r) => r.account.codeForOthers);
  throw faultOf(redeemed.state);
}

const faultOf = (fault: CodeFault): ToldRefusal => new ToldRefusal('not-found', (r) => r.account.code[fault]);
