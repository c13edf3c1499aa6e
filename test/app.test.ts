import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { MailConfig } from '../src/platform/config/mail.ts';
import { NO_SALES } from '../src/platform/config/sales.ts';
import { createGitClient } from './installing/git/git-client.ts';
import { openMailServer } from './mailing/mail-server.ts';
import { openScriptedApi } from './selling/providers/scripted-api.ts';
import { moment, ping, sale } from './selling/providers/gumroad-sales.ts';
import {
  type Files,
  itemYaml,
  openStall,
  SHELF,
  temporaryDirectory,
  until,
  writeFiles,
} from './helpers/harness.ts';

const FILES: Files = {
  ...SHELF,
  'books/free-book/item.yaml': `${SHELF['books/free-book/item.yaml']}formats: [paper.pdf]\n`,
  'books/free-book/paper.pdf': '%PDF-1.4\n',
};

/** The files of a data directory once no stall has it open. */
function query(data: string, sql: string): unknown[][] {
  const database = new Database(join(data, 'bookstall.db'));
  try {
    return database.query(sql).values();
  } finally {
    database.close();
  }
}

/** Mail by a server on this machine. */
const mailTo = (port: number): MailConfig => ({
  ...{
    host: '127.0.0.1',
    port,
    encryption: 'none',
    login: null,
    from: 'a@example.org',
    tellsSales: false,
    pause: 0,
  },
});

/** Runs while no timer of this process comes: what waits for one is written by a stop, or never. */
async function withoutTimers(act: () => Promise<void>): Promise<void> {
  const { setTimeout: start } = globalThis;
  globalThis.setTimeout = (() => start(() => {}, 2 ** 30).unref()) as unknown as typeof setTimeout;
  try {
    await act();
  } finally {
    globalThis.setTimeout = start;
  }
}

