import type { AdminServices } from '../../app.ts';
import { isOrderState, stateAt, type Order, ORDER_STATES } from '../../sales/order.ts';
import { type Command, type Input, readUsage, SWITCH, TEXT, textOf, UsageError } from '../command.ts';
import { iso } from '../output.ts';
import { readInstant } from '../../service/instant.ts';
import {
  ANY_ORDER,
  attachOrder,
  eraseOrder,
  giveBackOrder,
  grantOrder,
  linkToClaim,
  type OrderQuery,
  type OrderStory,
  readOrderStory,
  revokeOrder,
  walkOrders,
} from '../../service/orders.ts';
import { adminCommand } from './admin-command.ts';
import { findOrigin } from './origin.ts';
import { readOrderNumber } from './order-number.ts';
import { orderReplayCommand } from './order-replay.ts';
import { describeOrder, summarizeOrder } from './order-row.ts';
import { printableJson } from '../../item/problem.ts';

export const orderCommands: readonly Command[] = [
  adminCommand({
    name: 'orders list',
    synopsis: '[--state STATE] [--email EMAIL] [--since ISO] [--attention]',
    summary: 'List orders, the newest first; --attention for those that need you',
    examples: ['bookstall orders list --attention', 'bookstall orders list --state unmatched'],
    options: { state: TEXT, email: TEXT, since: TEXT, attention: SWITCH },
    words: [0, 0],
    async run(office, input, terminal) {
      const now = Date.now();
      const found = (await Array.fromAsync(walkOrders(office, readQuery(input)))).flat();
      terminal.list(
        // The columns of a table hold no lists.
        found.map(
          (order) => (terminal.isJson ? describeOrder(order, now) : summarizeOrder(order, now)) as never,
        ),
        'No orders yet. They arrive from your payment provider: bookstall sell check',
      );
    },
  }),
  adminCommand({
    name: 'orders show',
    synopsis: 'N',
    summary: 'Show an order with all that happened to it',
    words: [1, 1],
    async run(office, input, terminal) {
      const story = await readOrderStory(office, readOrderNumber(input));
      const order = describeOrder(story.order, Date.now());
      const [facts, mails] = [describeFacts(story), describeMails(story)];
      if (terminal.isJson) terminal.out(`${printableJson({ ...order, facts, mails })}\n`);
      else {
        for (const [name, value] of Object.entries(order))
          if (value !== null) terminal.out(`${name}: ${[value].flat().join(' ')}\n`);
        terminal.out('\n');
        terminal.list(facts, 'Nothing is known of it.');
        if (mails.length > 0) terminal.list(mails, '');
      }
    },
  }),
  actCommand(
    'orders grant',
    'Give the buyer the items whatever the provider says; SLUG for an unmatched sale',
    {
      synopsis: 'N [SLUG]…',
      words: [1, 50],
      act: (office, id, slugs) => grantOrder(office, 'command', id, slugs),
      done: 'granted',
    },
  ),
  actCommand('orders revoke', 'Take the items of an order back', {
    act: (office, id) => revokeOrder(office, 'command', id),
    done: 'revoked, from the next request on',
  }),
  actCommand(
    'orders refund',
    'Note that the money was given back outside the provider; it pays nothing back',
    {
      act: (office, id) => giveBackOrder(office, 'command', id),
      done: 'marked as refunded',
    },
  ),
  actCommand('orders attach', 'Give an order to an account', {
    synopsis: 'N EMAIL',
    words: [2, 2],
    act: (office, id, [email = '']) => attachOrder(office, 'command', id, email),
    done: 'attached',
  }),
  adminCommand({
    name: 'orders link',
    synopsis: 'N [--base-url URL]',
    summary: 'Print a link by which the buyer claims an order, once, within 7 days',
    options: { 'base-url': TEXT },
    words: [1, 1],
    async run(office, input, terminal) {
      const origin = readUsage(() => findOrigin(input.flags, terminal));
      const id = readOrderNumber(input);
      const { url, email, expiresAt } = await linkToClaim(office, 'command', id, origin);
      terminal.err(`Pass this link on to ${email} where others cannot read it.\n`);
      terminal.result({ id, email, url, expires: iso(expiresAt) }, url);
    },
  }),
  adminCommand({
    name: 'orders erase',
    synopsis: 'N',
    summary:
      'Take the buyer out of an order for good: address and event bodies; amounts, items and times stay',
    words: [1, 1],
    async run(office, input, terminal) {
      const id = readOrderNumber(input);
      await eraseOrder(office, 'command', id);
      terminal.result({ id, erased: true }, `Erased the buyer of order ${id}`);
    },
  }),
  orderReplayCommand,
];

type Act = {
  readonly synopsis?: string;
  readonly words?: readonly [number, number];
  readonly act: (office: AdminServices, id: number, words: readonly string[]) => Promise<Order>;
  readonly done: string;
};

/** A command that changes one order and prints the state it is in then. */
function actCommand(
  name: string,
  summary: string,
  { synopsis = 'N', words = [1, 1], act, done }: Act,
): Command {
  return adminCommand({
    name,
    synopsis,
    summary,
    words,
    async run(office, input, terminal) {
      const order = await act(office, readOrderNumber(input), input.words.slice(1));
      const now = Date.now();
      const sentence = `Order ${order.id} ${done}; it is ${stateAt(order, now)}`;
      terminal.result(describeOrder(order, now), sentence);
    },
  });
}

function readQuery(input: Input): OrderQuery {
  const [state, since] = [textOf(input, 'state'), textOf(input, 'since')];
  if (state !== null && !isOrderState(state))
    throw new UsageError(`Cannot list orders that are "${state}": give ${ORDER_STATES.join(', ')}`);
  return {
    ...ANY_ORDER,
    state,
    email: textOf(input, 'email'),
    since: since === null ? null : readUsage(() => readInstant(since)),
    attention: input.flags['attention'] === true,
  };
}

function describeFacts({ facts }: OrderStory) {
  return facts.map(({ at, origin, type, fact }) => ({
    time: iso(at),
    from: origin,
    event: type,
    fact: fact.kind,
  }));
}

function describeMails({ mails }: OrderStory) {
  return mails.map(({ id, kind, address, state, tries, nextAt, error }) => ({
    mail: id,
    kind,
    to: address,
    state,
    tries,
    next: iso(nextAt),
    error,
  }));
}
