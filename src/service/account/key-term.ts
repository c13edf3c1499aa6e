import { DAY, HOUR } from '../../duration.ts';
import { Refusal } from '../../refusal.ts';

/** How long a key lasts. */
export type Term = { readonly days: number } | 'never';

/** How long a rotated key keeps working beside its successor, in milliseconds. */
export const OVERLAPS = { now: 0, '1h': HOUR, '24h': DAY, '7d': 7 * DAY } as const;

export type Overlap = keyof typeof OVERLAPS;

/** How long a key lasts, written as a number of days from 1 to 9999 or as `never`. */
export function readTerm(text: string): Term {
  if (text === 'never') return 'never';
  if (/^[1-9][0-9]{0,3}$/.test(text)) return { days: Number(text) };
  throw new Refusal(
    'invalid-request',
    `Cannot let a key last "${text.slice(0, 40)}": give a number of days from 1 to 9999, or never`,
  );
}

/** How long the old key of a rotation keeps working, written as `now`, `1h`, `24h` or `7d`. */
export function readOverlap(text: string): Overlap {
  if (Object.hasOwn(OVERLAPS, text)) return text as Overlap;
  throw new Refusal(
    'invalid-request',
    `Cannot let the old key work for "${text.slice(0, 40)}": give ${Object.keys(OVERLAPS).join(', ')}`,
  );
}
