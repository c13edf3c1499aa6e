import { expect, test } from 'bun:test';
import { parseNetworks } from '../../../src/platform/http/address.ts';
import { fetchBody, findTip, UPLOAD_HEADERS } from '../../installing/git/fetch-body.ts';
import { itemYaml, openStall, skillMd } from '../../helpers/harness.ts';
import { openSocket } from './raw-socket.ts';

const MB = 1024 * 1024;
/** Of the largest length that git-upload-pack reads; the stall has room for 16 of them. */
const SENDERS = 40;

const stall = await openStall({
  files: { 'skills/heron/item.yaml': itemYaml(), 'skills/heron/SKILL.md': skillMd('heron') },
  config: { trustedProxies: parseNetworks('127.0.0.1') },
});
const message = (padding: number): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { _meta: { note: 'x'.repeat(padding) } } });

test.each([
  ['git', '/git/heron.git/git-upload-pack', UPLOAD_HEADERS['Content-Type']],
  ['MCP', '/mcp', 'application/json'],
])('large bodies for %s that never end have a bound, and keep no other client out', async (_, path, type) => {
  const statuses: string[] = [];
  const length = path === '/mcp' ? MB / 4 : MB;
  const sockets = Array.from({ length: (SENDERS * MB) / length }, () =>
    openSocket(stall.url, [
      `POST ${path} HTTP/1.1`,
      `Host: ${new URL(stall.url).host}`,
      'X-Forwarded-For: 192.0.2.1',
      `Content-Type: ${type}`,
      'Accept: application/json, text/event-stream',
      `Content-Length: ${length}`,
    ]),
  );
  for (const socket of sockets)
    socket.on('data', (chunk) => statuses.push(String(chunk).split(' ')[1] ?? ''));
  while (statuses.length < (8 * MB) / length) await Bun.sleep(1);
  expect(new Set(statuses)).toEqual(new Set(['503']));

  const from = { 'X-Forwarded-For': '198.51.100.7' };
  const asked = await stall.fetch('/mcp', {
    method: 'POST',
    headers: {
      ...from,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: message(100_000),
  });
  expect(asked.status).toBe(200);
  const tip = await findTip(`${stall.url}/git/heron.git`);
  const cloned = await stall.fetch('/git/heron.git/git-upload-pack', {
    method: 'POST',
    headers: { ...UPLOAD_HEADERS, ...from },
    body: fetchBody(`want ${tip}`, ...Array<string>(1000).fill(`have ${'1'.repeat(40)}`), 'done'),
  });
  expect(cloned.status).toBe(200);
  sockets.forEach((socket) => socket.destroy());
});
