import type { MailKind } from '../../../sales/outbox.ts';

/** The facts that mails name. Texts from publishers and readers are cut to one line. */
export type MailFacts = {
  readonly stall: string;
  readonly origin: string;
  /** The one-time link, if the mail has one. */
  readonly link: string | null;
  /** The titles of what it is about, as a sentence lists them. */
  readonly titles: string;
  /** The short reference of the order. */
  readonly ref: string;
  /** How many orders need attention. */
  readonly count: number;
  /** A hint of the address whose library holds a purchase that was claimed already. */
  readonly holder: string | null;
  /** Why access ended. */
  readonly reason: 'refunded' | 'lost' | 'revoked' | 'ended';
  /** The price of a sale. */
  readonly price: string;
  /** New versions with their notes, as paragraphs. */
  readonly news: string;
};

type MailText = { readonly subject: string; readonly paragraphs: readonly string[] };

/** The mails in one language. Each paragraph is a line; a link is a paragraph of its own. */
export type MailWords = Readonly<Record<MailKind, (facts: MailFacts) => MailText>> & {
  readonly hello: string;
  /** Used if the titles are no longer known. */
  readonly yourPurchase: string;
};
