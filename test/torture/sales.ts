// Part "sales": rounds of kill -9 of the server while payment providers deliver, at every step of a delivery; after each the
// stall is started and its orders are examined: an answered event is whole, any other is whole or not there.
import type { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { signStripe } from '../selling/signed.ts';
import { completed, refund } from '../selling/providers/stripe-events.ts';
import { auditDatabase, openDatabase } from './audit.ts';
import type { Chance } from './chance.ts';
import { attach, killAtRows } from './moment.ts';
import { runCommand, scratch, type Server, startServer, writeFiles } from './program.ts';

const SECRET = 'whsec_of_the_torture';
const BUYER = 'buyer@example.org';
const SENDERS = 6;
/** How long a round may take until its server is killed in any case, in milliseconds. */
const LONGEST = 1500;

/** An event of a provider: the sale or its refund, and whether it was answered. */
type Delivery = {
  readonly name: string;
  readonly kind: 'sale' | 'refund';
  readonly event: { readonly id: string };
  /** The copies for others of a sale of three. */
  readonly copies: 0 | 2;
  isAnswered: boolean;
};

type Stand = {
  readonly directory: string;
  readonly deliveries: Delivery[];
  readonly counts: Map<string, { rounds: number; struck: number; answered: number; open: number }>;
};

/** Runs the rounds; the rows of the table, and a sentence for each fault. */
export async function tortureSales(chance: Chance, rounds: number, say: (text: string) => void) {
  const directory = scratch('sales');
  writeSoldBook(directory);
  process.env['BOOKSTALL_STRIPE_WEBHOOK_SECRET'] = SECRET;
  const stand: Stand = { directory, deliveries: [], counts: new Map() };
  const faults: string[] = [];
  let server = await startServer(directory);
  await runCommand(directory, ['account', 'add', BUYER]);
  for (let n = 1; n <= rounds; n++) {
    const name = await playRound(stand, server, chance.fork(`round ${n}`), n);
    server = await startServer(directory);
    const found = examine(stand);
    for (const fault of found) say(`round ${n}, killed when ${name}: ${fault}`);
    faults.push(...found.map((fault) => `round ${n}, killed when ${name}: ${fault}`));
    if (n % 10 === 0) say(`${n} rounds, ${faults.length} faults`);
  }
  await deliverAll(stand, server);
  faults.push(...examine(stand, true));
  if ((await server.stop()) !== 0) faults.push('The last server did not stop with 0');
  delete process.env['BOOKSTALL_STRIPE_WEBHOOK_SECRET'];
  return { rows: table(stand), faults };
}

function writeSoldBook(directory: string): void {
  writeFiles(join(directory, 'content/books/sold-book'), {
    'item.yaml':
      'title: A sold book\nid: sold-id\ndescription: For the torture run\npublisher: Nobody\nunitAmountCents: 1900\nsell: {stripe: [plink_paid]}\n',
    '01.md': '# The heron\n\nIt stands on one leg.\n',
  });
}

/** Delivers until the server is killed; the name of the moment. What was not answered before is delivered again. */
async function playRound(stand: Stand, server: Server, chance: Chance, round: number): Promise<string> {
  const call = chance.odds(0.8)
    ? chance.among([
        { name: 'rows are written', calls: 'pwrite64', most: 60 },
        { name: 'rows are synced', calls: 'fsync,fdatasync', most: 12 },
      ])
    : null;
  const delay = call === null ? chance.between(0, 300) : LONGEST;
  if (call !== null) await attach(killAtRows(stand.directory, chance, call.calls, call.most), server.pid);
  const isStruck = Promise.race([server.exited.then(() => true), Bun.sleep(delay).then(() => false)]);
  const open = stand.deliveries.filter(({ isAnswered }) => !isAnswered);
  const before = stand.deliveries.length;
  let count = 0;
  const next = (): Delivery => open.pop() ?? make(stand, chance, `r${round}n${(count += 1)}`);
  const senders = Array.from({ length: SENDERS }, () => send(server, next));
  const struck = await isStruck;
  server.kill('SIGKILL');
  await server.exited;
  await Promise.all(senders);
  const name = call?.name ?? 'some time has passed';
  const row = stand.counts.get(name) ?? { rounds: 0, struck: 0, answered: 0, open: 0 };
  const made = stand.deliveries.slice(before);
  stand.counts.set(name, {
    rounds: row.rounds + 1,
    struck: row.struck + (struck && call !== null ? 1 : 0),
    answered: row.answered + made.filter(({ isAnswered }) => isAnswered).length,
    open: row.open + made.filter(({ isAnswered }) => !isAnswered).length,
  });
  return name;
}

/** A sale of its own, half of them with a refund, which comes first in one of four. */
function make(stand: Stand, chance: Chance, name: string): Delivery {
  const copies = chance.odds(0.5) ? 2 : 0;
  const line_items = { data: [{ quantity: copies + 1 }] };
  const sale: Delivery = {
    name,
    kind: 'sale',
    copies,
    event: completed(name, 0, { customer_details: { email: BUYER }, line_items }),
    isAnswered: false,
  };
  const refunded: Delivery = {
    name,
    kind: 'refund',
    copies,
    event: refund('refund.created', name, 60),
    isAnswered: false,
  };
  const made = chance.odds(0.5) ? [sale] : chance.odds(0.5) ? [refunded, sale] : [sale, refunded];
  stand.deliveries.push(...made);
  const [first = sale] = made;
  return first;
}

async function send(server: Server, next: () => Delivery): Promise<void> {
  for (;;) {
    const delivery = next();
    const { body, headers } = signStripe(delivery.event, Date.now(), SECRET);
    const status = await fetch(`${server.url}/webhooks/stripe`, { method: 'POST', body, headers }).then(
      (answer) => answer.status,
      () => null,
    );
    if (status === 200) delivery.isAnswered = true;
    if (status === null) return;
  }
}

/** As a provider does for three days: until everything is answered, some of it twice. */
async function deliverAll({ deliveries }: Stand, server: Server): Promise<void> {
  for (const delivery of [...deliveries.filter(({ isAnswered }) => !isAnswered), ...deliveries.slice(-50)]) {
    const { body, headers } = signStripe(delivery.event, Date.now(), SECRET);
    const { status } = await fetch(`${server.url}/webhooks/stripe`, { method: 'POST', body, headers });
    delivery.isAnswered = status === 200;
  }
}

function examine({ directory, deliveries }: Stand, isEnd = false): readonly string[] {
  const db = openDatabase(directory);
  try {
    const stored = new Set(
      db
        .query<{ id: string }, []>(
          `SELECT event_id AS id FROM sale_events WHERE state = 'folded' AND id IN (SELECT event FROM sale_facts)`,
        )
        .all()
        .map(({ id }) => id),
    );
    const lost = deliveries.filter(({ isAnswered, event }) => isAnswered && !stored.has(event.id));
    const halves = db.query('SELECT event_id FROM sale_events WHERE state <> ?').all('folded');
    const open = isEnd ? deliveries.filter(({ isAnswered }) => !isAnswered) : [];
    return [
      ...auditDatabase(db, []),
      ...lost.map(({ name, kind }) => `The ${kind} of ${name} was answered, and is lost`),
      ...halves.map((row) => `An event is not folded: ${JSON.stringify(row)}`),
      ...open.map(({ name, kind }) => `The ${kind} of ${name} is refused`),
      ...examineOrders(db, deliveries, stored),
    ];
  } finally {
    db.close();
  }
}

type OrderRow = {
  readonly ref: string;
  readonly state: string;
  readonly grants: number;
  readonly mails: number;
  readonly codes: string;
};

/** Each order must be what the stored events of its sale say: the grant of one that is paid, one mail, and no more. */
function examineOrders(
  db: Database,
  deliveries: readonly Delivery[],
  stored: ReadonlySet<string>,
): readonly string[] {
  const rows = db
    .query<OrderRow, []>(
      `SELECT provider_ref AS ref, state,
         (SELECT count(*) FROM grants WHERE source = 'sale:' || orders.id AND source GLOB '*:*' AND revoked_at IS NULL) AS grants,
         (SELECT count(*) FROM outbox WHERE order_id = orders.id AND kind = 'library') AS mails,
         (SELECT json_group_array(uses) FROM codes WHERE order_id = orders.id) AS codes FROM orders`,
    )
    .all();
  const orders = Map.groupBy(rows, ({ ref }) => ref);
  const sales = Map.groupBy(deliveries, ({ name }) => name);
  return [...sales.entries()].flatMap(([name, own]) => {
    const has = (kind: Delivery['kind']) =>
      own.some((delivery) => delivery.kind === kind && stored.has(delivery.event.id));
    const found = orders.get(`cs_live_${name}`) ?? [];
    const [order] = found;
    const state = !has('sale') ? undefined : has('refund') ? 'refunded' : 'paid';
    if (found.length > 1) return [`${name} has ${found.length} orders`];
    if (order?.state !== state) return [`The order of ${name} is ${order?.state}, and should be ${state}`];
    const copies = own[0]?.copies ? '[2]' : '[]';
    if (order !== undefined && order.codes !== copies)
      return [`${name} has codes for ${order.codes}, and should have ${copies}`];
    if ((order?.grants ?? 0) !== (state === 'paid' ? 1 : 0)) return [`${name} has ${order?.grants} grants`];
    return state === 'paid' && order?.mails !== 1 ? [`${name} has ${order?.mails} mails`] : [];
  });
}

function table({ counts }: Stand): readonly string[] {
  return [
    '| killed when | rounds | killed at that call | events answered before | events open |',
    '| --- | --- | --- | --- | --- |',
    ...[...counts.entries()]
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(
        ([name, { rounds, struck, answered, open }]) =>
          `| ${name} | ${rounds} | ${struck} | ${answered} | ${open} |`,
      ),
  ];
}
