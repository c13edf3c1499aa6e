import { Refusal } from '../../refusal.ts';

const LONGEST = 80;

/** The name of a key or token: one line that tells them apart, since a line break or an escape would forge lists and logs. */
export function readCredentialName(text: string, credential: string): string {
  const name = text.trim();
  const length = [...name].length;
  if (length >= 1 && length <= LONGEST && !/[\p{Cc}\p{Bidi_Control}]/u.test(name)) return name;
  throw new Refusal(
    'invalid-request',
    `Cannot take this name for ${credential}: give 1 to ${LONGEST} characters without line breaks`,
  );
}
