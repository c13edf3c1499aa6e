import { normalForm } from '../text.ts';
import { ToldRefusal } from '../words/told.ts';

/** The longest address that a mail server must accept (RFC 5321 §4.5.3.1.3 without its angle brackets). */
const LONGEST = 254;

/** One `@`, and no white space. */
const ADDRESS = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u;

/**
 * The form of addresses that mail is sent to: a dot-atom (RFC 5322 §3.2.3, RFC 6532) and a domain, without quotes,
 * brackets or lists.
 */
const MAILABLE =
  /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*@[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)*$/u;

/** Normalizes an e-mail address; refuses a text that cannot be one. */
export function readEmail(text: string): string {
  const email = text.trim();
  if (email.length <= LONGEST && ADDRESS.test(email)) return email;
  throw new ToldRefusal('invalid-request', (r) => r.account.notAnEmail({ text: email.slice(0, 80) }));
}

/** Whether mail to the address reaches one mailbox only; an address with quotes may not. */
export const isMailable = (email: string): boolean =>
  Buffer.byteLength(email) <= LONGEST && MAILABLE.test(email);

/**
 * The form in which addresses are compared: NFC, trimmed, lower case, the domain in ASCII. Dots, tags after a
 * plus and look-alikes stay, since they may be another person's.
 */
export function foldEmail(email: string): string {
  const text = normalForm(email, 'NFC').trim().toLowerCase();
  const at = text.lastIndexOf('@');
  return `${text.slice(0, at + 1)}${asciiDomain(text.slice(at + 1))}`;
}

/** Masks an address so that its owner recognises it: `a…@e…`. */
export function hintOf(email: string): string {
  const at = email.lastIndexOf('@');
  return `${firstOf(email)}…@${firstOf(email.slice(at + 1))}…`;
}

function firstOf(text: string): string {
  const [first = ''] = text;
  return first;
}

function asciiDomain(domain: string): string {
  // The URL parser would also read digits as an IP address and decode escapes; a domain in ASCII needs no parsing.
  if (domain.length > LONGEST || /^\p{ASCII}*$/u.test(domain)) return domain;
  return URL.canParse(`http://${domain}/`) ? new URL(`http://${domain}/`).hostname : domain;
}
