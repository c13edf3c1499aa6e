import type { MailKind } from '../../sales/outbox.ts';
import { ENGLISH } from './words/english.ts';
import { GERMAN } from './words/german.ts';
import type { MailFacts, MailWords } from './words/words.ts';

/** The languages that mails are written in; a stall in any other writes English. */
const WORDS: Readonly<Record<string, MailWords>> = { de: GERMAN, en: ENGLISH };

/** A mail's subject and text, and the tag of their language. */
export type WrittenMail = { readonly subject: string; readonly text: string; readonly language: string };

/** The longest title or name that a mail repeats, in characters. */
const LONGEST = 120;

/** Writes a mail in the stall's language. `titles` are those of items, which others wrote. */
export function writeMail(
  kind: MailKind,
  language: string | null,
  { titles, ...facts }: Omit<MailFacts, 'titles'> & { readonly titles: readonly string[] },
): WrittenMail {
  const tag = languageOf(language);
  const words = WORDS[tag] ?? ENGLISH;
  const { subject, paragraphs } = words[kind]({
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
