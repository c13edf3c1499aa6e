import { normalForm } from './text.ts';
import { ToldRefusal } from './told.ts';

/**
 * The maximum length of an address, in bytes, that mail servers must accept (RFC 5321 §4.5.3.1.3 without its angle brackets).
 */
const LONGEST_ADDRESS = 254;

const ADDRESS = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u;

/**
 * Matches the addresses that mail is sent to: a dot-atom (RFC 5322 §3.2.3, RFC 6532) and a domain, without quotes,
 * brackets or lists.
 */
const MAILABLE =
  /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*@[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)*$/u;

export function readEmail(text: string): string {
  const email = text.trim();
  if (email.length <= LONGEST_ADDRESS && ADDRESS.test(email)) return email;
  throw new ToldRefusal('invalid-request', (r) => r.account.notAnEmail({ text: email.slice(0, 80) }));
}

/** Reports whether mail may be sent to the address. Quotes, brackets or a list could make it reach another mailbox. */
export const isMailable = (email: string): boolean =>
  Buffer.byteLength(email) <= LONGEST_ADDRESS && MAILABLE.test(email);

/**
 * Normalizes an address for comparison: NFC, trimmed, lower case, a valid domain in ASCII. Keeps dots, tags after a plus and
 * look-alike letters, since an address that differs in these may be another person's.
 */
export function comparableEmail(email: string): string {
  const text = normalForm(email, 'NFC').trim().toLowerCase();
  const at = text.lastIndexOf('@');
  return `${text.slice(0, at + 1)}${asciiDomain(text.slice(at + 1))}`;
}

/** Shortens an address to a hint that its owner recognises, such as `a…@e…`. */
export function hintOf(email: string): string {
  const at = email.lastIndexOf('@');
  return `${firstOf(email)}…@${firstOf(email.slice(at + 1))}…`;
}

function firstOf(text: string): string {
  const [first = ''] = text;
  return first;
}

function asciiDomain(domain: string): string {
  // A domain in ASCII is returned as it is: the URL parser would read digits as an IP address and decode escapes.
  if (domain.length > LONGEST_ADDRESS || /^\p{ASCII}*$/u.test(domain)) return domain;
  return URL.canParse(`http://${domain}/`) ? new URL(`http://${domain}/`).hostname : domain;
}
