import { stateAt } from '../../sales/order.ts';
import { type Command, DONE, type Input, TEXT, textOf, UsageError } from '../command.ts';
import { writeResult } from '../output.ts';
import { adminCommand } from './admin-command.ts';
import { describeOrder } from './order-row.ts';

/** The most items of one order. */
const MOST = 100;

export const orderAddCommand: Command = adminCommand({
  name: 'orders add',
  synopsis: 'EMAIL SLUG… [--amount N --currency C] [--ref TEXT]',
  summary: 'Add a sale made elsewhere; N counts minor units, and the same --ref twice is one order',
  examples: [
    'bookstall orders add ada@example.org field-notes --amount 1900 --currency USD --ref invoice-17',
  ],
  options: { amount: TEXT, currency: TEXT, ref: TEXT },
  words: [2, MOST + 1],
  async run({ addHandOrder }, input, terminal) {
    const [email = '', ...slugs] = input.words;
    const order = await addHandOrder({ email, slugs, ref: textOf(input, 'ref'), ...readMoney(input) });
    const state = stateAt(order, Date.now());
    const whose = order.account === null ? 'no account holds it yet' : `it is ${order.account}’s`;
    writeResult(
      terminal,
      input,
      describeOrder(order, Date.now()),
      `Order ${order.id} is ${state}, and ${whose}`,
    );
    return DONE;
  },
});

function readMoney(input: Input): { readonly amount: number; readonly currency: string } {
  const [amount, currency] = [textOf(input, 'amount'), textOf(input, 'currency')];
  if (amount === null && currency === null) return { amount: 0, currency: 'USD' };
  if (amount === null || !/^\d{1,12}$/.test(amount))
    throw new UsageError('Cannot read --amount: give a whole number of minor units, as 1900 for $19.00');
  if (currency === null || !/^[A-Za-z]{3}$/.test(currency))
    throw new UsageError('Cannot add an amount without --currency: give a code of three letters, as USD');
  return { amount: Number(amount), currency: currency.toUpperCase() };
}
