import { Refusal } from '../platform/base/refusal.ts';
import type { Actor, SessionPrincipal } from '../platform/base/principal.ts';
import { type Browser, parseCookie, type Session } from './session.rule.ts';
import { hashSecret, isSecretOf } from './secret.rule.ts';
import { isTotpSecret, mintRecoveryCodes, readSecondCode, stepOf } from './totp.rule.ts';
import { MINUTE } from '../platform/base/duration.ts';
import type { CodeAnswer, CodeTry } from './second-step.sql.ts';
import { ToldRefusal, OfficeRefusal } from '../platform/base/told.ts';
import { findAccount } from './account.ts';
import { auditEntry } from '../platform/store/audit-entry.ts';
import { mintRow } from './session.ts';
import type { Records, Stall } from './stall.ts';
import { logFailedSignIn, mustWait } from './throttle.ts';

type TypedCode = { readonly code: string; readonly address: string };

export function findPendingSignIn({ store, now }: Records, cookie: string | null) {
  const { id, secret } = parseCookie(cookie ?? '') ?? { id: '', secret: '' };
  const pending = store.findPendingSignIn(id, now());
  return pending !== null && isSecretOf(secret, pending.secretHash) ? { ...pending, id } : null;
}

/**
 * Finishes a two-factor sign-in by its code, and returns the session's cookie. Refuses a wrong code, and one that comes
 * after five minutes.
 */
export async function finishSignIn(
  stall: Stall,
  cookie: string | null,
  { code, address, ...browser }: Browser & TypedCode,
): Promise<string> {
  const pending = findPendingSignIn(stall, cookie);
  if (pending === null) throw new ToldRefusal('unauthenticated', (r) => r.account.codeTooLate);
  const { cookie: value, row: session } = mintRow(pending.accountId, browser, stall.now());
  const tried = readTry(stall, pending.accountId, { code, address });
  const answer = await stall.store.write.finishSignIn({ ...tried, pendingId: pending.id, session });
  settle(stall, pending.email, tried, answer);
  return value;
}

/**
 * Turns two-factor sign-in on or off, or makes new recovery codes (`renew`), if password and code are right. Returns
 * the recovery codes. Ends the account's other sessions. `secret` is used only to turn it on.
 */
export async function changeSecondStep(
  stall: Stall,
  who: SessionPrincipal,
  act: 'on' | 'renew' | 'off',
  { password, secret: given, ...typed }: TypedCode & Readonly<Record<'password' | 'secret', string>>,
): Promise<readonly string[]> {
  const { accountId, email, sessionId } = who;
  const attempt = { email, password, address: typed.address };
  await stall.passwords.authenticate(attempt, (r) => r.account.wrongStepPassword);
  const codes = act === 'off' ? [] : mintRecoveryCodes();
  const hashes = act === 'off' ? null : codes.map((code) => hashSecret(readSecondCode(code)));
  const audit = auditEntry(who, stall.now(), 'account.second-step', email, { act });
  const secret = act === 'on' ? given : null;
  const tried = readTry(stall, accountId, typed, secret);
  // Behind a proxy, the browsers of one network may share a session. Turning two-factor sign-in on ends that session as
  // well, so that each browser has to send a code.
  const stays = act === 'on' && stall.config.proxySignIn !== null ? null : sessionId;
  const change = { ...tried, secret, hashes, sessionId: stays, audit };
  settle(stall, email, tried, await stall.store.write.changeSecondStep(change));
  return codes;
}

/**
 * How long after its sign-in, or its last code or password, a session may make protected changes without another proof, in
 * milliseconds.
 */
export const PROOF_TIME = 15 * MINUTE;

/** When each session of a stall last sent a code or a password, apart from its sign-in. */
const confirmed = new WeakMap<Stall, Map<string, number>>();

export function needsCode(stall: Stall, { accountId, sessionId }: SessionPrincipal): boolean {
  const { store } = stall;
  if (store.findSecondStep(accountId) === null) return false;
  const session = store.findSession(sessionId);
  return session === null || isOld(stall, session);
}

function isOld(stall: Stall, { id, createdAt, endedAt }: Session): boolean {
  // A form's body may arrive long after its headers, so the session may have ended.
  return endedAt !== null || stall.now() - (confirmed.get(stall)?.get(id) ?? createdAt) > PROOF_TIME;
}

