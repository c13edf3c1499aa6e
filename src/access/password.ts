import { Refusal } from '../refusal.ts';
import { counted, normalForm } from '../text.ts';

/** In code points, after NFC (NIST SP 800-63B §3.1.1.2 counts so). */
const SHORTEST = 8;
const LONGEST = 256;

/**
 * Normalizes a password for hashing: NFC, so that every keyboard gives the same, otherwise as typed, white
 * space included. Refuses one that is blank, shorter than 8 or longer than 256 code points, without repeating
 * it.
 */
export function readPassword(text: string): string {
  const password = normalizePassword(text);
  if (password.trim() === '') throw refuse('it is blank; type one');
  const length = [...password].length;
  const count = counted(length, 'character');
  if (length < SHORTEST) throw refuse(`it has ${count}; use at least ${SHORTEST}, several words are best`);
  if (length > LONGEST) throw refuse(`it has ${count}; use at most ${LONGEST}`);
  return password;
}

/** The form in which passwords are hashed and compared; refuses nothing. */
export const normalizePassword = (text: string): string => normalForm(text, 'NFC');

function refuse(reason: string): Refusal {
  return Refusal.invalid(`Cannot use this password: ${reason}`);
}
