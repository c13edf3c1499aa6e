import { expect, test } from 'bun:test';
import { openSocket } from './raw-socket.ts';
import { openStall } from '../../helpers/harness.ts';
import { visitAs } from '../../office/visit.ts';

const stall = await openStall();
const { account, key } = await stall.reader('ada@example.org', 'paid-book');
const { store } = stall.app.stall;
const FORM = 'application/x-www-form-urlencoded';
const NOTE = '{"path":"01.md","start":2,"end":11,"text":"on one leg"}';

/** Everything that opens the account beside its sessions, and its notes. */
const made = () => [
  store.listKeys('key', account.id).length,
  store.listKeys('token', account.id).length,
  store.listDeviceKeys(account.id).length,
  store.countNotes(account.id),
];

test.each([
  ['/dashboard/api-keys', '/dashboard/api-keys/create', 'name=held&expires=90'],
  ['/dashboard/connect', '/dashboard/connect/create', 'name=held&expires=365&item='],
  ['/dashboard/devices', '/dashboard/devices', 'make=on'],
  [null, '/api/books/paid-id/notes', NOTE],
])('a body that comes after its sender was put out makes nothing: %s %s', async (page, path, body) => {
  const cookie = await stall.signIn('ada@example.org');
  const browser = visitAs(stall, cookie);
  const html = page === null ? '' : (await browser.open(page)).html;
  const once = /name="once" value="([^"]+)"/.exec(html)?.[1] ?? '';
  const sent = page === null ? body : `${body}&once=${once}`;
  const before = made();
  const socket = openSocket(stall.url, [
    `POST ${path} HTTP/1.1`,
    `Host: ${new URL(stall.url).host}`,
    page === null ? `Authorization: Bearer ${key}` : `Cookie: ${cookie.Cookie}`,
    'Sec-Fetch-Site: same-origin',
    'Connection: close',
    `Content-Type: ${page === null ? 'application/json' : FORM}`,
    `Content-Length: ${sent.length}`,
  ]);
  // The server has read the head by the time it has answered another request.
  await stall.fetch('/livez');
  if (page === null)
    await store.write.revokeKey({
      kind: 'key',
      id: store.listKeys('key', account.id)[0]!.id,
      at: Date.now(),
    });
  else await store.write.endSessions({ accountId: account.id, but: null, at: Date.now() });
  socket.write(sent);
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  expect(answer).toStartWith('HTTP/1.1 401 ');
  expect(made()).toEqual(before);
});
