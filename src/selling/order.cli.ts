import { PURPOSES } from '../accounts/one-time-link.ts';
import { isOrderState, nameOrder, type Order, ORDER_STATES, stateAt } from './order.rule.ts';
import { formatMoney } from '../catalog/price.rule.ts';
import { plain } from '../platform/cli/terminal-text.ts';
import { type Input, iso, readUsage, type Terminal, UsageError } from '../platform/cli/command.ts';
import { confirm } from '../platform/cli/confirm.ts';
import { readInstant } from '../platform/base/duration.ts';
import {
  addHandOrder,
  ANY_ORDER,
  attachOrder,
  describeOrder,
  eraseOrder,
  findNamedOrder,
  giveBackOrder,
  grantOrder,
  linkToClaim,
  nameSale,
  type OrderQuery,
  readOrderStory,
  replayOrder,
  revokeOrder,
  pagedOrders,
} from './order.ts';
import {
  type AdminCommand,
  type AdminServices,
  adminCommand,
  findOrigin,
  readTextFile,
} from '../platform/cli/admin-command.ts';
import type { Store } from './stall.ts';
import { Refusal } from '../platform/base/refusal.ts';
import { csvLine } from '../platform/base/csv-rows.ts';
import { countUnknown, importOrders, readSaleList, SALE_COLUMNS, type Sold } from './order-import.ts';
import { type Config, readSetting } from '../platform/config/config.ts';
import { defaultLimits } from '../platform/base/item-limits.ts';
import { isPaymentProvider, PAYMENT_PROVIDERS } from '../words/payment-provider.ts';
import { readConfig } from '../platform/config/config.ts';
import { besideServer } from '../platform/config/live-config.ts';
import { askAboutWaiting, reconcile, replayAllEvents, retryFailedEvents } from './sale-event.ts';
import { settings } from '../platform/cli/settings.ts';

type Act = {
  readonly synopsis?: string;
  readonly about?: string;
  readonly act: (office: AdminServices<Store>, id: number, words: readonly string[]) => Promise<Order>;
  readonly done: string;
};

const ORDER = 'ID|REF';

const actCommand = (
  name: string,
  summary: string,
  { synopsis = ORDER, act, done, about = '' }: Act,
): AdminCommand<Store> =>
  adminCommand({
    name,
    synopsis,
    summary,
    about,
    async run(office, input, terminal) {
      const { id } = findNamedOrder(office, input.word);
      const order = await act(office, id, input.words.slice(1));
      const now = Date.now();
      const sentence = `Order ${nameSale(order)} is ${done}; its state is ${stateAt(order, now)}`;
      terminal.result(describeOrder(order, now), sentence);
    },
  });

function readQuery(input: Input<'state' | 'email' | 'since' | 'attention'>): OrderQuery {
  const [state, since] = [input.text('state'), input.text('since')];
  if (state !== null && !isOrderState(state))
    throw new UsageError(`Cannot list orders that are "${state}": give ${ORDER_STATES.join(', ')}`);
  return {
    ...ANY_ORDER,
    state,
    email: input.text('email'),
    since: since === null ? null : readUsage(() => readInstant(since)),
    attention: input.has('attention'),
  };
}

function summarizeOrder(order: Order, now: number) {
  const { id, number, ref, email, account, attention, items, products } = order;
  const goods = items.length > 0 ? items.map(({ slug }) => slug) : products;
  const bought = order.bundle ?? goods.join(' ');
  const amount = formatMoney(order.amount, order.currency ?? '');
  const paid = iso(order.paidAt)?.slice(0, 10) ?? null;
  return {
    id,
    number,
    ref,
    state: `${stateAt(order, now)}${order.isTest ? ' (test)' : ''}`,
    bought,
    amount,
    email,
    account,
    paid,
    attention,
  };
}

const MOST_ITEMS = 100;

