import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../helpers/harness.ts';
import { addReader, buildProgram, serve, stallDirectory } from './program.ts';

await buildProgram();
const directory = stallDirectory();
const stall = await serve(directory);

/** Whether a text stands anywhere in the stall's data directory, deleted or not. */
function isStored(text: string): boolean {
  const files = [...new Bun.Glob('**/*').scanSync(join(directory, 'data'))];
  return files.some((name) => readFileSync(join(directory, 'data', name)).includes(text));
}

test('account export prints one JSON document, with --json in one line', async () => {
  const { headers } = await addReader(stall, 'ann@example.org', 'paid-book');
  await (await stall.fetch('/api/install/paid-book', { headers })).bytes();
  await until(async () => (await stall.command('logs', '--kind', 'download', '--json')).includes('ann@'));
  const document = await stall.command('account', 'export', 'ann@example.org');
  const line = await stall.command('account', 'export', 'ann@example.org', '--json');
  expect(line.trimEnd()).not.toContain('\n');
  expect(JSON.parse(document)).toEqual(JSON.parse(line));
  expect(JSON.parse(line)).toMatchObject({
    account: { email: 'ann@example.org' },
    keys: [{ name: 'key' }],
    grants: [{ slug: 'paid-book' }],
    downloads: [{ slug: 'paid-book', door: 'install' }],
  });
});

test('account remove shuts the key out from the next request on, and leaves no trace of the address', async () => {
  for (let n = 0; n < 8; n++) await stall.command('account', 'add', `neighbour-${n}@example.org`);
  const { headers } = await addReader(stall, 'forget-me@example.net', 'paid-book');
  const install = () => stall.fetch('/api/install/paid-book', { headers });
  await (await install()).bytes();
  await until(async () =>
    (await stall.command('logs', '--kind', 'download', '--json')).includes('forget-me@'),
  );
  const note = await stall.fetch('/api/books/paid-id/notes', {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ path: '01.md', start: 2, end: 11, text: 'forget-my-words' }),
  });
  expect(note.status).toBe(201);
  expect(isStored('forget-me@example.net')).toBe(true);
  expect(isStored('forget-my-words')).toBe(true);
  expect(await stall.command('account', 'remove', 'forget-me@example.net')).toBe(
    'Removed forget-me@example.net with 1 key, 1 note and 1 grant, from the next request on; 0 questions and 1 download stay counted, and name nobody\n',
  );
  expect((await install()).status).toBe(401);
  const downloads = (await stall.command('logs', '--kind', 'download', '--json')).trim().split('\n');
  expect(JSON.parse(downloads.at(-1) ?? '')).toMatchObject({ account: null, key: null, slug: 'paid-book' });
  expect(await stall.command('logs', '--kind', 'download')).toMatch(/ - +- +book +paid-book/);
  expect(await stall.stop()).toBe(0);
  expect(isStored('forget-me@example.net')).toBe(false);
  expect(isStored('forget-my-words')).toBe(false);
  expect(isStored('neighbour-3@example.org')).toBe(true);
});
