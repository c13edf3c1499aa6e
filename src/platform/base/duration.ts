import { Refusal } from './refusal.ts';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: SECOND, m: MINUTE, h: HOUR, d: DAY };

/**
 * Parses a duration such as 500ms, 90s, 30m, 24h or 7d into milliseconds. Refuses other texts, and one shorter than `least`
 * (`1d`).
 */
export function parseDuration(text: string, least: string): number {
  const duration = read(text);
  if (duration !== null && duration >= (read(least) ?? 0)) return duration;
  throw Refusal.invalid(
    `Cannot take "${text.slice(0, 40)}" as a length of time: write it as 90s, 30m, 24h or 7d, of at least ${least}`,
  );
}

export function formatDuration(duration: number): string {
  const unit = Object.keys(NAMES).findLast((name) => duration % (UNITS[name] ?? 1) === 0) ?? 's';
  const count = Math.round(duration / (UNITS[unit] ?? 1000));
  return `${count} ${NAMES[unit]}${count === 1 ? '' : 's'}`;
}

const NAMES: Readonly<Record<string, string>> = { s: 'second', m: 'minute', h: 'hour', d: 'day' };

function read(text: string): number | null {
  const [, count = '', unit = ''] = /^([1-9][0-9]{0,5})(ms|[smhd])$/.exec(text) ?? [];
  return count === '' ? null : Number(count) * (UNITS[unit] ?? 0);
}

const ISO = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/**
 * Parses an ISO 8601 date or time into milliseconds since 1970. Without a zone a time counts as UTC, so that it means the same
 * on every machine. For any other text throws what `refusal` returns for its first 40 characters.
 */
export function readInstant(text: string, refusal = cannotRead): number {
  const [, date = '', time, , , zone] = ISO.exec(text) ?? [];
  const instant = Date.parse(time === undefined || zone !== undefined ? text : `${text}Z`);
  // Rejects days that do not exist: JavaScript would read 31 February as 3 March.
  if (date !== '' && !Number.isNaN(instant) && new Date(date).toISOString().startsWith(date)) return instant;
  throw refusal(text.slice(0, 40));
}

const cannotRead = (text: string): Refusal =>
  Refusal.invalid(`Cannot read the time "${text}": write it as 2026-11-20 or 2026-11-20T14:30:00Z`);
