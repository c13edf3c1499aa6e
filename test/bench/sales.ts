// Deliveries of payment providers: how fast they are answered, and what installs notice of six hundred a second.
import { Database } from 'bun:sqlite';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { writeFiles } from '../torture/program.ts';
import { signStripe } from '../selling/signed.ts';
import { completed, refund } from '../selling/providers/stripe-events.ts';
import { ms, rate, type Row } from './figure.ts';
import { describe, type Latencies, request, runOpenLoop, type Stream } from './open-loop.ts';
import { office, quantile, scratch, startStallUnder } from './stall-process.ts';

const SECRET = 'whsec_of_the_bench';
const PORT = 4770;
const SECONDS = 15;
const INSTALLS = 400;
const CROWD = 600;
const BUYER = 'buyer@example.org';

type Shop = Awaited<ReturnType<typeof openSellingShop>>;

/** Installs alone and beside deliveries, deliveries alone and beside installs, and two hundred refunds. */
export async function measureSales(): Promise<readonly Row[]> {
  const shop = await openSellingShop();
  try {
    const alone = await run(shop, { installs: INSTALLS, sales: 0 });
    const crowded = await run(shop, { installs: INSTALLS, sales: CROWD });
    const quiet = await run(shop, { installs: 0, sales: 20 });
    const beside = await run(shop, { installs: INSTALLS, sales: 20 });
    return [
      crowdRow(alone.installs, crowded.installs, crowded.sales),
      latencyRow('a delivery, 20 a second, nothing else', quiet.sales, 50),
      latencyRow(`a delivery, 20 a second beside ${INSTALLS} installs a second`, beside.sales, 100),
      await costRow(shop),
      await refundRow(shop),
    ];
  } finally {
    await shop.stop();
  }
}

async function openSellingShop() {
  const directory = scratch('sales');
  writeFiles(`${directory}/content/skills/sold-skill`, {
    'item.yaml':
      'title: A sold skill\ndescription: For the bench\npublisher: Nobody\nunitAmountCents: 1900\nsell: {stripe: [plink_paid]}\n',
    'SKILL.md': '---\nname: sold-skill\ndescription: A skill for the bench.\n---\n\nDo it well.\n',
    'noise.bin': randomBytes(48_000),
  });
  const data = `${directory}/data`;
  const secret = `BOOKSTALL_STRIPE_WEBHOOK_SECRET=${SECRET}`;
  const stall = await startStallUnder(['env', secret], `${directory}/content`, data, PORT);
  for (const email of ['reader@example.org', BUYER]) await office(data, 'account', 'add', email);
  await office(data, 'grant', 'add', 'reader@example.org', 'sold-skill');
  const { key = '' } = await office(data, 'key', 'create', 'reader@example.org');
  let count = 0;
  const fresh = () => completed(`b${(count += 1)}`, 0, buyer(`buyer-${count}@example.org`));
  return {
    ...stall,
    key,
    /** A sale that nobody sent before, and as it goes over the wire. */
    fresh,
    sale: () => deliver(fresh()),
  };
}

const buyer = (email: string) => ({ customer_details: { email } });

function deliver(event: unknown): string {
  const { body, headers } = signStripe(event, Date.now(), SECRET);
  const sent = { Host: '127.0.0.1', ...headers, 'Content-Length': String(Buffer.byteLength(body)) };
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /webhooks/stripe HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

async function run(shop: Shop, rates: { readonly installs: number; readonly sales: number }) {
  const requests = Array.from({ length: rates.sales * SECONDS }, shop.sale);
  const install = request('/api/install/sold-skill', { Authorization: `Bearer ${shop.key}` });
  const streams: readonly (Stream & { readonly name: 'installs' | 'sales' })[] = [
    { name: 'installs', rate: rates.installs, requests: [install] },
    { name: 'sales', rate: rates.sales, requests },
  ];
  return runOpenLoop({
    port: PORT,
    seconds: SECONDS,
    streams: streams.filter((stream) => stream.rate > 0),
  });
}

function crowdRow(alone: Latencies, crowded: Latencies, sales: Latencies): Row {
  const [before, beside] = [quantile(alone.sorted, 0.99), quantile(crowded.sorted, 0.99)];
  return {
    figure: `installs, ${INSTALLS} a second, beside ${CROWD} sales a second from one address (the sales themselves: ${describe(sales)})`,
    bound: 'none refused, p99 < 50 ms',
    measured: `${describe(crowded)}; without: ${describe(alone)}`,
    ratio: `${(beside / before).toFixed(2)} x`,
    isMet: crowded.failed + sales.failed === 0 && beside < 50,
    command: 'bun run bench:sales',
  };
}

function latencyRow(figure: string, sales: Latencies, bound: number): Row {
  return {
    figure,
    bound: `p99 < ${bound} ms`,
    measured: describe(sales),
    ratio: '',
    isMet: quantile(sales.sorted, 0.99) < bound && sales.failed === 0,
    command: 'bun run bench:sales',
  };
}

/** Deliveries as fast as sixteen connections send them, and the processor time of the whole stall for one. */
async function costRow({ url, pid, fresh }: Shop): Promise<Row> {
  const events = Array.from({ length: 3000 }, fresh);
  const [before, startedAt] = [processorTime(pid), performance.now()];
  const send = async (): Promise<void> => {
    for (let event = events.pop(); event !== undefined; event = events.pop()) {
      const { body, headers } = signStripe(event, Date.now(), SECRET);
      await fetch(`${url}/webhooks/stripe`, { method: 'POST', body, headers });
    }
  };
  await Promise.all(Array.from({ length: 16 }, send));
  const took = performance.now() - startedAt;
  return {
    figure: '3,000 sales by 16 connections',
    bound: '',
    measured: `${rate(3_000_000 / took)}; ${ms((processorTime(pid) - before) / 3000)} of processor time each, in all threads`,
    ratio: '',
    isMet: null,
    command: 'bun run bench:sales',
  };
}

/** Milliseconds of processor time that a process has used in all its threads; the kernel counts hundredths of a second. */
function processorTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Two hundred sales to one account, then their refunds within a minute. */
async function refundRow({ url, data }: Shop): Promise<Row> {
  const names = Array.from({ length: 200 }, (_, n) => `refund${n}`);
  const send = async (event: unknown) => {
    const { body, headers } = signStripe(event, Date.now(), SECRET);
    const { status } = await fetch(`${url}/webhooks/stripe`, { method: 'POST', body, headers });
    if (status !== 200) throw new Error(`A delivery was answered ${status}`);
  };
  for (const name of names) await send(completed(name, 0, buyer(BUYER)));
  const before = countLive(data);
  const startedAt = performance.now();
  for (const name of names) await send(refund('refund.created', name, 60));
  const took = performance.now() - startedAt;
  const after = countLive(data);
  return {
    figure: '200 refunds, one after the other',
    bound: '200 grants are revoked in a minute',
    measured: `${ms(took)}; live grants before: ${before}, after: ${after}`,
    ratio: '',
    isMet: took < 60_000 && before === 200 && after === 0,
    command: 'bun run bench:sales',
  };
}

/** The buyer's grants that are live, as the database has them. */
function countLive(data: string): number {
  const db = new Database(`${data}/bookstall.db`, { readonly: true });
  try {
    const sql = `SELECT count(*) AS live FROM grants JOIN accounts ON accounts.id = account_id
      WHERE email = ? AND revoked_at IS NULL`;
    return db.query<{ live: number }, [string]>(sql).get(BUYER)?.live ?? 0;
  } finally {
    db.close();
  }
}
