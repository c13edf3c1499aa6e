import { Refusal } from '../refusal.ts';

const ISO = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/** Milliseconds since 1970 of an ISO 8601 date or time. Without a zone it is UTC, so that it means the same on every machine. */
export function readInstant(text: string): number {
  const [, date = '', time, , , zone] = ISO.exec(text) ?? [];
  const instant = Date.parse(time === undefined || zone !== undefined ? text : `${text}Z`);
  // The engine would read 31 February as 3 March.
  if (date !== '' && !Number.isNaN(instant) && new Date(date).toISOString().startsWith(date)) return instant;
  throw new Refusal(
    'invalid-request',
    `Cannot read the time "${text.slice(0, 40)}": write it as 2026-11-20 or 2026-11-20T14:30:00Z`,
  );
}
