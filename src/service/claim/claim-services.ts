import type { Actor } from '../../access/actor.ts';
import { hashSecret } from '../../access/session.ts';
import type { Log } from '../../log.ts';
import { Refusal } from '../../refusal.ts';
import { type Order, stateAt } from '../../sales/order.ts';
import type { SalesConfig } from '../../sales-config.ts';
import type { Store } from '../../store/store.ts';
import { type CreatedKey, createKey } from '../keys.ts';
import type { SignInServices } from '../account/sign-in-services.ts';
import { findLink, type LinkAnswer, unusable } from '../links.ts';
import type { SignedIn } from '../account/sessions.ts';
import type { Stall } from '../stall.ts';
import { describeActs } from '../audit-entry.ts';
import { createMailRequests } from './mail-requests.ts';
import { createReturnPage } from './return-page.ts';

type Dependencies = {
  readonly store: Store;
  readonly signIn: SignInServices;
  readonly outbox: Stall['outbox'];
  readonly opensAccounts: () => boolean;
  readonly config: { readonly sales: Pick<SalesConfig, 'gumroadPing'> };
  readonly log: Log;
  readonly now: () => number;
};

/** Claiming purchases, and mails and links for accounts. */
export function createClaimServices({
  store,
  signIn,
  outbox,
  opensAccounts,
  config,
  log,
  now,
}: Dependencies) {
  /** The order of a one-time link; null if the link is about no order. Refuses one that would open nothing. */
  const findClaimed = async (secret: string): Promise<Order | null> => {
    const { orderId } = await findLink({ store, now }, secret);
    const order = orderId === null ? null : await store.findOrder(orderId);
    if (order === null) return null;
    refuseGivenBack(order, now());
    if (await store.isGiven(order.id)) throw isPresent(order);
    return order;
  };
  const takesLicenseKeys = config.sales.gumroadPing !== null;
  return {
    returnPage: createReturnPage({ store, passwords: signIn.passwords, takesLicenseKeys, now }),
    mailRequests: createMailRequests({ store, outbox, opensAccounts, log, now }),
    /** Whether a visitor can make an account by a link to their address. */
    opensAccounts: () => outbox.sends && opensAccounts(),
    news: {
      /** Whether the account's holder wants news by mail; null if this stall sends none, or the address is not verified. */
      async find(accountId: string): Promise<boolean | null> {
        const account = outbox.sends ? await store.findAccountById(accountId) : null;
        return account?.verifiedAt == null ? null : (await store.findNewsSince(accountId)) !== null;
      },
      want: (accountId: string, isWanted: boolean): Promise<void> =>
        store.write('setNews', { accountId, at: isWanted ? now() : null }),
      /** Ends news by the link of a mail; false for an unknown link. */
      end: (secret: string): Promise<boolean> =>
        store.write('endNews', { secretHash: hashSecret(secret), at: now() }),
    },
    /** The orders of an account, the newest first. */
    listPurchases: store.listAccountOrders,
    /** Whether a link that was sent to the account's address was used, or the owner made the account. */
    isVerified: async (accountId: string): Promise<boolean> =>
      (await store.findAccountById(accountId))?.verifiedAt !== null,
    /** Creates a key for a claimed purchase; null if the account has as many as it may. */
    async claimKey(
      owner: { readonly accountId: string; readonly email: string },
      ref: string,
    ): Promise<CreatedKey | null> {
      try {
        return await createKey({ store, now }, 'itself', owner, `Purchase ${ref}`, 'never');
      } catch (error) {
        if (error instanceof Refusal) return null;
        throw error;
      }
    },
    /**
     * Uses a one-time link, of an order's mail or any other, to choose a password, and signs in. The order is null if the
     * link has none. Refuses a link whose address has an account with a password: `addByLink` is its way.
     */
    async claimByLink(
      secret: string,
      answer: LinkAnswer,
    ): Promise<{ readonly order: Order | null; readonly signedIn: SignedIn }> {
      const order = await findClaimed(secret);
      return { order, signedIn: await signIn.useLink(secret, answer) };
    },
    /** Adds the order of a mail's link to the account that is signed in. */
    async addByLink(secret: string, accountId: string): Promise<Order> {
      const order = await findClaimed(secret);
      const claim = { accountId, since: 0, at: now() };
      if (order === null || !(await store.write('claimForAccount', { orderId: order.id, ...claim })))
        throw unusable();
      return order;
    },
    /** Mails an account the link that sets its first password, or another. */
    async mailLink(by: Actor, email: string): Promise<void> {
      if (!outbox.sends)
        throw new Refusal(
          'invalid-request',
          'Cannot mail a link: this stall sends no mail; create the link and send it yourself, or set BOOKSTALL_SMTP_URL',
        );
      const account = await store.findAccount(email);
      if (account === null || account.disabledAt !== null)
        throw new Refusal(
          'invalid-request',
          `Cannot mail "${email}": the account is disabled; enable it first`,
        );
      const kind = account.hasPassword ? 'reset' : 'invite';
      const at = now();
      const subject = `account:${account.id}:${at}`;
      const mail = {
        kind,
        subject,
        address: account.email,
        orderId: null,
        accountId: account.id,
        at,
      } as const;
      const audit = describeActs(by, now)('account.link', account.email, { purpose: kind, mail: true });
      await store.write('queueMails', { mails: [{ ...mail, details: {}, state: 'queued' }], audit });
      outbox.wake();
    },
  };
}

function isPresent({ ref }: Order): Refusal {
  return new Refusal(
    'not-found',
    `Cannot claim order ${ref}: it became a present, which its code opens; enter that at /redeem`,
  );
}

function refuseGivenBack(order: Order, at: number): void {
  const state = stateAt(order, at);
  if (state !== 'refunded' && state !== 'lost') return;
  throw new Refusal(
    'not-found',
    `Cannot claim order ${order.ref}: its money was given back; ask the stall if that is a mistake`,
  );
}
