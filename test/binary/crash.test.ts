import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { until, writeFiles } from '../helpers/harness.ts';
import { addReader, buildProgram, PROGRAM, run, type Served, serve, stallDirectory } from './program.ts';

await buildProgram();

type Row = Readonly<Record<string, string>>;

async function list(directory: string, ...words: string[]): Promise<readonly Row[]> {
  const { code, out, err } = await run([...words, '--json'], { cwd: directory });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return words[0] === 'logs'
    ? out
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : JSON.parse(out);
}

const wait = (atMost: number): Promise<void> => Bun.sleep(Math.random() * atMost);

describe('kill -9', () => {
  test('of the server amid questions: their rows read running while it lives, then interrupted, also after a restart', async () => {
    const directory = stallDirectory();
    const rows = async (outcome: string) =>
      (await list(directory, 'logs')).filter((row) => row.outcome === outcome).map(({ id }) => id);

    // The commit that completes the very rows seen running may be on disk already, unpublished: then once more.
    let left: (string | undefined)[] = [];
    for (let round = 0; left.length === 0 && round < 20; round++) {
      await killAmidQuestions(directory, () => hasOpenQuestions(directory, 4));
      left = await rows('interrupted');
    }
    expect(left.length).toBeGreaterThan(0);
    expect(await rows('running')).toEqual([]);
    const next = await serve(directory);
    expect(await rows('interrupted')).toEqual(left);
    expect(await next.stop()).toBe(0);
    expect(await rows('interrupted')).toEqual(left);
  });

  test('of server and commands while they write loses no grant that was acknowledged', async () => {
    const directory = stallDirectory();
    let stall = await serve(directory);
    const emails = Array.from({ length: 24 }, (_, n) => `reader-${n}@example.org`);
    const begun = performance.now();
    for (const email of emails) await stall.command('account', 'add', email);
    const usual = (performance.now() - begun) / emails.length;
    const acknowledged: string[] = [];
    for (let from = 0; from < emails.length; from += 4) {
      const grants = emails.slice(from, from + 4).map(async (email, n) => {
        const { code } = await runFor(
          // The first of four is always too early, on a machine that has just become quiet too.
          usual * (n === 0 ? 0.1 : 0.5 + 3.5 * Math.random()),
          directory,
          'grant',
          'add',
          email,
          'paid-book',
        );
        if (code === 0) acknowledged.push(email);
      });
      await wait(usual * 3);
      stall.kill('SIGKILL');
      await Promise.all([...grants, stall.exited]);
      stall = await serve(directory);
    }
    const held = (await list(directory, 'grant', 'list')).map(({ email }) => email);
    expect(acknowledged.filter((email) => !held.includes(email))).toEqual([]);
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(acknowledged.length).toBeLessThan(emails.length);
  });

  test('of the server amid places of an e-reader loses none that was answered', async () => {
    const directory = stallDirectory();
    let stall = await serve(directory, ['--route-budget', 'off']);
    await stall.command('account', 'add', 'reader@example.org');
    await stall.stop();
    const sent = '0123456789abcdef0123456789abcdef';
    const db = new Database(join(directory, 'data/bookstall.db'));
    db.run(
      `INSERT INTO device_keys (account_id, prefix, hash, created_at) SELECT id, 'abcd', ?, 0 FROM accounts`,
      [new Bun.CryptoHasher('sha256').update(sent).digest()],
    );
    db.close();
    const headers = { 'x-auth-user': 'reader', 'x-auth-key': sent };
    let [asked, answered] = [0, 0];
    for (let round = 0; round < 8; round++) {
      stall = await serve(directory, ['--route-budget', 'off']);
      const url = `${stall.url}/kosync/syncs/progress`;
      const kept = (await (await fetch(`${url}/book`, { headers })).json()) as { readonly progress?: string };
      expect(Number(kept.progress ?? 0)).toBeWithin(answered, asked + 1);
      const tell = async (): Promise<void> => {
        const place = {
          document: 'book',
          progress: String(++asked),
          percentage: 0.5,
          device: 'K',
          device_id: 'K',
        };
        const answer = await fetch(url, { method: 'PUT', headers, body: JSON.stringify(place) }).catch(
          () => null,
        );
        if (answer?.status !== 200) return;
        answered = asked;
        await tell();
      };
      const telling = tell();
      await wait(200);
      stall.kill('SIGKILL');
      await Promise.all([telling, stall.exited]);
    }
    expect(answered).toBeGreaterThan(8);
  });

  test('of the server loses at most the page views of its last second, and invents none', async () => {
    const directory = stallDirectory();
    let written = 0;
    for (let round = 0; round < 3; round++) {
      const stall = await serve(directory, ['--route-budget', 'off']);
      await view(stall, 20);
      await until(() => viewsIn(directory) === written + 20);
      await view(stall, 10);
      stall.kill('SIGKILL');
      await stall.exited;
      const left = viewsIn(directory);
      expect(left).toBeWithin(written + 20, written + 31);
      written = left;
    }
    const stall = await serve(directory);
    await view(stall, 1);
    expect(await stall.stop()).toBe(0);
    expect(viewsIn(directory)).toBe(written + 1);
  });

  test('of the server amid notes keeps each that was acknowledged, whole, and no half of another', async () => {
    const directory = stallDirectory();
    let stall = await serve(directory, ['--route-budget', 'off']);
    const { headers } = await addReader(stall, 'writer@example.org', 'paid-book');
    const json = { ...headers, 'Content-Type': 'application/json' };
    const notes = '/api/books/paid-id/notes';
    const text = 'What I think of the heron. '.repeat(100).trim();
    const kept: string[] = [];
    const write = async (): Promise<void> => {
      for (;;) {
        const body = JSON.stringify({ path: '01.md', start: 2, end: 11, text });
        const made = await stall.fetch(notes, { method: 'POST', headers: json, body });
        kept.push(((await made.json()) as { id: string }).id);
      }
    };
    for (let round = 0; round < 3; round++) {
      const before = kept.length;
      const writers = [write(), write(), write()].map((writer) => writer.catch(() => {}));
      await until(() => kept.length > before + 20);
      stall.kill('SIGKILL');
      await Promise.all([stall.exited, ...writers]);
      stall = await serve(directory, ['--route-budget', 'off']);
    }
    const answer = await (await stall.fetch(notes, { headers })).json();
    const found = (answer as { notes: { id: string; text: string; exact: string }[] }).notes;
    const ids = new Set(found.map(({ id }) => id));
    expect(kept.filter((id) => !ids.has(id))).toEqual([]);
    expect(found.length).toBeLessThanOrEqual(kept.length + 9);
    expect(found.every((note) => note.text === text && note.exact === 'The heron')).toBe(true);
    expect(await stall.stop()).toBe(0);
  });

  test('of an import leaves all of its grants or none', async () => {
    const directory = stallDirectory();
    const stall = await serve(directory);
    await stall.command('account', 'add', 'shop@example.org');
    const rows = Array.from({ length: 3000 }, (_, n) => `shop@example.org,paid-book,order-${n}`);
    writeFiles(directory, { 'grants.csv': ['email,slug,source', ...rows].join('\n') });
    const begun = performance.now();
    await stall.command('account', 'list');
    const usual = performance.now() - begun;
    for (const times of [1, 1.5, 2, 3, 4, 1000]) {
      const { code } = await runFor(
        usual * times,
        directory,
        'grant',
        'import',
        join(directory, 'grants.csv'),
      );
      const held = (await list(directory, 'grant', 'list')).length;
      expect(held).toBeOneOf(code === 0 ? [rows.length] : [0, rows.length]);
    }
  });
});

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';

