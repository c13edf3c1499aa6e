// Load at a fixed rate from a process of its own: a request is sent when it is due, whether or not the earlier ones are
// answered, so that a stalled server delays every request due during the stall.
import { join } from 'node:path';
import { own } from './child.ts';
import { ms } from './figure.ts';
import { quantile } from './stall-process.ts';

/** Requests of one kind: whole texts, sent in turn, so many a second; any other status than `expected` (200) has failed. */
export type Stream = {
  readonly name: string;
  readonly rate: number;
  readonly requests: readonly string[];
  readonly expected?: number;
};

export type Plan = { readonly port: number; readonly seconds: number; readonly streams: readonly Stream[] };

/** In milliseconds, from the sent request to the last byte of its answer; `latest` is how late the client itself was at most. */
export type Latencies = {
  readonly sent: number;
  readonly failed: number;
  /** How many failed for which reason: a status, or what became of the connection. */
  readonly failures: Readonly<Record<string, number>>;
  readonly latest: number;
  readonly sorted: readonly number[];
};

/** Beyond this the latencies measure the machine as much as the stall. */
const TOLERATED = 20;

/** Runs a plan, at most until `until` is settled, and gives each stream's latencies by its name; `prefix` is what the client is started under. */
export async function runOpenLoop<Name extends string>(
  plan: Plan & { readonly streams: readonly (Stream & { readonly name: Name })[] },
  { prefix = [], until }: { readonly prefix?: readonly string[]; readonly until?: Promise<unknown> } = {},
): Promise<Readonly<Record<Name, Latencies>>> {
  const client = own(
    Bun.spawn([...prefix, process.execPath, join(import.meta.dir, 'open-loop-client.ts')], {
      stdin: new Blob([JSON.stringify(plan)]),
      stdout: 'pipe',
      stderr: 'inherit',
    }),
  );
  until?.finally(() => client.kill('SIGTERM')).catch(() => {});
  const said = await new Response(client.stdout).text();
  if ((await client.exited) !== 0) throw new Error('The load ended early');
  const results = JSON.parse(said) as Record<Name, Latencies>;
  for (const [name, { latest, failures }] of Object.entries<Latencies>(results)) {
    if (latest > TOLERATED)
      console.error(`  ${name} was sent up to ${ms(latest)} late: this machine is busy`);
    for (const [reason, count] of Object.entries(failures)) console.error(`  ${name}: ${count} ${reason}`);
  }
  return results;
}

export function describe({ sorted, sent, failed }: Latencies): string {
  const worst = sorted.at(-1) ?? Number.NaN;
  return `p50 ${ms(quantile(sorted, 0.5))}, p99 ${ms(quantile(sorted, 0.99))}, max ${ms(worst)} of ${sent}${failed === 0 ? '' : `, ${failed} failed`}`;
}

/** A request as it goes over the wire. */
export function request(
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: unknown,
): string {
  const text = body === undefined ? '' : JSON.stringify(body);
  const sent =
    text === ''
      ? {}
      : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(text)) };
  const lines = Object.entries({ Host: '127.0.0.1', ...headers, ...sent }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `${text === '' ? 'GET' : 'POST'} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`;
}
