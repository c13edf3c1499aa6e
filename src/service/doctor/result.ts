import type { Refusal } from '../../refusal.ts';

/** The result of one check. Warnings and failures have a `remedy`; neither text ends with a full stop. */
export type Result = {
  readonly status: 'ok' | 'warn' | 'fail' | 'skip';
  readonly sentence: string;
  readonly remedy: string | null;
};

export const ok = (sentence: string): Result => ({ status: 'ok', sentence, remedy: null });

/** A check that cannot be made here; it counts neither as good nor as bad. */
export const skip = (sentence: string): Result => ({ status: 'skip', sentence, remedy: null });

/** Something that works today and may not tomorrow. */
export const warn = (sentence: string, remedy: string): Result => ({ status: 'warn', sentence, remedy });

/** Something that keeps the stall from working, or from being safe. */
export const fail = (sentence: string, remedy: string): Result => ({ status: 'fail', sentence, remedy });

/** A refusal's sentence ends with its remedy. */
export function refused({ message }: Refusal): Result {
  const [, sentence = message, remedy = ''] = /^(.*)[:;] ([^:;]+)$/s.exec(message) ?? [];
  return fail(sentence, capitalize(remedy));
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** A size for people, in powers of 1,000 with two digits at least. */
export function size(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  const value = bytes / 1000 ** power;
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.floor(value)} ${UNITS[power]}`;
}

/** The first three of a list, and how many more there are. */
export function some(names: readonly string[]): string {
  const more = names.length - 3;
  return `${names.slice(0, 3).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

export const capitalize = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
