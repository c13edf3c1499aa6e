export type MailKind =
  'claim' | 'library' | 'ended' | 'invite' | 'reset' | 'open' | 'news' | 'attention' | 'sale';

/** `manual` waits for the owner to copy its link, `failed` was given up, `dropped` is not needed any more. */
export type MailState = 'queued' | 'manual' | 'sent' | 'failed' | 'dropped';

/** A mail to be queued. One of a kind about a subject goes to an address; a further one is not queued. */
export type NewMail = {
  readonly kind: MailKind;
  /** What it is about, as `order:17`. */
  readonly subject: string;
  readonly address: string;
  readonly orderId: number | null;
  readonly accountId: string | null;
  readonly details: Readonly<Record<string, string | number | boolean | null>>;
  readonly state: 'queued' | 'manual';
  readonly at: number;
};

/** A row of the outbox. It holds no secret: a link is minted when its mail is sent. Times are milliseconds since 1970 UTC. */
export type OutboxRow = Omit<NewMail, 'state' | 'at'> & {
  readonly id: number;
  readonly state: MailState;
  readonly messageId: string | null;
  readonly tries: number;
  readonly createdAt: number;
  readonly nextAt: number | null;
  readonly sentAt: number | null;
  readonly error: string | null;
};
