import { type Input, UsageError } from '../command.ts';

/** The number of an order in a command's first word. */
export function readOrderNumber({ words: [text = ''] }: Input): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new UsageError(`Cannot find order "${text}": give its number, as "bookstall orders list" shows it`);
}
