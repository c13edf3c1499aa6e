import { Refusal } from '../../../refusal.ts';

/** Arguments as a client sent them, of whatever types. */
export type Arguments = Readonly<Record<string, unknown>>;

/** A text; null if it was left out. Refuses another type. */
export function readText(given: Arguments, name: string): string | null {
  const value = Object.hasOwn(given, name) ? given[name] : undefined;
  // Models write null for what they leave out.
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return value;
  throw new Refusal('invalid-request', `Cannot read "${name}": give it as text`);
}

/** A text that is required. */
export function requireText(given: Arguments, name: string, what: string): string {
  const value = readText(given, name);
  if (value !== null && value.trim() !== '') return value;
  throw new Refusal('invalid-request', `Cannot go on without "${name}": give ${what}`);
}

/** The slug of an item, under any of the names that models give it. */
export function requireItem(given: Arguments): string {
  const name = ['item', 'book', 'slug'].find((one) => Object.hasOwn(given, one)) ?? 'item';
  return requireText(given, name, 'the slug of an item, as search_library lists it');
}

/** A whole number from `least` to `most`; `usual` if it was left out. */
export function readNumber(
  given: Arguments,
  name: string,
  { least, most, usual }: { readonly least: number; readonly most: number; readonly usual: number },
): number {
  const value = (Object.hasOwn(given, name) ? given[name] : undefined) ?? usual;
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
  throw new Refusal('invalid-request', `Cannot read "${name}": give a whole number from ${least} to ${most}`);
}

/** One of some words; null if it was left out. */
export function readWord<Word extends string>(
  given: Arguments,
  name: string,
  words: readonly Word[],
): Word | null {
  const value = readText(given, name);
  if (value === null) return null;
  const word = words.find((one) => one === value);
  if (word !== undefined) return word;
  throw new Refusal('invalid-request', `Cannot read "${name}": give ${words.join(', ')} or leave it out`);
}