export async function confirmCode(stall: Stall, who: SessionPrincipal, typed: TypedCode): Promise<void> {
  if (!needsCode(stall, who)) return;
  if (typed.code === '') throw new OfficeRefusal('invalid-request', (r) => r.needsCode);
  const tried = readTry(stall, who.accountId, typed);
  settle(stall, who.email, tried, await stall.store.write.tryCode(tried));
  confirmed.getOrInsertComputed(stall, () => new Map()).set(who.sessionId, stall.now());
}

/** The proof that a session must send before it changes a secret of the stall: 'sign-in' means a new session, null nothing. */
export type Proof = 'password' | 'code' | 'sign-in' | null;

export function proofOf(stall: Stall, { accountId, sessionId }: SessionPrincipal): Proof {
  const session = stall.store.findSession(sessionId);
  if (session !== null && !isOld(stall, session)) return null;
  if (stall.config.proxySignIn === null) return 'password';
  return stall.store.findSecondStep(accountId) === null ? 'sign-in' : 'code';
}

/** Checks the proof that `proofOf` demands. Refuses a wrong or missing password or code, and a session that is too old. */
export async function prove(
  stall: Stall,
  who: SessionPrincipal,
  { password, ...typed }: TypedCode & { readonly password: string },
): Promise<void> {
  const proof = proofOf(stall, who);
  if (proof === null) return;
  if (proof === 'code') return confirmCode(stall, who, typed);
  if (proof === 'sign-in') throw new OfficeRefusal('access-denied', (r) => r.needsProxySignIn);
  if (password === '') throw new OfficeRefusal('invalid-request', (r) => r.needsPasswordAgain);
  await stall.passwords.authenticate(
    { email: who.email, password, address: typed.address },
    (r) => r.account.wrongPassword,
  );
  stall.passwords.finish(typed.address, who.email);
  confirmed.getOrInsertComputed(stall, () => new Map()).set(who.sessionId, stall.now());
}

/**
 * Checks the password, even of a new session, and then the code as `confirmCode` does. Behind a sign-in proxy, checks what
 * `prove` checks.
 */
export async function proveWithPassword(
  stall: Stall,
  who: SessionPrincipal,
  { password, ...typed }: TypedCode & { readonly password: string },
): Promise<void> {
  if (stall.config.proxySignIn !== null) return prove(stall, who, { password, ...typed });
  if (password === '') throw new OfficeRefusal('invalid-request', (r) => r.noPassword);
  await stall.passwords.authenticate(
    { email: who.email, password, address: typed.address },
    (r) => r.account.wrongPassword,
  );
  if (needsCode(stall, who)) return confirmCode(stall, who, typed);
  stall.passwords.finish(typed.address, who.email);
}

export async function removeSecondStep(stall: Records, by: Actor, email: string): Promise<void> {
  const { id: accountId, email: subject } = findAccount(stall, email);
  const at = stall.now();
  const audit = auditEntry(by, at, 'account.second-step', subject, { act: 'off' });
  if (await stall.store.write.removeSecondStep({ accountId, at, audit })) return;
  throw Refusal.invalid(`Cannot remove the second step of "${subject}": it has none`);
}

/**
 * Prepares a typed code to be checked in the store. For a code of an app, `step` is the half minute that it belongs to, by
 * the secret `given` or else the stored one.
 */
function readTry(
  { store, now }: Records,
  accountId: string,
  { code, address: network }: TypedCode,
  given: string | null = null,
): CodeTry {
  const [typed, at] = [readSecondCode(code), now()];
  const secret = given ?? store.findSecondStep(accountId)?.secret ?? '';
  const isTotp = /^\d{6}$/.test(typed);
  const step = isTotp && isTotpSecret(secret) ? stepOf(secret, typed, at) : null;
  return { accountId, network, recovery: isTotp ? null : hashSecret(typed), step, at };
}

/**
 * Refuses a wrong code, and every code after too many wrong ones. After a right code, the password no longer counts as a
 * guess.
 */
function settle(
  { passwords, log }: Stall,
  email: string,
  { accountId, network }: CodeTry,
  answer: CodeAnswer,
): void {
  if (answer === 'right') return passwords.finish(network, email);
  if (answer !== 'wrong') throw mustWait(answer, (r, seconds) => r.account.secondCodesLater({ seconds }));
  logFailedSignIn(log, network, accountId);
  throw new ToldRefusal('unauthenticated', (r) => r.account.wrongSecondCode);
}
