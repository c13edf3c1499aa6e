import { foldEmail, isMailable, readEmail } from '../../access/email-address.ts';
import type { Log } from '../../log.ts';
import { messageOf } from '../../refusal.ts';
import type { NewMail } from '../../sales/outbox.ts';
import type { Store } from '../../store/store.ts';
import type { Stall } from '../stall.ts';
import { createHourlyLimit } from './hourly-limit.ts';

/** Mails that an address, or a client, may ask for in an hour. */
const AN_HOUR = 3;

/** The same for an IPv6 site, whose /48 holds 65,536 clients (RFC 6177 §2). */
const AN_HOUR_BY_SITE = 12;

type Dependencies = {
  readonly store: Store;
  readonly outbox: Stall['outbox'];
  readonly opensAccounts: () => boolean;
  readonly log: Log;
  readonly now: () => number;
};

/** Asks for a mail to an address. The caller never learns whether one is sent. */
type AskForMail = (address: string, client: string) => void;

/**
 * The mails that anyone can ask for. A request takes the same time whether or not the address is known: nothing waits
 * for its result.
 */
export function createMailRequests({ store, outbox, opensAccounts, log, now }: Dependencies) {
  const requestOf = (act: (address: string) => Promise<unknown>): AskForMail => {
    const [byAddress, byClient] = [createHourlyLimit(AN_HOUR), createHourlyLimit(AN_HOUR)];
    const bySite = createHourlyLimit(AN_HOUR_BY_SITE);
    return (text, client) => {
      const address = readEmail(text);
      if (!isMailable(address) || !outbox.sends) return;
      if (!byClient(client, now()) || !bySite(siteOf(client), now())) return;
      if (!byAddress(foldEmail(address), now())) return;
      act(address).then(outbox.wake, (error: unknown) =>
        log({ event: 'mail-late', message: `Cannot queue a mail: ${messageOf(error)}` }),
      );
    };
  };
  const queue = (mail: Pick<NewMail, 'kind' | 'subject' | 'address' | 'accountId'>) => {
    const rest = { orderId: null, details: {}, state: 'queued', at: now() } as const;
    return store.write('queueMails', { mails: [{ ...mail, ...rest }] });
  };
  /** Sent to the account's own address, not to the typed one, which may be a look-alike. */
  const sendReset = async (address: string): Promise<boolean> => {
    const account = await store.findAccountByAddress(address);
    if (account === null || account.disabledAt !== null) return false;
    const subject = `account:${account.id}:${now()}`;
    await queue({ kind: 'reset', subject, address: account.email, accountId: account.id });
    return true;
  };

  return {
    /** Sends the newest order's mail to its buyer once more. */
    claim: requestOf((address) => store.write('repeatOrderMail', { address, at: now() })),
    /** Sends a link that sets a new password. */
    reset: requestOf(sendReset),
    /** Sends a link that makes an account; to an account that exists, one that sets its password. */
    open: requestOf(async (address) => {
      if (!opensAccounts() || (await sendReset(address))) return;
      await queue({ kind: 'open', subject: `open:${now()}`, address, accountId: null });
    }),
  };
}

/** The /48 around a client's IPv6 /64, as `ClientAddress` writes it; an IPv4 address is its own. */
function siteOf(client: string): string {
  return client.split(':').slice(0, 3).join(':');
}
