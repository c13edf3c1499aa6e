/** The last second since 1970 that a Date can hold. */
const LAST_SECOND = 8_640_000_000_000;

type Json = Readonly<Record<string, unknown>>;

export function objectAt(value: unknown, ...path: readonly (string | number)[]): Json | null {
  const found = valueAt(value, path);
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? (found as Json) : null;
}

export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = valueAt(value, path);
  return Array.isArray(found) ? found : [];
}

export function textAt(value: unknown, ...path: readonly (string | number)[]): string | null {
  const found = valueAt(value, path);
  return typeof found === 'string' && found !== '' ? found : null;
}

/**
 * Returns the id at a path as text; null if there is none. It may be a text, a whole number, or the field `id` of an
 * object that the provider sent instead.
 */
export function idAt(value: unknown, ...path: readonly (string | number)[]): string | null {
  const found = valueAt(value, path);
  if (typeof found === 'number') return Number.isSafeInteger(found) ? String(found) : null;
  return typeof found === 'object' && found !== null ? textAt(found, 'id') : textAt(value, ...path);
}

/** Returns the whole number at a path; null for anything else, since amounts and times are whole. */
export function integerAt(value: unknown, ...path: readonly (string | number)[]): number | null {
  const found = valueAt(value, path);
  return typeof found === 'number' && Number.isSafeInteger(found) ? found : null;
}

export const amountAt = (value: unknown, ...path: readonly (string | number)[]): number =>
  Math.max(integerAt(value, ...path) ?? 0, 0);

/** Reads the ISO 8601 time at a path, in milliseconds since 1970 UTC; null if there is none. */
export function timeAt(value: unknown, ...path: readonly (string | number)[]): number | null {
  const time = Date.parse(textAt(value, ...path) ?? '');
  return Number.isNaN(time) ? null : time;
}

/** Reads the time at a path, written in seconds since 1970, and returns milliseconds; null if there is none. */
export function secondsAt(value: unknown, ...path: readonly (string | number)[]): number | null {
  const seconds = integerAt(value, ...path);
  return seconds === null || Math.abs(seconds) > LAST_SECOND ? null : seconds * 1000;
}

/** Returns the values that are neither null nor undefined, without repeats. */
export const known = <T>(...values: readonly (T | null | undefined)[]): readonly T[] => [
  ...new Set(values.filter((value) => value !== null && value !== undefined)),
];

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  let found = value;
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Readonly<Record<string | number, unknown>>)[key];
  }
  return found;
}
