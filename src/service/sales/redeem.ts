import { isMailable, readEmail } from '../../access/email-address.ts';
import { hashKey } from '../../access/key.ts';
import { mintCode, readCode } from '../../access/redeem-code.ts';
import { MINUTE } from '../../duration.ts';
import { Refusal } from '../../refusal.ts';
import type { OfferedItem } from '../../sales/offer.ts';
import type { Order } from '../../sales/order.ts';
import type { Store } from '../../store/store.ts';
import type { CodeFault, Redeemed } from '../../store/tables/codes.ts';
import type { Passwords } from '../account/passwords.ts';
import { createRateLimit } from '../account/rate-limit.ts';
import { mintRow, type SignedIn, signedIn } from '../account/sessions.ts';
import { rowOf } from './codes.ts';

/** An address may try ten wrong codes, then one a minute. */
const WRONG = { burst: 10, interval: MINUTE };

type Dependencies = { readonly store: Store; readonly passwords: Passwords; readonly now: () => number };

/** A new account made with a code. Its address is not verified. */
type Joining = {
  readonly email: string;
  readonly password: string;
  readonly userAgent: string | null;
  readonly address: string;
};

/** The use cases of readers who have a code. `address` is the client's network prefix, for the limit on guesses. */
export function createRedeem({ store, passwords, now }: Dependencies) {
  const wrong = createRateLimit(WRONG);
  let swept = now();

  /** Runs `use` with a code's hash. Codes that open nothing are counted. */
  const attempt = async <T>(
    text: string,
    address: string,
    use: (hash: Uint8Array) => Promise<T>,
  ): Promise<T> => {
    if (text.trim() === '') throw new Refusal('invalid-request', 'Cannot redeem nothing: type a code');
    const at = now();
    if (at - swept > MINUTE) wrong.sweep((swept = at));
    const wait = wrong.wait(address, at);
    if (wait > 0) throw tooMany(wait);
    try {
      const code = readCode(text);
      if (code === null) throw faultOf('unknown');
      return await use(hashKey(code));
    } catch (error) {
      if (error instanceof Refusal && error.kind === 'not-found') wrong.take(address, at);
      throw error;
    }
  };

  return {
    /** The items that a code opens, without using it. Refuses a code that opens nothing. */
    check: (text: string, address: string): Promise<readonly OfferedItem[]> =>
      attempt(text, address, async (hash) => {
        const found = await store.checkCode(hash, now());
        if (typeof found === 'string') throw faultOf(found);
        return found;
      }),
    /** Opens a code's items to an account. Doing so again gives the same answer. */
    redeem: (text: string, accountId: string, address: string): Promise<readonly OfferedItem[]> =>
      attempt(text, address, async (hash) =>
        itemsOf(await store.write('redeemCode', { hash, accountId, at: now() })),
      ),
    /** Redeems a code with a new account, and signs it in. Refuses an address that has an account. */
    async join(
      text: string,
      { email: typed, password, userAgent, address }: Joining,
    ): Promise<{ readonly items: readonly OfferedItem[]; readonly signedIn: SignedIn }> {
      const email = readEmail(typed);
      if (!isMailable(email))
        throw new Refusal(
          'invalid-request',
          'Cannot make an account: type your e-mail address, as ada@example.org',
        );
      return attempt(text, address, async (hash) => {
        const found = await store.checkCode(hash, now());
        // Checked first, since hashing the password is slow.
        if (typeof found === 'string') throw faultOf(found);
        const account = {
          id: crypto.randomUUID(),
          email,
          passwordHash: await passwords.hash(password, email),
        };
        const { cookie, row: session } = mintRow(account.id, userAgent, now());
        const redeemed = await store.write('redeemWithAccount', { hash, account, session, at: now() });
        const items = itemsOf(redeemed);
        return { items, signedIn: signedIn(cookie, session, { accountId: account.id, email, isOwner: 0 }) };
      });
    },
    /**
     * Turns a paid order into a code for somebody else; the buyer loses the items. Refuses an order that was turned
     * before.
     */
    async give(order: Order): Promise<string> {
      const code = mintCode();
      const { id: orderId, bundle, items } = order;
      const name = bundle ?? items[0]?.slug ?? '';
      const row = {
        ...rowOf(code),
        name,
        isBundle: bundle !== null,
        items,
        orderId,
        note: 'present',
        uses: 1,
      };
      const isGiven = await store.write('giveOrder', {
        code: { ...row, until: null, createdAt: now() },
        at: now(),
      });
      if (isGiven) return code;
      throw new Refusal(
        'invalid-request',
        `Cannot turn order ${order.ref} into a present: it is one already, or it is not paid`,
      );
    },
  };
}

function itemsOf(redeemed: Redeemed): readonly OfferedItem[] {
  if ('items' in redeemed) return redeemed.items;
  if (redeemed.state === 'known')
    throw new Refusal(
      'invalid-request',
      'Cannot make an account: this address has one; sign in, then enter the code again',
    );
  throw faultOf(redeemed.state);
}

const FAULTS: Readonly<Record<CodeFault, string>> = {
  unknown: 'this stall knows no such code; compare it with the one you were given',
  revoked: 'it was withdrawn; ask the people you have it from',
  late: 'its last day is over; ask the people you have it from',
  used: 'it was used as often as it can be; ask the people you have it from',
  unpaid: 'its purchase was given back or has ended; ask the people you have it from',
};

function faultOf(fault: CodeFault): Refusal {
  return new Refusal('not-found', `Cannot redeem this code: ${FAULTS[fault]}`);
}

function tooMany(wait: number): Refusal {
  const seconds = Math.max(1, Math.ceil(wait / 1000));
  return new Refusal(
    'rate-limited',
    `Cannot redeem a code yet: too many were wrong; wait ${seconds} seconds, then try again`,
    seconds,
  );
}
