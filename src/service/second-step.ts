import type { Actor, SessionPrincipal } from '../access/principal.ts';
import { type Browser, hashSecret, isSecretOf, parseCookie } from '../access/session.ts';
import { isTotp, isTotpSecret, mintRecoveryCodes, readSecondCode, stepOf } from '../access/totp.ts';
import { formatClient } from '../budget/address.ts';
import { Refusal } from '../refusal.ts';
import type { CodeAnswer, CodeTry } from '../store/tables/second-steps.ts';
import { ToldRefusal } from '../words/told.ts';
import { findAccount } from './accounts.ts';
import { auditEntry } from './audit-entry.ts';
import { mintRow } from './sessions.ts';
import type { Records, Stall } from './stall.ts';
import { mustWait } from './throttle.ts';

/** The sign-in that waits for a code, by its cookie; null if none does, or it waited for more than five minutes. */
export function findPendingSignIn({ store, now }: Records, cookie: string | null) {
  const credential = parseCookie(cookie ?? '');
  const pending = credential && store.findPendingSignIn(credential.id, now());
  if (!credential || !pending || !isSecretOf(credential.secret, pending.secretHash)) return null;
  const { accountId, email } = pending;
  return { id: credential.id, accountId, email };
}

/** Finishes a sign-in with the code of its second step, and gives the cookie of the session. */
export async function finishSignIn(
  stall: Stall,
  cookie: string | null,
  code: string,
  { address, ...browser }: Browser & { readonly address: string },
): Promise<string> {
  const pending = findPendingSignIn(stall, cookie);
  if (pending === null) throw new ToldRefusal('unauthenticated', (r) => r.account.codeTooLate);
  const { id: pendingId, ...who } = pending;
  const { cookie: value, row: session } = mintRow(who.accountId, browser, stall.now());
  await useCode(stall, who, code, address, (tried) =>
    stall.store.write.finishSignIn({ ...tried, pendingId, session }),
  );
  return value;
}

/** The proofs that a form of the second step asks for; `address` is the client's network prefix. */
export type Proof = { readonly code: string; readonly password: string; readonly address: string };

/** Turns the second step on, ends the account's other sessions, and gives the recovery codes, which are shown only once. */
export async function turnSecondStepOn(
  stall: Stall,
  who: SessionPrincipal,
  secret: string,
  proof: Proof,
): Promise<readonly string[]> {
  const { accountId, sessionId } = who;
  await checkPassword(stall, who, proof);
  const at = stall.now();
  const step = isTotpSecret(secret) ? stepOf(secret, readSecondCode(proof.code), at) : null;
  if (step === null) throw wrongCode();
  const { codes, hashes: recovery } = mintCodes();
  const on = { accountId, secret, recovery, step, network: proof.address, sessionId, at };
  const audit = auditEntry(who, at, 'account.second-step', who.email, { on: true });
  if (await stall.store.write.addSecondStep({ ...on, audit })) return codes;
  throw Refusal.invalid('Cannot turn the second step on: it is on already');
}

/** Replaces the recovery codes, if the code is right. */
export async function renewRecoveryCodes(
  stall: Stall,
  who: SessionPrincipal,
  { code, address }: Omit<Proof, 'password'>,
): Promise<readonly string[]> {
  const { codes, hashes } = mintCodes();
  const audit = auditEntry(who, stall.now(), 'account.second-step', who.email, { recovery: true });
  await useCode(stall, who, code, address, (tried) =>
    stall.store.write.renewRecoveryCodes({ ...tried, hashes, audit }),
  );
  return codes;
}

/** Turns the second step off, if password and code are right. */
export async function turnSecondStepOff(stall: Stall, who: SessionPrincipal, proof: Proof): Promise<void> {
  await checkPassword(stall, who, proof);
  const audit = auditEntry(who, stall.now(), 'account.second-step', who.email, { on: false });
  await useCode(stall, who, proof.code, proof.address, (tried) =>
    stall.store.write.turnSecondStepOff({ ...tried, audit }),
  );
}

/** Turns an account's second step off without a code. Refuses an account that has none. */
export async function removeSecondStep(stall: Records, by: Actor, email: string): Promise<void> {
  const { id: accountId, email: subject } = findAccount(stall, email);
  const at = stall.now();
  const audit = auditEntry(by, at, 'account.second-step', subject, { on: false });
  if (await stall.store.write.removeSecondStep({ accountId, at, audit })) return;
  throw Refusal.invalid(`Cannot remove the second step of "${subject}": it has none`);
}

const checkPassword = (stall: Stall, { email }: SessionPrincipal, { password, address }: Proof) =>
  stall.passwords.authenticate({ email, password, address }, (r) => r.account.wrongStepPassword);

function mintCodes() {
  const codes = mintRecoveryCodes();
  return { codes, hashes: codes.map((code) => hashSecret(readSecondCode(code))) };
}

/** Runs a write with a typed code, which the write counts. Refuses a wrong one, and any while too many were wrong. */
async function useCode(
  stall: Stall,
  { accountId, email }: { readonly accountId: string; readonly email: string },
  text: string,
  network: string,
  write: (tried: CodeTry) => Promise<CodeAnswer>,
): Promise<void> {
  const at = stall.now();
  const typed = readSecondCode(text);
  const secret = stall.store.findSecondStep(accountId)?.secret;
  const step = secret === undefined ? null : stepOf(secret, typed, at);
  const code = isTotp(typed) ? { step } : { recovery: hashSecret(typed) };
  const { isRight, wait } = await write({ accountId, network, code, at });
  if (isRight) return stall.passwords.finish(network, email);
  if (wait > 0) throw mustWait(wait, ({ account }, seconds) => account.secondCodesLater({ seconds }));
  stall.log({ event: 'sign-in-failed', address: formatClient(network), account: accountId });
  stall.outbox.wake();
  throw wrongCode();
}

const wrongCode = (): ToldRefusal => new ToldRefusal('unauthenticated', (r) => r.account.wrongSecondCode);
