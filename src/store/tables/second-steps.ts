import { DAY, HOUR } from '../../duration.ts';
import { type Audited, logAct } from './audit-log.ts';
import { queueMail } from './outbox.ts';
import { endSessions, insertSession, type NewSession } from './sessions.ts';
import type { Statements } from '../statements.ts';

/** An account's second step; `recoveryCodes` counts those that are left. Times are milliseconds since 1970 UTC. */
export type SecondStep = {
  readonly secret: string;
  readonly createdAt: number;
  readonly recoveryCodes: number;
};

/** A typed code: the step whose code it is, null if it is of none, or the SHA-256 of a recovery code. */
export type CodeTry = {
  readonly accountId: string;
  readonly network: string;
  readonly code: { readonly step: number | null } | { readonly recovery: Uint8Array };
  readonly at: number;
};

/** `wait` is how long no code counts, in milliseconds; 0 after a code that was tried. */
export type CodeAnswer = { readonly isRight: boolean; readonly wait: number };

/** A sign-in that waits for its code. */
type PendingSignIn = { readonly accountId: string; readonly secretHash: Uint8Array; readonly email: string };

type TurnOn = {
  readonly accountId: string;
  readonly secret: string;
  readonly recovery: readonly Uint8Array[];
  /** The step of the code that proved the secret. */
  readonly step: number;
  readonly network: string;
  /** The session that stays. */
  readonly sessionId: string;
  readonly at: number;
} & Audited;

/** Wrong codes that a network may send in a time: those from which a right code came each, all others together. */
const MOST_CODES = [
  { count: 10, time: HOUR },
  { count: 20, time: DAY },
];
/** Wrong recovery codes, of each network. */
const MOST_RECOVERY_CODES = MOST_CODES.slice(0, 1);

/** After so many wrong codes in a day the account is mailed, once a day at most. */
const MANY = 10;

export const secondStepReads = (db: Statements) => ({
  /** The second step of an account, or null. */
  findSecondStep: (accountId: string) =>
    db.one<SecondStep>`SELECT secret, created_at AS createdAt,
      (SELECT count(*) FROM recovery_codes WHERE account_id = ${accountId}) AS recoveryCodes
      FROM second_steps WHERE account_id = ${accountId}`,
  findPendingSignIn: (id: string, now: number) =>
    db.one<PendingSignIn>`SELECT account_id AS accountId, secret_hash AS secretHash, email
      FROM pending_sign_ins JOIN accounts ON accounts.id = account_id
      WHERE pending_sign_ins.id = ${id} AND pending_sign_ins.expires_at > ${now} AND disabled_at IS NULL`,
});

export function secondStepWrites(db: Statements) {
  const addRecoveryCodes = (accountId: string, hashes: readonly Uint8Array[]): void => {
    db.run`DELETE FROM recovery_codes WHERE account_id = ${accountId}`;
    for (const hash of hashes) db.run`INSERT INTO recovery_codes VALUES (${accountId}, ${hash})`;
  };
  /** Removes an account's second step, and tells its holder; false if it has none. */
  const remove = ({ accountId, at, audit }: { accountId: string; at: number } & Audited): boolean => {
    if (db.run`DELETE FROM second_steps WHERE account_id = ${accountId}`.changes === 0) return false;
    logAct(db, audit);
    mailHolder(db, 'step-off', accountId, at);
    return true;
  };
  return {
    /** Ends the account's other sessions. False if it has a second step already. */
    addSecondStep({ accountId, secret, recovery, step, network, sessionId, at, audit }: TurnOn): boolean {
      const { changes } = db.run`INSERT INTO second_steps (account_id, secret, last_step, created_at)
        VALUES (${accountId}, ${secret}, ${step}, ${at}) ON CONFLICT DO NOTHING`;
      if (changes === 0) return false;
      addRecoveryCodes(accountId, recovery);
      addNetwork(db, accountId, network, at);
      endSessions(db, accountId, at, sessionId);
      logAct(db, audit);
      return true;
    },
    /** Turns a pending sign-in into a session if the code is right. */
    finishSignIn(tried: CodeTry & { readonly pendingId: string; readonly session: NewSession }): CodeAnswer {
      const answer = tryCode(db, tried);
      if (!answer.isRight) return answer;
      // Two right codes at once, or a second step that was removed meanwhile.
      const { changes } = db.run`DELETE FROM pending_sign_ins WHERE id = ${tried.pendingId}`;
      if (changes === 1) insertSession(db, tried.session);
      return { isRight: changes === 1, wait: 0 };
    },
    /** Replaces the recovery codes if the code is right. */
    renewRecoveryCodes({
      hashes,
      audit,
      ...tried
    }: CodeTry & { readonly hashes: readonly Uint8Array[] } & Audited) {
      const answer = tryCode(db, tried);
      if (!answer.isRight) return answer;
      addRecoveryCodes(tried.accountId, hashes);
      logAct(db, audit);
      return answer;
    },
    /** Removes the second step if the code is right. */
    turnSecondStepOff({ audit, ...tried }: CodeTry & Audited): CodeAnswer {
      const answer = tryCode(db, tried);
      if (answer.isRight) remove({ ...tried, ...(audit && { audit }) });
      return answer;
    },
    removeSecondStep: remove,
  };
}

