import type { MailKind } from '../sales/outbox.ts';
import { ENGLISH } from './english.ts';
import { GERMAN } from './german.ts';

/** The facts that mails name. Texts from publishers and readers are cut to one line. */
export type MailFacts = {
  readonly stall: string;
  readonly origin: string;
  /** The one-time link; the stall in a mail without one. */
  readonly link: string;
  /** The titles of what it is about, as a sentence lists them. */
  readonly titles: string;
  /** The short reference of the order. */
  readonly ref: string;
  /** Where to read what was bought, and where its EPUB is; null if several items or no book were bought. */
  readonly read: string;
  readonly epub: string | null;
  /** How many orders need attention. */
  readonly count: number;
  /** A hint of the address whose library holds a purchase that was claimed already, or of an account's new address. */
  readonly holder: string | null;
  /** Why access ended. */
  readonly reason: 'refunded' | 'lost' | 'revoked' | 'ended';
  /** The price of a sale. */
  readonly price: string;
  /** New versions with their notes, as paragraphs. */
  readonly news: string;
};

/** The mails in one language: the subject, then the paragraphs. Each paragraph is a line; a link is a paragraph of its own. */
export type MailWords = Readonly<Record<MailKind, (facts: MailFacts) => readonly string[]>> & {
  readonly hello: string;
  /** Used if the titles are no longer known. */
  readonly yourPurchase: string;
};

/** The languages that mails are written in; a stall in any other writes English. */
const WORDS: Readonly<Record<string, MailWords>> = { de: GERMAN, en: ENGLISH };

/** The longest title or name that a mail repeats, in characters. */
const LONGEST = 120;

/** A mail's subject and text in the stall's language, and that language's tag. `titles` are those of items, which others wrote. */
export function writeMail(
  kind: MailKind,
  language: string | null,
  { titles, ...facts }: Omit<MailFacts, 'titles'> & { readonly titles: readonly string[] },
) {
  const tag = languageOf(language);
  const words = WORDS[tag] ?? ENGLISH;
  const [subject = '', ...paragraphs] = words[kind]({
    ...facts,
    stall: oneLine(facts.stall),
    titles: listTitles(titles, tag) || words.yourPurchase,
  });
  const text = [words.hello, ...paragraphs, `${oneLine(facts.stall)}\n${facts.origin}`].join('\n\n');
  return { subject, text: `${text}\n`, language: tag };
}

function languageOf(tag: string | null): string {
  const [base = ''] = (tag ?? '').toLowerCase().split('-');
  return Object.hasOwn(WORDS, base) ? base : 'en';
}

function listTitles(titles: readonly string[], language: string): string {
  return new Intl.ListFormat(language).format(titles.map((title) => `“${oneLine(title)}”`));
}

function oneLine(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  const characters = [...line];
  return characters.length <= LONGEST ? line : `${characters.slice(0, LONGEST - 1).join('')}…`;
}
