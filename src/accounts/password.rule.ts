import { normalForm } from '../platform/base/text.ts';
import { type Say, ToldRefusal } from '../platform/base/told.ts';

/** The minimum and maximum length of a password in code points, counted after NFC (as in NIST SP 800-63B §3.1.1.2). */
export const SHORTEST_PASSWORD = 8;
export const LONGEST_PASSWORD = 256;

/**
 * Normalizes a new password to NFC, so that it is the same from every keyboard; white space stays as typed. Refuses a
 * password that is blank, too short or too long, without repeating it.
 */
export function readPassword(text: string): string {
  const password = normalizePassword(text);
  if (password.trim() === '') throw refuse((r) => r.account.passwordBlank);
  const count = [...password].length;
  if (count < SHORTEST_PASSWORD)
    throw refuse((r) => r.account.passwordShort({ count, fewest: SHORTEST_PASSWORD }));
  if (count > LONGEST_PASSWORD)
    throw refuse((r) => r.account.passwordLong({ count, most: LONGEST_PASSWORD }));
  return password;
}

export const normalizePassword = (text: string): string => normalForm(text, 'NFC');

const refuse = (say: Say): ToldRefusal => new ToldRefusal('invalid-request', say);
