import { Refusal } from '../../refusal.ts';
import { stateAt } from '../../sales/order.ts';
import { readSalesConfig } from '../../sales-config.ts';
import { replayOrder } from '../../service/orders.ts';
import { askAboutWaiting, replayAllEvents, retryFailedEvents } from '../../service/sale-events.ts';
import { type Command, type Input, SWITCH, UsageError } from '../command.ts';
import { adminCommand } from './admin-command.ts';
import { readOrderNumber } from './order-number.ts';
import { describeOrder } from './order-row.ts';

const MANY = ['failed', 'waiting', 'all'] as const;

export const orderReplayCommand: Command = adminCommand({
  name: 'orders replay',
  synopsis: 'N | --failed | --waiting | --all',
  summary: "Read an order's events again, or those that failed, that wait for their provider, or all",
  examples: ['bookstall orders replay 17', 'bookstall orders replay --waiting'],
  options: { failed: SWITCH, waiting: SWITCH, all: SWITCH },
  words: [0, 1],
  async run(office, input, terminal) {
    const many = readMany(input);
    if (many === 'failed') {
      const folded = await retryFailedEvents(office, 'command');
      terminal.result({ folded }, `Events that could be read now: ${folded}`);
    } else if (many === 'waiting') {
      const config = readSalesConfig(terminal.environment, false, (problem) => {
        throw new Refusal('invalid-request', problem);
      });
      const asked = await askAboutWaiting(office, config);
      terminal.result(asked, `Events answered: ${asked.answered}; still waiting: ${asked.waiting}`);
    } else if (many === 'all') {
      const read = await replayAllEvents(office, 'command');
      terminal.result(read, `Events read again: ${read.events}; orders: ${read.orders}`);
    } else {
      const order = await replayOrder(office, 'command', readOrderNumber(input));
      const now = Date.now();
      terminal.result(describeOrder(order, now), `Order ${order.id} is ${stateAt(order, now)}`);
    }
  },
});

/** The switch that was given, or null for the number of an order. */
function readMany({ flags, words }: Input): (typeof MANY)[number] | null {
  const [given = null, ...others] = MANY.filter((name) => flags[name] === true);
  if (others.length > 0 || (given === null) === (words.length === 0))
    throw new UsageError(
      'Cannot replay that: give the number of an order, or one of --failed, --waiting and --all',
    );
  return given;
}
