export type MailKind =
  | 'claim'
  | 'library'
  | 'ended'
  | 'invite'
  | 'reset'
  | 'open'
  /** To an address without an account: the link that confirms that it wants news. */
  | 'subscribe'
  /** To an account's new address: the link that confirms it, or that the address has an account already. */
  | 'email'
  | 'taken'
  /** To the old address: that a change was requested. */
  | 'moving'
  /** To an account with a second step: many wrong codes came, or it was removed. */
  | 'wrong-codes'
  | 'step-off'
  | 'news'
  /** To a holder of an announced item: that it is published. */
  | 'published'
  | 'attention'
  | 'reports'
  | 'sale';

/** `manual` waits for the owner to copy its link, `failed` was given up, and `dropped` is no longer needed. */
export type MailState = 'queued' | 'manual' | 'sent' | 'failed' | 'dropped';

/** A mail to be queued. At most one mail of a kind goes to an address about a subject. */
export type NewMail = {
  readonly kind: MailKind;
  /** The object that the mail is about, as `order:17`. */
  readonly subject: string;
  readonly address: string;
  readonly orderId: number | null;
  readonly accountId: string | null;
  readonly details: Readonly<Record<string, string | number | boolean | null>>;
  readonly state: 'queued' | 'manual';
  readonly at: number;
  /** The time of the first try; at once if it is left out. */
  readonly dueAt?: number;
};

/**
 * A row of the outbox. It holds no secret: the link is created when the mail is sent. Times are milliseconds since 1970
 * UTC.
 */
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
