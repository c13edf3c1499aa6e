import { expect, test } from 'bun:test';
import { createLog } from '../../../src/platform/base/log.ts';

test.each([
  ['an escape', 'books/a\u001b[2Jb: bad', 'books/a?[2Jb: bad'],
  ['an escape of one character', 'a\u009b31m', 'a?31m'],
  ['a carriage return', 'a\rb', 'a?b'],
  ['a bidi control', 'a\u202eb', 'a?b'],
  ['a second line', 'a\n12:00:00  Ready', 'a\n    12:00:00  Ready'],
])('a pretty log neither steers the terminal nor forges a line by %s', (_, message, shown) => {
  let written = '';
  createLog('pretty', (line) => void (written += line))({ event: 'item-problem', message });
  expect(written.slice(8)).toBe(`  ${shown}\n`);
});

/** A log whose minute lasts 60 ms, and the lines it wrote. */
function open() {
  let text = '';
  const log = createLog('json', (lines) => void (text += lines), 60);
  const lines = () => text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  return { log, lines };
}

const request = (status: number, route = '/livez', account: string | null = null) =>
  ({ event: 'request', id: 'x', method: 'GET', route, status, ms: 1, bytes: 10, account }) as const;

test('a cause that lasts is one line at once, then one a minute with how often it was met', async () => {
  const { log, lines } = open();
  const lost = (rows: number, total: number) =>
    log({ event: 'downloads-lost', message: `Cannot write ${rows} downloads: full`, lost: total });
  for (let n = 1; n <= 50; n++) lost(n, n * 100);
  expect(lines()).toMatchObject([{ event: 'downloads-lost', lost: 100 }]);
  while (lines().length < 2) await Bun.sleep(5);
  expect(lines()[1]).toMatchObject({ event: 'downloads-lost', lost: 5000, times: 49 });
  for (let n = 1; n <= 7; n++) lost(n, 9000);
  expect(lines()).toHaveLength(2);
  while (lines().length < 3) await Bun.sleep(5);
  expect(lines()[2]).toMatchObject({ lost: 9000, times: 7 });
  await Bun.sleep(150);
  lost(1, 9001);
  expect(lines()).toHaveLength(4);
});

test.each([
  'artefact-broken',
  'data-directory',
  'downloads-lost',
  'mail-late',
  'model-cut',
  'model-cut-prompt',
  'model-protocol',
  'model-refused',
  'model-unreachable',
  'storage-unavailable',
  'views-late',
])('%s that lasts is one line, and one a minute', (event) => {
  const { log, lines } = open();
  for (let n = 1; n <= 5; n++) log({ event, message: `${n} times` });
  expect(lines()).toHaveLength(1);
});

test('causes are told apart, and what is counted is written when the server stops', () => {
  const { log, lines } = open();
  for (let n = 0; n < 3; n++)
    for (const reason of ['full', 'read-only'])
      log({ event: 'storage-unavailable', message: `Disk ${reason}` });
  log({ event: 'stopped', message: 'Stopped' });
  expect(lines().map(({ message, times = 1 }) => `${message} ${times}`)).toEqual([
    'Disk full 1',
    'Disk read-only 1',
    'Disk full 2',
    'Disk read-only 2',
    'Stopped 1',
  ]);
});

test.each([
  ['probes', request(200), request(200, '/readyz')],
  ['what is not found', request(404, '/api/*'), request(405, '/api/*')],
  ['what a page loads', request(200, '/covers/:name'), request(200, '/assets/:name')],
  ['what is malformed or known already', request(400, '/api/install/:slug'), request(304, '/')],
  ['what is over a budget', request(429, '/api/items'), request(429, '/covers/:slug')],
])('a flood of %s is twenty lines of each kind, and one a minute', async (_, one, other) => {
  const { log, lines } = open();
  for (let n = 0; n < 500; n++) log(one);
  for (let n = 0; n < 30; n++) log(other);
  while (lines().filter(({ event }) => event === 'requests').length < 2) await Bun.sleep(5);
  expect(lines().filter(({ event }) => event === 'request')).toHaveLength(40);
  const { method, route, status } = one;
  expect(lines().filter(({ event }) => event === 'requests')).toMatchObject([
    { method, route, status, times: 480, bytes: 4800 },
    { route: other.route, status: other.status, times: 10 },
  ]);
});

test.each([
  ['of an account', request(429, '/api/items', 'ann')],
  ['that was answered', request(200, '/api/items')],
  ['that failed', request(500, '/api/items')],
  ['by a wrong password', { event: 'sign-in-failed', address: '203.0.113.7', account: null }],
  ['of an unexpected error', { event: 'internal-error', message: 'Error: broken' }],
])('each line %s is written', async (_, entry) => {
  const { log, lines } = open();
  for (let n = 0; n < 100; n++) log(entry);
  while (lines().length < 100) await Bun.sleep(5);
  expect(lines().every(({ times }) => times === undefined)).toBe(true);
});
