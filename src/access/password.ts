import { normalForm } from '../text.ts';
import { type Say, ToldRefusal } from '../words/told.ts';

/** The fewest and the most code points of a password, counted after NFC (NIST SP 800-63B §3.1.1.2 counts so). */
export const SHORTEST_PASSWORD = 8;
export const LONGEST_PASSWORD = 256;

/**
 * Normalizes a password for hashing: to NFC, so that every keyboard gives the same. White space stays as typed. Refuses a
 * password that is blank, too short or too long; the refusal does not repeat it.
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

/** Returns a password in NFC, the form in which passwords are hashed and compared; refuses nothing. */
export const normalizePassword = (text: string): string => normalForm(text, 'NFC');

const refuse = (say: Say): ToldRefusal => new ToldRefusal('invalid-request', say);
