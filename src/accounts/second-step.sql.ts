import { DAY, HOUR } from '../platform/base/duration.ts';
import { type Audited, logAct } from '../platform/store/audit-log.sql.ts';
import { endLinks } from './one-time-link-row.sql.ts';
import { queueMail } from '../mailing/outbox.sql.ts';
import { endSessions, insertSession, type NewSession } from './session.sql.ts';
import type { Statements } from '../platform/store/statements.ts';

type SecondStep = { readonly secret: string; readonly createdAt: number; readonly left: number };

type PendingSignIn = { readonly accountId: string; readonly secretHash: Uint8Array; readonly email: string };

/**
 * A code that someone typed. `recovery` is the SHA-256 of a recovery code, else null. `step` is the half minute of an
 * authenticator app's code; null for a wrong code.
 */
export type CodeTry = {
  readonly accountId: string;
  readonly network: string;
  readonly recovery: Uint8Array | null;
  readonly step: number | null;
  readonly at: number;
};

/** The result of trying a code. A number: no code is tried for so many milliseconds, since too many were wrong. */
export type CodeAnswer = 'right' | 'wrong' | number;

type Finish = CodeTry & { readonly pendingId: string; readonly session: NewSession };

/**
 * A change of two-factor sign-in: a `secret` turns it on, null `hashes` turn it off, other `hashes` replace its recovery
 * codes. The session `sessionId` does not end.
 */
type Change = CodeTry & {
  readonly secret: string | null;
  readonly hashes: readonly Uint8Array[] | null;
  readonly sessionId: string | null;
} & Audited;

/**
 * How many wrong codes are allowed in how many milliseconds. Codes of an app: from each network that sent a right one
 * before, and from all others together. Recovery codes: from each network.
 */
export const MOST_WRONG = [
  [10, HOUR],
  [20, DAY],
] as const;
export const MOST_RECOVERY = [[10, HOUR]] as const;
const MANY = 10;

export const secondStepReads = (db: Statements) => ({
  findSecondStep: (accountId: string) =>
    db.one<SecondStep>`SELECT secret, created_at AS createdAt,
      (SELECT count(*) FROM recovery_codes WHERE account_id = ${accountId}) AS left
      FROM second_steps WHERE account_id = ${accountId}`,
  findPendingSignIn: (id: string, now: number) =>
    db.one<PendingSignIn>`SELECT account_id AS accountId, secret_hash AS secretHash, email
      FROM pending_sign_ins JOIN accounts ON accounts.id = account_id
      WHERE pending_sign_ins.id = ${id} AND expires_at > ${now} AND disabled_at IS NULL`,
});

export function secondStepWrites(db: Statements) {
  const removeSecondStep = ({ accountId, at, audit }: { accountId: string; at: number } & Audited) => {
    if (db.run`DELETE FROM second_steps WHERE account_id = ${accountId}`.changes === 0) return false;
    logAct(db, audit);
    mailHolder(db, accountId, 'step-off', at);
    return true;
  };
  return {
    removeSecondStep,
    tryCode: (tried: CodeTry): CodeAnswer => tryCode(db, tried),
    /** Tries a two-factor code for a pending sign-in. If the code is right, an unexpired sign-in becomes a session. */
    finishSignIn({ pendingId, session, ...tried }: Finish): CodeAnswer {
      const answer = tryCode(db, tried);
      if (answer === 'right' && db.run`DELETE FROM pending_sign_ins WHERE id = ${pendingId}`.changes === 1)
        insertSession(db, session);
      return answer;
    },
    /**
     * If the code is right, turns two-factor sign-in on or off, or replaces its recovery codes, and ends the account's
     * other sessions and its links.
     */
    changeSecondStep({ secret, hashes, sessionId, audit, ...tried }: Change): CodeAnswer {
      const { accountId, step, at } = tried;
      // If another secret is in use, a code of the new one proves nothing.
      const { changes } = db.run`INSERT INTO second_steps SELECT ${accountId}, ${secret}, 0, ${at}
        WHERE ${secret} IS NOT NULL AND ${step} IS NOT NULL ON CONFLICT DO NOTHING`;
      const answer = secret === null || changes === 1 ? tryCode(db, tried) : 'wrong';
      if (answer !== 'right') return answer;
      endSessions(db, accountId, at, sessionId);
      endLinks(db, accountId, at);
      logAct(db, audit);
      db.run`DELETE FROM recovery_codes WHERE account_id = ${accountId}`;
      for (const hash of hashes ?? []) db.run`INSERT INTO recovery_codes VALUES (${accountId}, ${hash})`;
      if (hashes === null) removeSecondStep({ accountId, at });
      return answer;
    },
  };
}

/** Tries a code, and counts a wrong one. After too many wrong ones, refuses all codes for a while. */
function tryCode(db: Statements, { accountId, network, recovery, step, at }: CodeTry): CodeAnswer {
  db.run`DELETE FROM wrong_codes WHERE at <= ${at - DAY}`;
  const isOwn =
    recovery !== null ||
    db.has`SELECT 1 FROM code_networks WHERE account_id = ${accountId} AND network = ${network}`;
  const [kind, place] = [recovery === null ? 'code' : 'recovery', isOwn ? network : ''];
  const waits = (recovery === null ? MOST_WRONG : MOST_RECOVERY).map(([most, time]) => {
    const first = db.value<number>`SELECT at FROM wrong_codes WHERE account_id = ${accountId}
      AND kind = ${kind} AND network = ${place} ORDER BY at DESC LIMIT 1 OFFSET ${most - 1}`;
    return (first ?? -Infinity) + time - at;
  });
  if (waits.some((wait) => wait > 0)) return Math.max(...waits);
  const { changes } =
    recovery === null
      ? db.run`UPDATE second_steps SET last_step = ${step} WHERE account_id = ${accountId} AND last_step < ${step}`
      : db.run`DELETE FROM recovery_codes WHERE account_id = ${accountId} AND hash = ${recovery}`;
  if (changes === 1)
    db.run`INSERT INTO code_networks VALUES (${accountId}, ${network}, ${at}) ON CONFLICT DO NOTHING`;
  if (changes === 1) return 'right';
  db.run`INSERT INTO wrong_codes SELECT account_id, ${kind}, ${place}, ${at} FROM second_steps WHERE account_id = ${accountId}`;
  const wrong = db.value<number>`SELECT count(*) FROM wrong_codes WHERE account_id = ${accountId}`!;
  const isTold = db.has`SELECT 1 FROM outbox
    WHERE account_id = ${accountId} AND kind = 'wrong-codes' AND created_at > ${at - DAY}`;
  if (wrong >= MANY && !isTold) mailHolder(db, accountId, 'wrong-codes', at);
  return 'wrong';
}

function mailHolder(db: Statements, accountId: string, kind: 'step-off' | 'wrong-codes', at: number): void {
  const address = db.value<string>`SELECT email FROM accounts WHERE id = ${accountId}`!;
  const about = { kind, subject: `account:${accountId}:${at}`, address, accountId, orderId: null };
  queueMail(db, { ...about, details: {}, state: 'queued', at });
}
