import { expect, test } from 'bun:test';
import { parseNetworks } from '../../../src/budget/address.ts';
import { openSellingStall } from '../../sales/selling-stall.ts';
import { signStripe } from '../../sales/signed.ts';
import { completed } from '../../sales/stripe-events.ts';
import { openSocket } from '../raw-socket.ts';

const PLACES = 64;

const stall = await openSellingStall({ config: { trustedProxies: parseNetworks('127.0.0.1') } });
let count = 0;
const newEvent = () => signStripe(completed(`slow${(count += 1)}`, 0), Date.now());
const deliverFrom = async (address: string): Promise<number> => {
  const signed = newEvent();
  const headers = { ...signed.headers, 'X-Forwarded-For': address };
  return (await stall.deliver('stripe', { ...signed, headers })).status;
};

/** Begins a delivery from each address, and sends nothing after its first bytes. */
async function stallFrom(addresses: readonly string[]) {
  const sockets = addresses.map((address) =>
    openSocket(
      stall.url,
      [
        'POST /webhooks/stripe HTTP/1.1',
        `Host: ${new URL(stall.url).host}`,
        `X-Forwarded-For: ${address}`,
        'Content-Length: 100',
      ],
      '{',
    ),
  );
  const statuses: string[] = [];
  for (const socket of sockets)
    socket.on('data', (chunk) => statuses.push(String(chunk).split(' ')[1] ?? '')).on('error', () => {});
  // Every place is taken once the client that holds as many as any is asked to come again.
  while ((await deliverFrom(addresses[0] ?? '')) !== 503);
  return { statuses, end: () => sockets.forEach((socket) => socket.destroy()) };
}

test.each([
  ['one address', Array<string>(PLACES).fill('192.0.2.1')],
  ['four addresses', Array.from({ length: PLACES }, (_, n) => `192.0.2.${n % 4}`)],
  ['64 addresses', Array.from({ length: PLACES }, (_, n) => `192.0.2.${n}`)],
])('deliveries that never end, from %s, keep no other sender out', async (_, addresses) => {
  const { statuses, end } = await stallFrom(addresses);
  expect(await deliverFrom('198.51.100.7')).toBe(200);
  while (statuses.length === 0) await Bun.sleep(1);
  expect(statuses).toEqual(['503']);
  end();
});