test('a stop writes what waits: downloads by every door, the last place of a reader, views of pages', async () => {
  const stall = await openStall({ files: FILES });
  const reader = await stall.reader('reader@example.org', 'paid-book');
  const session = await stall.signIn(reader.email);
  const fetch = async (path: string, init: RequestInit = {}) => {
    const response = await stall.fetch(path, init);
    expect(`${path} ${response.status}`).toBe(`${path} 200`);
    return response.text();
  };
  const index = JSON.parse(await fetch('/.well-known/agent-skills/index.json')) as {
    skills: { name: string; url: string }[];
  };
  const archive = index.skills.find(({ name }) => name === 'free-skill')?.url ?? '';
  const call = { name: 'read_chapter', arguments: { item: 'free-book', path: '01.md' } };
  await withoutTimers(async () => {
    await fetch('/api/install/free-skill');
    await fetch('/api/skills/free-skill/download');
    await fetch('/api/books/free-id/epub');
    await fetch('/api/books/free-id/skill');
    await fetch('/books/free-book/files/paper.pdf');
    await fetch(`/.well-known/agent-skills/${archive}`);
    await fetch('/mcp', {
      method: 'POST',
      headers: {
        ...reader.headers,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
    });
    await fetch('/books/paid-book/read/01.md', { headers: { ...session, Accept: 'text/html' } });
    await fetch('/skills/paid-skill', {
      headers: { Accept: 'text/html', 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' },
    });
  });
  expect((await createGitClient().run('', 'clone', '-q', `${stall.url}/git/free-skill.git`)).code).toBe(0);
  await stall.close();
  const doors = query(stall.data, 'SELECT door FROM downloads ORDER BY door').flat();
  expect(doors).toEqual(['epub', 'file', 'git', 'install', 'mcp', 'skill', 'well-known', 'zip']);
  expect(query(stall.data, 'SELECT item_key, path FROM reading_places')).toEqual([['paid-id', '01.md']]);
  expect(query(stall.data, 'SELECT item_key, views FROM view_days')).toEqual([['paid-skill', 1]]);
  expect(existsSync(join(stall.data, 'serve.pid'))).toBe(false);
});

test('a stop waits for the mail that is being sent', async () => {
  const { promise: isTaken, resolve: take } = Promise.withResolvers<void>();
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
  const { port } = await openMailServer({
    onData(stream, _, done) {
      stream.resume();
      take();
      void mayEnd.then(() => done());
    },
  });
  const stall = await openStall({
    files: FILES,
    config: {
      mail: {
        host: '127.0.0.1',
        port,
        encryption: 'none',
        login: null,
        from: 'a@example.org',
        tellsSales: false,
        pause: 0,
      },
    },
  });
  await stall.reader('reader@example.org');
  await stall.fetch('/forgot', {
    method: 'POST',
    headers: { 'Sec-Fetch-Site': 'same-origin' },
    body: new URLSearchParams({ email: 'reader@example.org' }),
  });
  await isTaken;
  const closed = stall.close();
  // Longer than a stop takes that waits for nothing.
  expect(await Promise.race([closed, Bun.sleep(300).then(() => 'waits')])).toBe('waits');
  end();
  await closed;
  expect(query(stall.data, 'SELECT state FROM outbox')).toEqual([['sent']]);
});

test('sales that a provider is asked about are mailed at once; its history is asked for once a start, not at each publish', async () => {
  const { port, waitFor } = await openMailServer();
  const found = sale({ purchase_email: 'found@example.org', id: 'found==' });
  const pinged = sale({ purchase_email: 'pinged@example.org', id: 'pinged==', license_key: 'another' });
  const api = openScriptedApi({
    '/v2/sales': { success: true, sales: [found] },
    '/v2/sales/pinged%3D%3D': { success: true, sale: pinged },
  });
  const stall = await openStall({
    files: {
      ...FILES,
      'books/paid-book/item.yaml': itemYaml({
        ...{ id: 'paid-id', unitAmountCents: 1900, sell: '{gumroad: ["Ex4mple=="]}' },
      }),
    },
    now: () => moment(60),
    config: {
      mail: mailTo(port),
      sales: {
        ...NO_SALES,
        isOn: true,
        gumroadPing: 'gumroad-ping',
        apis: { ...NO_SALES.apis, gumroad: { key: 'key', url: api.url } },
      },
    },
  });
  await waitFor('found@example.org');
  await stall.app.publish();
  await stall.app.publish();
  const body = ping({ sale_id: 'pinged==', email: 'pinged@example.org' });
  expect((await stall.fetch('/webhooks/gumroad/gumroad-ping', { method: 'POST', body })).status).toBe(200);
  await waitFor('pinged@example.org');
  const lists = api.requests.filter(({ path }) => path.startsWith('/v2/sales?'));
  expect(lists).toHaveLength(1);
  // Less than the half minute in which a mail goes out that nobody woke the outbox for.
}, 25_000);

test('a start deletes the rows of the logs that are older than is kept', async () => {
  const directory = temporaryDirectory();
  const first = await openStall({ files: FILES, directory });
  await (await first.fetch('/api/install/free-skill')).bytes();
  await first.close();
  query(first.data, 'UPDATE downloads SET downloaded_at = 0');
  const second = await openStall({ files: {}, directory, config: { keepLogs: 86_400_000 } });
  await until(() => second.log.some(({ event }) => event === 'retention'));
  await second.close();
  expect(query(second.data, 'SELECT * FROM downloads')).toEqual([]);
  const third = await openStall({ files: {}, directory, config: { keepLogs: 86_400_000 } });
  // Longer than a look takes that finds nothing.
  await Bun.sleep(60);
  await third.close();
  expect(third.log.filter(({ event }) => event === 'retention')).toEqual([]);
});

test('a stall that was closed leaves nothing running: its process ends by itself', async () => {
  const directory = temporaryDirectory();
  writeFiles(join(directory, 'content'), FILES);
  const folders = ['content', 'data', 'backups'].map((name) => join(directory, name));
  const pages = ['/books/free-book/read/01.md', '/books/free-book/search?q=heron', '/api/books/free-id/epub'];
  const child = Bun.spawn(
    [process.execPath, join(import.meta.dir, 'helpers/closing-stall.ts'), ...folders, ...pages],
    {
      env: { ...process.env, NODE_ENV: 'production' },
      stdout: 'pipe',
      stderr: 'inherit',
    },
  );
  try {
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream()))
      if (text.includes('closed')) break;
    expect(await Promise.race([child.exited, Bun.sleep(5000)])).toBe(0);
  } finally {
    child.kill(9);
  }
});
