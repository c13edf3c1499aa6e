import { addHandOrder, linkToClaim } from '../../service/orders.ts';
import { type Command, type Input, readUsage, SWITCH, TEXT, textOf, UsageError } from '../command.ts';
import { adminCommand } from './admin-command.ts';
import { findOrigin } from './origin.ts';

/** The most items of one order. */
const MOST = 100;

export const orderAddCommand: Command = adminCommand({
  name: 'orders add',
  synopsis: 'EMAIL SLUG… [--amount N --currency C] [--ref TEXT] [--mail] [--base-url URL]',
  summary:
    'Add a sale made elsewhere and print its claim link; N counts minor units, the same --ref is one order',
  examples: [
    'bookstall orders add ada@example.org field-notes --amount 1900 --currency USD --ref invoice-17',
  ],
  options: { amount: TEXT, currency: TEXT, ref: TEXT, mail: SWITCH, 'base-url': TEXT },
  words: [2, MOST + 1],
  async run(office, input, terminal) {
    const [email = '', ...slugs] = input.words;
    const origin = readUsage(() => findOrigin(input.flags, terminal));
    const isMailed = input.flags['mail'] === true;
    const sale = { email, slugs, ref: textOf(input, 'ref'), isMailed, ...readMoney(input) };
    const { id, ref, account, claimedAt } = await addHandOrder(office, 'command', sale);
    const isWaiting = account === null && claimedAt === null;
    const link = isWaiting && !isMailed ? await linkToClaim(office, 'command', id, origin) : null;
    if (link !== null)
      terminal.err(`Pass this link on to ${email}: it claims the order, within ${link.validFor}.\n`);
    const state = account === null ? 'waits for its buyer' : `is in the library of ${account}`;
    terminal.result({ id, ref, claim: link?.url ?? null }, link?.url ?? `Order ${id} (${ref}) ${state}`);
  },
});

function readMoney(input: Input): { readonly amount: number; readonly currency: string } {
  const [amount, currency] = [textOf(input, 'amount'), textOf(input, 'currency')];
  if (amount === null && currency === null) return { amount: 0, currency: 'usd' };
  if (amount === null || !/^\d{1,12}$/.test(amount))
    throw new UsageError('Cannot read --amount: give a whole number of minor units, as 1900 for $19.00');
  if (currency === null || !/^[A-Za-z]{3}$/.test(currency))
    throw new UsageError('Cannot add an amount without --currency: give a code of three letters, as USD');
  return { amount: Number(amount), currency: currency.toLowerCase() };
}
