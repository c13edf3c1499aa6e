import type { Actor } from '../../access/actor.ts';
import { hashSecret, mintSecret } from '../../access/session.ts';
import { DAY, HOUR, MINUTE } from '../../duration.ts';
import { Refusal } from '../../refusal.ts';
import type { Link, LinkPurpose, NewLink } from '../../store/tables/links.ts';
import { removeSetupUrl, writeSetupUrl } from '../../store/lock/server-note.ts';
import type { Store } from '../../store/store.ts';
import { describeActs } from '../audit-entry.ts';
import { findAccount } from '../accounts.ts';

/** How long a link can be used, in milliseconds and in words, and the page that takes it. */
const PURPOSES: Readonly<
  Record<LinkPurpose, { readonly term: number; readonly words: string; readonly path: string }>
> = {
  setup: { term: 30 * MINUTE, words: '30 minutes', path: '/set-up' },
  invite: { term: 72 * HOUR, words: '72 hours', path: '/invite' },
  reset: { term: 72 * HOUR, words: '72 hours', path: '/reset' },
  claim: { term: 7 * DAY, words: '7 days', path: '/claim' },
  open: { term: 72 * HOUR, words: '72 hours', path: '/open' },
  unsubscribe: { term: 365 * DAY, words: 'a year', path: '/unsubscribe' },
};

/** 256 bits as `mintSecret` spells them. */
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** A link just made: the only time its secret is seen, in the fragment, which no browser sends and no log keeps. */
export type CreatedLink = MintedLink & { readonly id: number };

/** A link that is not written yet. */
export type MintedLink = {
  readonly url: string;
  readonly purpose: LinkPurpose;
  readonly email: string | null;
  readonly expiresAt: number;
  /** The same as a length of time, in words. */
  readonly validFor: string;
};

/** The use cases of one-time links, except setting a password with one: `createRedeemLink`. */
export function createLinks(store: Store, dataDirectory: string, by: Actor, now: () => number) {
  const act = describeActs(by, now);
  const mint = async (
    purpose: LinkPurpose,
    account: { readonly id: string; readonly email: string } | null,
    origin: string,
  ): Promise<CreatedLink> => {
    const { row, link } = mintLink({ purpose, account }, origin, now());
    const audit = account === null ? undefined : act('account.link', account.email, { purpose });
    return { id: await store.write('addLink', { ...row, audit }), ...link };
  };

  return {
    /** A link that sets the first password (`invite`) or another (`reset`). Refuses a disabled account, and an invite if a password is set. */
    async create(email: string, purpose: 'invite' | 'reset', origin: string): Promise<CreatedLink> {
      const account = await findAccount({ store }, email);
      if (account.disabledAt !== null)
        throw cannotMake(account.email, 'the account is disabled; enable it first');
      if (purpose === 'invite' && account.hasPassword)
        throw cannotMake(account.email, 'a password is set already; make a reset link (--reset) instead');
      return mint(purpose, account, origin);
    },
    /** Describes a link without using it up; `email` is null for a set-up link. Refuses not-found if it cannot be used. */
    async find(secret: string): Promise<Link> {
      const link = SECRET.test(secret) ? await store.findLink(hashSecret(secret), now()) : null;
      if (link === null || link.purpose === 'unsubscribe') throw unusable();
      return link;
    },
    /** The links that can be used now, the newest first. */
    list: (): Promise<readonly Link[]> => store.listLinks(now()),
    async revoke(id: number): Promise<void> {
      const link = (await store.listLinks(now())).find((one) => one.id === id);
      const audit = act('link.revoke', link?.email ?? 'set-up', { purpose: link?.purpose ?? null });
      if (await store.write('revokeLink', { id, at: now(), audit })) return;
      throw new Refusal('not-found', 'Cannot revoke that link: it is used up or revoked already');
    },
    /** The first owner's set-up link, new at each start and kept in `<data>/setup-url`; null if the stall has an owner. */
    async ensureSetup(origin: string): Promise<CreatedLink | null> {
      if ((await store.findOwner()) !== null) {
        removeSetupUrl(dataDirectory);
        return null;
      }
      const link = await mint('setup', null, origin);
      writeSetupUrl(dataDirectory, link.url);
      return link;
    },
  };
}

/** The target of a link. One to claim an order or to create an account names the address that it is sent to. */
export type LinkSubject = {
  readonly purpose: LinkPurpose;
  readonly account?: { readonly id: string; readonly email: string } | null;
  readonly orderId?: number | null;
  readonly address?: string | null;
  /** The mail it is in. */
  readonly outboxId?: number | null;
};

/** Mints a link of an origin: the row that keeps its hash, and the link itself. */
export function mintLink(
  { purpose, account = null, orderId = null, address = null, outboxId = null }: LinkSubject,
  origin: string,
  createdAt: number,
): { readonly row: NewLink; readonly link: MintedLink } {
  const { term, words, path } = PURPOSES[purpose];
  const secret = mintSecret();
  const expiresAt = createdAt + term;
  const accountId = account?.id ?? null;
  const secretHash = hashSecret(secret);
  return {
    row: { purpose, accountId, orderId, address, outboxId, createdAt, expiresAt, secretHash },
    link: {
      // Mail programs send the form of RFC 8058 to an address: a fragment would not get there.
      url: `${origin}${path}${purpose === 'unsubscribe' ? '/' : '#'}${secret}`,
      purpose,
      email: account?.email ?? address,
      expiresAt,
      validFor: words,
    },
  };
}

export type Links = ReturnType<typeof createLinks>;

/** The refusal of a link that is unknown, used up, revoked, expired or of a disabled account; it does not say which. */
export function unusable(): Refusal {
  return new Refusal(
    'not-found',
    'Cannot use this link: it is used up, has expired or was never made here; sign in if you have an account, or ask the stall for a new one',
  );
}

function cannotMake(email: string, reason: string): Refusal {
  return new Refusal('invalid-request', `Cannot make a link for "${email}": ${reason}`);
}
