import type { SessionPrincipal } from '../platform/base/principal.ts';
import { type Say, ToldRefusal } from '../platform/base/told.ts';
import { PROOF_TIME } from './second-step.ts';
import { mintRow } from './session.ts';
import type { Stall } from './stall.ts';

type Typed = { readonly password: string; readonly address: string };

/**
 * Names the proof that readers need before they change their address or password, or take their data: the password or,
 * without one, a session that began in the last 15 minutes (`sign-in`). Null for such a session, and if the stall sends no
 * mail.
 */
export function readerProof(
  { store, outbox, now }: Stall,
  { accountId, sessionId }: SessionPrincipal,
): 'password' | 'sign-in' | null {
  if (store.findAccountById(accountId)?.hasPassword === true) return 'password';
  const since = store.findSession(sessionId)?.createdAt ?? 0;
  return outbox.sends && now() - since > PROOF_TIME ? 'sign-in' : null;
}

/** Checks the proof that `readerProof` names. Returns the hash of the password; null if none was checked. */
export async function proveReader(
  stall: Stall,
  who: SessionPrincipal,
  { password, address }: Typed,
  complaint: Say,
): Promise<string | null> {
  if (stall.config.proxySignIn !== null) throw new ToldRefusal('not-found', (r) => r.account.byProxy);
  const proof = readerProof(stall, who);
  if (proof === 'sign-in') throw new ToldRefusal('unauthenticated', (r) => r.account.signInFirst);
  if (proof === null) return null;
  const { passwordHash } = await stall.passwords.authenticate(
    { email: who.email, password, address },
    complaint,
  );
  return passwordHash;
}

/**
 * Sets another password, or the first, after the proof of `proveReader`. Ends every session of the account, uses up its
 * links, and begins a new session, whose cookie it returns. A forgotten password is set by `redeemLink` instead.
 */
export async function changePassword(
  stall: Stall,
  who: SessionPrincipal,
  typed: {
    readonly current: string;
    readonly next: string;
    readonly address: string;
    readonly disconnects: boolean;
  },
): Promise<string> {
  const { current, next, address, disconnects } = typed;
  const { store, passwords, now } = stall;
  const { accountId, email, sessionId } = who;
  const from = await proveReader(stall, who, { password: current, address }, (r) => r.account.wrongCurrent);
  const to = await passwords.hash(next, email);
  const userAgent = store.findSession(sessionId)?.userAgent ?? null;
  const { cookie, row } = mintRow(accountId, { userAgent }, now());
  const change = { accountId, by: sessionId, from, to, session: row, disconnects, at: now() };
  if (await store.write.changePassword(change)) return cookie;
  throw new ToldRefusal('unauthenticated', (r) => r.account.passwordChanged);
}
