import { Refusal } from './refusal.ts';

/** Units of time in milliseconds. */
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const UNITS: Readonly<Record<string, number>> = { s: SECOND, m: MINUTE, h: HOUR, d: DAY };

/** Parses a duration such as 90s, 30m, 24h or 7d into milliseconds. Refuses one shorter than `least`, which has the same form. */
export function parseDuration(text: string, least: string): number {
  const duration = read(text);
  if (duration !== null && duration >= (read(least) ?? 0)) return duration;
  throw new Refusal(
    'invalid-request',
    `Cannot take "${text.slice(0, 40)}" as a length of time: write it as 90s, 30m, 24h or 7d, of at least ${least}`,
  );
}

/** A duration in words, in the largest unit of which it is a whole number. */
export function formatDuration(duration: number): string {
  const unit = Object.keys(UNITS).findLast((name) => duration % (UNITS[name] ?? 1) === 0) ?? 's';
  const count = Math.round(duration / (UNITS[unit] ?? 1000));
  return `${count} ${NAMES[unit]}${count === 1 ? '' : 's'}`;
}

const NAMES: Readonly<Record<string, string>> = { s: 'second', m: 'minute', h: 'hour', d: 'day' };

function read(text: string): number | null {
  const [, count = '', unit = ''] = /^([1-9][0-9]{0,5})([smhd])$/.exec(text) ?? [];
  return count === '' ? null : Number(count) * (UNITS[unit] ?? 0);
}
