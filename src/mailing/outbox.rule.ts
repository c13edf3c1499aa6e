import { DAY } from '../platform/base/duration.ts';
import { sql } from '../platform/store/statements.ts';

/**
 * How a kind of mail is sent: `soon` means a few at a time; `many` goes one by one to many people, with pauses; `large` takes
 * minutes, one by one. No mail waits for those of another way. `unsent` is its state if the stall cannot send mail. `isBulk`
 * tells mail programs that it is one of many alike.
 */
type MailRule = {
  readonly way: MailWay;
  readonly unsent: Extract<MailState, 'manual' | 'dropped'>;
  readonly isBulk: boolean;
};

const SOON: MailRule = { way: 'soon', unsent: 'manual', isBulk: false };

const RULES = {
  claim: SOON,
  library: SOON,
  ended: SOON,
  invite: SOON,
  reset: SOON,
  open: SOON,
  'sign-in': SOON,
  /** To an address without an account that asked for news: the link that confirms this. */
  subscribe: SOON,
  /** To an account's new address: the link that confirms it, or (`taken`) a note that it has another account. */
  email: SOON,
  taken: SOON,
  /** To an account's old address: that a change was requested. */
  moving: SOON,
  /** To an account with two-factor sign-in: many wrong codes came, or (`step-off`) it was removed. */
  'wrong-codes': SOON,
  'step-off': SOON,
  news: { way: 'many', unsent: 'dropped', isBulk: true },
  /** To a reader who has an announced item: that it is published. */
  published: { ...SOON, way: 'many' },
  attention: SOON,
  reports: SOON,
  /** To a reader: what became of a report that they sent. */
  answered: SOON,
  sale: SOON,
  'e-reader': { ...SOON, way: 'large', unsent: 'dropped' },
} satisfies Readonly<Record<string, MailRule>>;

export type MailKind = keyof typeof RULES;

export const MAIL_KINDS: Readonly<Record<MailKind, MailRule>> = RULES;

export const MAIL_WAYS = ['soon', 'many', 'large'] as const;

export type MailWay = (typeof MAIL_WAYS)[number];

/**
 * The kinds of mail that people may request: anyone a claim, a new password, a new account, a sign-in or news; with an account
 * also a change of address (`email`).
 */
export type AskedMail = Extract<MailKind, 'claim' | 'reset' | 'open' | 'sign-in' | 'news' | 'email'>;

/**
 * A mail is `queued` until it is sent, `manual` if the owner has to pass on its link, `failed` after the last try, `dropped` if
 * it is no longer needed.
 */
export const MAIL_STATES = ['queued', 'manual', 'sent', 'failed', 'dropped'] as const;

export type MailState = (typeof MAIL_STATES)[number];

/** The states of a mail that may still be sent; the same in SQL. */
export type WaitingMail = Extract<MailState, 'queued' | 'manual'>;
export const MAIL_WAITS = sql`state IN ('queued', 'manual')`;

/** How long a failed mail is reported to the owner, in milliseconds. */
export const FAILED_MAIL_TIME = 7 * DAY;

/** A mail to be queued. An address gets only one mail of a kind about a subject. */
export type NewMail = {
  readonly kind: MailKind;
  /** The object that the mail is about, such as `order:17`. */
  readonly subject: string;
  readonly address: string;
  readonly orderId: number | null;
  readonly accountId: string | null;
  readonly details: Readonly<Record<string, string | number | boolean | null>>;
  readonly state: WaitingMail;
  readonly at: number;
  /** When to send the mail; by default at once. */
  readonly dueAt?: number;
};

/** A stored mail. It holds no secret: a link is made when the mail is sent. Times are in milliseconds since 1970. */
export type OutboxRow = Omit<NewMail, 'state' | 'at' | 'dueAt'> & {
  readonly id: number;
  readonly state: MailState;
  readonly messageId: string | null;
  readonly tries: number;
  readonly createdAt: number;
  readonly nextAt: number | null;
  readonly sentAt: number | null;
  readonly error: string | null;
};