const orderAddCommand: AdminCommand<Store> = adminCommand({
  name: 'orders add',
  synopsis: 'EMAIL SLUG…',
  summary: 'Add a sale made elsewhere, and print its claim link',
  flags: {
    '--amount N': 'what was paid, in minor units, such as 1900 for 19.00',
    '--currency CODE': 'the currency of the amount, such as USD',
    '--ref TEXT': 'your number of it; the same one is one order',
    '--mail': 'send the link instead of printing it',
    ...settings('base-url'),
  },
  examples: [
    'bookstall orders add ada@example.org field-notes --amount 1900 --currency USD --ref invoice-17',
  ],
  words: [2, MOST_ITEMS + 1],
  async run(office, input, terminal) {
    const [email = '', ...slugs] = input.words;
    const origin = findOrigin(input, terminal);
    const isMailed = input.has('mail');
    const sale = { email, slugs, ref: input.text('ref'), isMailed, ...readMoney(input) };
    const order = await addHandOrder(office, 'command', sale);
    const { id, ref, account, claimedAt } = order;
    const isWaiting = account === null && claimedAt === null;
    const link = isWaiting && !isMailed ? await linkToClaim(office, 'command', id, origin) : null;
    if (link !== null)
      terminal.err(
        `Pass this link on to ${email}: it claims order ${nameOrder(order)}, within ${link.validFor}.\n`,
      );
    const state = account === null ? 'waits for its buyer' : `is in the library of ${account}`;
    terminal.result({ id, ref, claim: link?.url ?? null }, link?.url ?? `Order ${nameSale(order)} ${state}`);
  },
});

function readMoney(input: Input<'amount' | 'currency'>) {
  const [amount, currency] = [input.text('amount'), input.text('currency')];
  if (amount === null && currency === null) return { amount: 0, currency: 'usd' };
  if (amount === null || !/^\d{1,12}$/.test(amount))
    throw new UsageError('Cannot read --amount: give a whole number of minor units, as 1900 for $19.00');
  if (currency === null || !/^[A-Za-z]{3}$/.test(currency))
    throw new UsageError('Cannot add an amount without --currency: give a code of three letters, as USD');
  return { amount: Number(amount), currency: currency.toLowerCase() };
}

/** Lists the items and bundles that have a price: those of a content directory, and the pushed ones of a data directory. */
type ListPriced = (roots: Pick<Config, 'content' | 'data' | 'limits'>) => readonly Sold[];

const orderImportCommand = (listPriced: ListPriced): AdminCommand<Store> =>
  adminCommand({
    name: 'orders import',
    synopsis: 'FILE.csv',
    summary: 'Make orders of past sales, and print their claim links',
    about:
      'FILE.csv is an export of a payment provider, or any table of sales. Importing it twice makes nothing twice.',
    flags: {
      '--item SLUG': 'the item of rows that name none',
      '--product NAME=SLUG …': 'which item a product is; may be repeated',
      '--column WHAT=NAME …': 'which column says what, such as email=Buyer',
      '--currency CODE': 'the currency of amounts that name none',
      '--mail': 'send the links instead of printing them',
      '--dry-run': 'show what would be made, and write nothing',
      ...settings('base-url', 'content'),
    },
    examples: [
      'bookstall orders import sales.csv > links.csv',
      'bookstall orders import buyers.csv --column email=Buyer --item field-notes --dry-run',
    ],
    async run(office, input, terminal) {
      const origin = findOrigin(input, terminal);
      const [isMailed, isDry] = [input.has('mail'), input.has('dry-run')];
      const item = input.text('item');
      const products = new Map(readPairs(input.texts('product'), 'product'));
      if (item !== null) products.set('', item);
      const columns = Object.fromEntries(readPairs(input.texts('column'), 'column'));
      const content = readSetting('content', input.flags, terminal.environment);
      const sold = listPriced({ content, data: office.config.data, limits: defaultLimits });
      const choices = { columns, products, currency: input.text('currency'), sold, isMailed, isDry };
      const list = await readSaleList(await readTextFile(input.word));
      const { orders, made, known, left } = await importOrders(office, 'command', list, choices);
      const now = Date.now();
      const rows: { id: number; ref: string; email: string | null; state: string; claim: string | null }[] =
        [];
      for (const order of orders) {
        const state = stateAt(order, now);
        const waits =
          state === 'paid' && order.account === null && order.email !== null && !isMailed && !isDry;
        const claim = waits ? await claimOf(() => linkToClaim(office, 'command', order.id, origin)) : null;
        rows.push({ id: order.id, ref: order.providerRef, email: order.email, state, claim });
      }
      const header = ['id', 'ref', 'email', 'state', 'claim'];
      if (terminal.isJson) terminal.json({ orders: rows, made, known, left });
      else terminal.out([header, ...rows.map((row) => Object.values(row))].map(csvLine).join(''));
      const links = rows.filter(({ claim }) => claim !== null).length;
      const lines = [
        ...left.map(({ line, buyer, reason }) => `line ${line} (${buyer}) was left out: ${reason}`),
        ...Array.from(countUnknown(left), ([product, count]) => {
          const flag = product === '' ? '--item SLUG' : `--product "${product}=SLUG"`;
          return `rows that need an item: ${count}; give ${flag}`;
        }),
        `${isDry ? 'Orders that would be made' : 'Orders made'}: ${made}; known before: ${known}; rows left out: ${left.length}; claim links: ${links}`,
      ];
      for (const line of lines) terminal.err(`${plain(line)}\n`);
    },
  });

