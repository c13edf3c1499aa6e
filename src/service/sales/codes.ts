import type { Actor } from '../../access/actor.ts';
import { hashKey } from '../../access/key.ts';
import { codePrefix, mintCode } from '../../access/redeem-code.ts';
import { Refusal } from '../../refusal.ts';
import type { OfferedItem } from '../../sales/offer.ts';
import type { NewCode, StoredCode } from '../../store/tables/codes.ts';
import type { Store } from '../../store/store.ts';
import { describeActs } from '../audit-entry.ts';
import { readInstant } from '../instant.ts';
import { findItem } from './orders.ts';

/** A bundle by its slug, as stall.yaml names it. */
export type NamedBundle = { readonly slug: string; readonly items: readonly string[] };

/** The codes to create: `count` codes for `uses` accounts each, until a day. `orderId` is the order they came from. */
export type CodeRequest = {
  readonly slug: string;
  readonly bundles: readonly NamedBundle[];
  readonly count: number;
  readonly uses: number;
  readonly until: string | null;
  readonly note: string;
  readonly orderId: number | null;
};

/** New codes and the items that they open. The codes are never shown again. */
export type CreatedCodes = {
  readonly codes: readonly string[];
  readonly items: readonly OfferedItem[];
  readonly until: number | null;
};

const MOST_CODES = 1000;
const MOST_USES = 100_000;
const LONGEST_NOTE = 200;
/** The most codes in a list. */
const LISTED = 5000;

/** The owner's use cases of codes. A code opens an item or a bundle, once for each account. */
export function createCodes(store: Store, by: Actor, now: () => number) {
  const describe = describeActs(by, now);

  return {
    /** Creates codes, which are shown only once. */
    async create({ slug, bundles, count, uses, until, note, orderId }: CodeRequest): Promise<CreatedCodes> {
      refuseCounts(count, uses, note);
      const end = until === null ? null : readInstant(until);
      if (end !== null && end <= now())
        throw new Refusal('invalid-request', `Cannot make codes until ${until}: that day is over`);
      if (orderId !== null && (await store.findOrder(orderId)) === null)
        throw new Refusal(
          'not-found',
          `Cannot find order ${orderId}: "bookstall orders list" shows them all`,
        );
      const bundle = bundles.find((one) => one.slug === slug);
      const items = await Promise.all((bundle?.items ?? [slug]).map((one) => findItem(store, one)));
      const made = Array.from({ length: count }, mintCode);
      const isBundle = bundle !== undefined;
      const shared = { name: slug, isBundle, items, orderId, note, uses, until: end, createdAt: now() };
      const audit = describe('code.create', slug, { codes: count, uses });
      await store.write('addCodes', { codes: made.map((code) => ({ ...rowOf(code), ...shared })), audit });
      return { codes: made, items, until: end };
    },
    /** The newest first, without the codes themselves. */
    list: (): Promise<readonly StoredCode[]> => store.listCodes(LISTED),
    /** A code by its number. Refuses not-found. */
    find,
    /** Ends a code; what it opened stays open. Refuses one that was revoked. */
    async revoke(id: number): Promise<StoredCode> {
      const code = await find(id);
      const audit = describe('code.revoke', `code ${code.prefix}`, { item: code.name });
      if (await store.write('revokeCode', { id, at: now(), audit })) return code;
      throw new Refusal('invalid-request', `Cannot revoke code ${id}: it was revoked before`);
    },
  };

  async function find(id: number): Promise<StoredCode> {
    const code = await store.findCode(id);
    if (code !== null) return code;
    throw new Refusal('not-found', `Cannot find code ${id}: "bookstall code list" shows them all`);
  }
}

/** The stored row of a code, which holds only its hash. */
export function rowOf(code: string): Pick<NewCode, 'hash' | 'prefix'> {
  return { hash: hashKey(code), prefix: codePrefix(code) };
}

/** The state of a code in a word. */
export function stateOfCode({ revokedAt, until, used, uses }: StoredCode, now: number): string {
  if (revokedAt !== null) return 'revoked';
  if (until !== null && until <= now) return 'over';
  return used >= uses ? 'used' : 'open';
}

function refuseCounts(count: number, uses: number, note: string): void {
  const isWhole = (number: number, most: number): boolean =>
    Number.isInteger(number) && number >= 1 && number <= most;
  if (!isWhole(count, MOST_CODES))
    throw new Refusal('invalid-request', `Cannot make so many codes: give a number from 1 to ${MOST_CODES}`);
  if (!isWhole(uses, MOST_USES))
    throw new Refusal(
      'invalid-request',
      `Cannot give a code so many uses: give a number from 1 to ${MOST_USES}`,
    );
  if (note.length > LONGEST_NOTE || /\p{Cc}/u.test(note))
    throw new Refusal(
      'invalid-request',
      `Cannot use this note: write one line of at most ${LONGEST_NOTE} characters`,
    );
}
