import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { openStall } from '../../../harness.ts';

const stall = await openStall();
await stall.reader('reader@example.org');

test('if sessions cannot be read, a browser gets a page that says so, and the log gets a line', async () => {
  const cookie = await stall.signIn('reader@example.org');
  const db = new Database(join(stall.data, 'bookstall.db'));
  db.run('DROP TABLE sessions');
  db.close();
  const response = await stall.fetch('/dashboard', { headers: { ...cookie, Accept: 'text/html' } });
  const page = await response.text();
  expect([response.status, response.headers.get('content-type')]).toEqual([500, 'text/html; charset=utf-8']);
  expect(page).toContain('Internal error: the stall');
  expect(page).not.toContain('no such table');
  expect(stall.log.at(-1)).toMatchObject({ event: 'request', route: '/dashboard', status: 500 });
});