/** Counts a code as used if it is right, else as wrong; a code that must wait is neither. */
function tryCode(db: Statements, { accountId, network, code, at }: CodeTry): CodeAnswer {
  db.run`DELETE FROM wrong_codes WHERE at <= ${at - DAY}`;
  const kind = 'step' in code ? 'code' : 'recovery';
  const isKnown =
    kind === 'recovery' ||
    db.has`SELECT 1 FROM code_networks WHERE account_id = ${accountId} AND network = ${network}`;
  const place = isKnown ? network : '';
  const most = kind === 'code' ? MOST_CODES : MOST_RECOVERY_CODES;
  const waits = most.map(({ count, time }) => {
    const first = db.value<number>`SELECT at FROM wrong_codes
      WHERE account_id = ${accountId} AND kind = ${kind} AND network = ${place}
      ORDER BY at DESC LIMIT 1 OFFSET ${count - 1}`;
    return first === null ? 0 : first + time - at;
  });
  const wait = Math.max(0, ...waits);
  if (wait > 0) return { isRight: false, wait };
  const { changes } =
    'step' in code
      ? db.run`UPDATE second_steps SET last_step = ${code.step} WHERE account_id = ${accountId} AND last_step < ${code.step}`
      : db.run`DELETE FROM recovery_codes WHERE account_id = ${accountId} AND hash = ${code.recovery}`;
  if (changes === 1) addNetwork(db, accountId, network, at);
  else countWrong(db, accountId, kind, place, at);
  return { isRight: changes === 1, wait: 0 };
}

const addNetwork = (db: Statements, accountId: string, network: string, at: number) =>
  db.run`INSERT INTO code_networks VALUES (${accountId}, ${network}, ${at}) ON CONFLICT DO NOTHING`;

function countWrong(db: Statements, accountId: string, kind: string, place: string, at: number): void {
  db.run`INSERT INTO wrong_codes SELECT ${accountId}, ${kind}, ${place}, ${at}
    WHERE EXISTS (SELECT 1 FROM second_steps WHERE account_id = ${accountId})`;
  const wrong = db.value<number>`SELECT count(*) FROM wrong_codes WHERE account_id = ${accountId}`!;
  const isTold = db.has`SELECT 1 FROM outbox WHERE account_id = ${accountId} AND kind = 'wrong-codes'
    AND created_at > ${at - DAY}`;
  if (wrong >= MANY && !isTold) mailHolder(db, 'wrong-codes', accountId, at);
}

function mailHolder(db: Statements, kind: 'step-off' | 'wrong-codes', accountId: string, at: number): void {
  const address = db.value<string>`SELECT email FROM accounts WHERE id = ${accountId}`;
  if (address === null) return;
  const about = { kind, subject: `account:${accountId}:${at}`, address, accountId, orderId: null };
  queueMail(db, { ...about, details: {}, state: 'queued', at });
}
