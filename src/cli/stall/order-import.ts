import { Refusal } from '../../refusal.ts';
import { stateAt } from '../../sales/order.ts';
import { csvLine } from '../../service/csv-line.ts';
import { importOrders } from '../../service/order-import.ts';
import { linkToClaim } from '../../service/orders.ts';
import { type Command, readUsage, SWITCH, TEXT } from '../command.ts';
import { adminCommand } from './admin-command.ts';
import { readCsvFile } from './csv-file.ts';
import { findOrigin } from './origin.ts';
import { printableJson } from '../../item/problem.ts';

export const orderImportCommand: Command = adminCommand({
  name: 'orders import',
  synopsis: 'FILE.csv [--mail] [--base-url URL]',
  summary:
    'Make orders of past sales, all or none, and print a table of claim links; with --mail the stall mails them',
  examples: ['bookstall orders import sales.csv > links.csv'],
  options: { mail: SWITCH, 'base-url': TEXT },
  words: [1, 1],
  async run(office, input, terminal) {
    const origin = readUsage(() => findOrigin(input.flags, terminal));
    const isMailed = input.flags['mail'] === true;
    const { orders, left } = await importOrders(
      office,
      'command',
      await readCsvFile(input.words[0] ?? ''),
      isMailed,
    );
    const now = Date.now();
    const rows: { id: number; ref: string; email: string | null; state: string; claim: string | null }[] = [];
    for (const order of orders) {
      const state = stateAt(order, now);
      const waits = state === 'paid' && order.account === null && order.email !== null && !isMailed;
      const claim = waits ? await claimOf(() => linkToClaim(office, 'command', order.id, origin)) : null;
      rows.push({ id: order.id, ref: order.providerRef, email: order.email, state, claim });
    }
    const header = ['id', 'ref', 'email', 'state', 'claim'];
    if (terminal.isJson) terminal.out(`${printableJson(rows)}\n`);
    else terminal.out([header, ...rows.map((row) => Object.values(row))].map(csvLine).join(''));
    for (const { line, reason } of left) terminal.err(`line ${line} was left: ${reason}\n`);
    terminal.err(
      `Orders: ${rows.length}; claim links: ${rows.filter(({ claim }) => claim !== null).length}\n`,
    );
  },
});

/** Null for an order that became a present since it was first imported: its code opens it. */
async function claimOf(link: () => Promise<{ readonly url: string }>): Promise<string | null> {
  try {
    return (await link()).url;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