const readPairs = (texts: readonly string[], name: 'product' | 'column'): readonly [string, string][] =>
  texts.map((text) => {
    const at = name === 'product' ? text.lastIndexOf('=') : text.indexOf('=');
    const [left, right] = [text.slice(0, Math.max(0, at)), text.slice(at + 1)];
    const isKnown = name === 'product' ? left !== '' : SALE_COLUMNS.some((one) => one === left);
    if (isKnown && right !== '') return [left, right];
    throw new UsageError(
      `Cannot read --${name} ${text}: give --product NAME=SLUG, or --column with one of ${SALE_COLUMNS.join(', ')}, as email=Buyer`,
    );
  });

/** Returns the address of the link by which a buyer claims an order; null if `link` refuses to make one, as for a present. */
async function claimOf(link: () => Promise<{ readonly url: string }>): Promise<string | null> {
  try {
    return (await link()).url;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

const salesBeside = ({ flags }: Input, terminal: Terminal) =>
  besideServer(readUsage(() => readConfig(flags, terminal, { needsKey: false }))).sales;

const orderReconcileCommand: AdminCommand<Store> = adminCommand({
  name: 'orders reconcile',
  summary: 'Ask the payment providers for sales that did not arrive',
  about: 'The running server does it by itself every six hours.',
  flags: {
    '--since ISO': 'sales from this time on, such as 2026-12-01',
    '--provider PROVIDER': 'one provider instead of all',
    '--dry-run': 'show what is missing, and write nothing',
  },
  examples: ['bookstall orders reconcile --since 2026-11-01 --dry-run'],
  async run(office, input, terminal) {
    const [provider, since] = [input.text('provider'), input.text('since')];
    if (provider !== null && !isPaymentProvider(provider))
      throw new UsageError(`Cannot ask "${provider}": give ${PAYMENT_PROVIDERS.join(', ')}`);
    const results = await reconcile(office, salesBeside(input, terminal), {
      provider,
      since: since === null ? null : readUsage(() => readInstant(since)),
      isDry: input.has('dry-run'),
    });
    terminal.list(
      results,
      'No provider can be asked: set the key of its API, as BOOKSTALL_STRIPE_KEY; "bookstall sell check" says more',
    );
    return results.every(({ problem }) => problem === null);
  },
});

const MANY = ['failed', 'waiting', 'all'] as const;

const orderReplayCommand: AdminCommand<Store> = adminCommand({
  name: 'orders replay',
  synopsis: `${ORDER} | --failed | --waiting | --all`,
  summary: 'Read the events of an order again, or those of many',
  flags: {
    '--failed': 'the events that could not be read',
    '--waiting': 'the events that wait for an answer of their provider',
    '--all': 'all events of all orders',
  },
  examples: ['bookstall orders replay 7KQ2M-X4TRD', 'bookstall orders replay --waiting'],
  words: [0, 1],
  async run(office, input, terminal) {
    const many = readMany(input);
    if (many === 'failed') {
      const folded = await retryFailedEvents(office, 'command');
      terminal.result({ folded }, `Events that could be read now: ${folded}`);
    } else if (many === 'waiting') {
      const asked = await askAboutWaiting(office, salesBeside(input, terminal));
      terminal.result(asked, `Events answered: ${asked.answered}; still waiting: ${asked.waiting}`);
    } else if (many === 'all') {
      const read = await replayAllEvents(office, 'command');
      terminal.result(read, `Events read again: ${read.events}; orders: ${read.orders}`);
    } else {
      const order = await replayOrder(office, 'command', findNamedOrder(office, input.word).id);
      const now = Date.now();
      terminal.result(describeOrder(order, now), `Order ${nameSale(order)} is ${stateAt(order, now)}`);
    }
  },
});

/**
 * Returns the switch that was given, such as `failed`; null if an order was named instead. Refuses neither, both, and
 * several switches.
 */
function readMany({ has, words }: Input<(typeof MANY)[number]>): (typeof MANY)[number] | null {
  const [given = null, ...others] = MANY.filter(has);
  if (others.length > 0 || (given === null) === (words.length === 0))
    throw new UsageError('Cannot replay that: give one order, or one of --failed, --waiting and --all');
  return given;
}

export const orderCommands = (listPriced: ListPriced): readonly AdminCommand<Store>[] => [
  adminCommand({
    name: 'orders list',
    summary: 'List orders, the newest first',
    about:
      'Other commands take an order by its ID, the first column, or by its REF, which no number can be mistaken for.',
    flags: {
      '--state STATE': 'those in one state, such as paid or unmatched',
      '--email EMAIL': 'those of one buyer',
      '--since ISO': 'those from this time on, such as 2026-12-01',
      '--attention': 'those that need you',
    },
    examples: ['bookstall orders list --attention', 'bookstall orders list --state unmatched'],
    run(office, input, terminal) {
      const now = Date.now();
      const found = [...pagedOrders(office, readQuery(input)).all()].flat();
      terminal.list(
        // Cast, since the type of a row allows no lists, which the JSON form of an order contains.
        found.map(
          (order) => (terminal.isJson ? describeOrder(order, now) : summarizeOrder(order, now)) as never,
        ),
        'No orders yet. They arrive from your payment provider: bookstall sell check',
      );
    },
  }),
  adminCommand({
    name: 'orders show',
    synopsis: ORDER,
    summary: 'Show an order with all that happened to it',
    run(office, input, terminal) {
      const story = readOrderStory(office, findNamedOrder(office, input.word).id);
      const order = describeOrder(story.order, Date.now());
      const facts = story.facts.map(({ at, origin, type, fact }) => {
        return { time: iso(at), from: origin, event: type, fact: fact.kind };
      });
      const mails = story.mails.map(({ id, kind, address, state, tries, nextAt, error }) => {
        return { mail: id, kind, to: address, state, tries, next: iso(nextAt), error };
      });
      if (terminal.isJson) terminal.json({ ...order, facts, mails });
      else {
        for (const [name, value] of Object.entries(order))
          if (value !== null) terminal.out(`${name}: ${plain([value].flat().join(' '))}\n`);
        terminal.out('\n');
        terminal.list(facts, 'Nothing is known of it.');
        if (mails.length > 0) terminal.list(mails, '');
      }
    },
  }),
  actCommand('orders grant', 'Give the buyer the items, whatever the provider says', {
    synopsis: `${ORDER} [SLUG]…`,
    about: 'SLUG says what was bought, if the sale is unmatched.',
    act: (office, id, slugs) => grantOrder(office, 'command', id, slugs),
    done: 'granted',
  }),
  actCommand('orders revoke', 'Take the items of an order back', {
    act: (office, id) => revokeOrder(office, 'command', id),
    done: 'revoked, from the next request on',
  }),
  actCommand('orders refund', 'Note that the money was given back elsewhere', {
    about: 'It pays nothing back, and takes the items back.',
    act: (office, id) => giveBackOrder(office, 'command', id),
    done: 'marked as refunded',
  }),
  actCommand('orders attach', 'Give an order to an account', {
    synopsis: `${ORDER} EMAIL`,
    act: (office, id, [email = '']) => attachOrder(office, 'command', id, email),
    done: 'attached',
  }),
  adminCommand({
    name: 'orders link',
    synopsis: ORDER,
    summary: 'Print a link by which the buyer claims an order, once',
    about: `It works for ${PURPOSES.claim.words}.`,
    flags: settings('base-url'),
    async run(office, input, terminal) {
      const origin = findOrigin(input, terminal);
      const order = findNamedOrder(office, input.word);
      const { id } = order;
      const { url, email, expiresAt } = await linkToClaim(office, 'command', id, origin);
      terminal.err(
        `Pass this link on to ${plain(String(email))} where others cannot read it: it claims order ${nameOrder(order)}.\n`,
      );
      terminal.result({ id, email, url, expires: iso(expiresAt) }, url);
    },
  }),
  adminCommand({
    name: 'orders erase',
    synopsis: ORDER,
    summary: 'Take the buyer out of an order for good',
    about: 'The address and the bodies of events go; amounts, items and times stay.',
    flags: { '--yes': 'do not ask at a terminal' },
    async run(office, input, terminal) {
      const order = findNamedOrder(office, input.word);
      const [{ id }, name] = [order, nameSale(order)];
      if (terminal.isTerminal && !input.has('yes'))
        await confirm(terminal, `Erase the buyer of order ${name} for good?`, 'nothing was erased');
      await eraseOrder(office, 'command', id);
      terminal.result({ id, erased: true }, `Order ${name} has no buyer any more`);
    },
  }),
  orderAddCommand,
  orderImportCommand(listPriced),
  orderReconcileCommand,
  orderReplayCommand,
];