/** Looks at an item's page so many times. */
async function view({ fetch }: Served, times: number): Promise<void> {
  for (let n = 0; n < times; n++) {
    const page = await fetch('/books/free-book', { headers: { 'User-Agent': PHONE, Accept: 'text/html' } });
    expect(page.status).toBe(200);
    await page.bytes();
  }
}

/** The page views that are on disk. */
function viewsIn(directory: string): number {
  const db = new Database(join(directory, 'data/bookstall.db'), { readonly: true });
  const views = db
    .query<{ views: number | null }, []>('SELECT sum(views) AS views FROM view_days')
    .get()?.views;
  db.close();
  return views ?? 0;
}

/** Whether so many questions are open; false where the server was frozen amid a commit, which keeps everybody out. */
async function hasOpenQuestions(directory: string, least: number): Promise<boolean> {
  const { code, out } = await run(['logs', '--json'], { cwd: directory });
  return code === 0 && out.split('"outcome":"running"').length > least;
}

/** Serves, asks from three accounts, freezes the server at random moments until `when` holds, and kills it. */
async function killAmidQuestions(directory: string, when: () => Promise<boolean>): Promise<void> {
  const stall = await serve(directory, ['--route-budget', 'off']);
  const emails = ['a', 'b', 'c'].map((name) => `${name}-${crypto.randomUUID()}@example.org`);
  const readers = await Promise.all(emails.map((email) => addReader(stall, email)));
  const stop = new AbortController();
  const asking = readers.flatMap(({ headers }) =>
    [1, 2, 3, 4].map(() => askOnAndOn(stall, headers, stop.signal)),
  );
  do {
    stall.kill('SIGCONT');
    await wait(30);
    stall.kill('SIGSTOP');
  } while (!(await when()));
  stop.abort();
  stall.kill('SIGKILL');
  await stall.exited;
  await Promise.all(asking);
}

/** A command that is killed after so many milliseconds, unless it has ended. */
function runFor(milliseconds: number, directory: string, ...words: string[]) {
  const args = ['-s', 'KILL', String(milliseconds / 1000), PROGRAM, ...words];
  return run(args, { cwd: directory, program: ['timeout'] });
}

async function askOnAndOn(
  { fetch }: Served,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<void> {
  const init = {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ book_id: 'free-id', query: 'Why does the heron stand on one leg?' }),
  };
  while (!signal.aborted)
    await fetch('/api/agent/fetch', init)
      .then((answer) => answer.text())
      .catch(() => {});
}
