// A stall of an earlier program is all there with this one. BOOKSTALL_BEFORE names that program, as for test/packages.test.ts:
// BOOKSTALL_BEFORE=FILE bun run test:one ./test/binary/upgrade.ts
import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSigner, signItem } from '../catalog/signing.ts';
import { acceptInvitation } from '../helpers/accept-invitation.ts';
import { itemYaml, SHELF, skillMd, temporaryDirectory, writeFiles } from '../helpers/harness.ts';
import { pack } from '../torture/push.ts';
import { completed } from '../selling/providers/stripe-events.ts';
import { signStripe, STRIPE_SECRET } from '../selling/signed.ts';
import { addReader, buildProgram, PROGRAM, run, serve, type Served, stallDirectory } from './program.ts';

const BEFORE = process.env['BOOKSTALL_BEFORE'] ?? '';
const OLD = { program: [BEFORE], env: { BOOKSTALL_STRIPE_WEBHOOK_SECRET: STRIPE_SECRET } };
const NEW = { program: [PROGRAM], env: OLD.env };
const [ANN, OWNER] = ['ann@example.org', 'owner@example.org'];

/** An answer's status and text. */
type Said = readonly [status: number, text: string];

const directory = stallDirectory({
  ...SHELF,
  'skills/kit/item.yaml': itemYaml({ version: '1.0.0' }),
  'skills/kit/SKILL.md': skillMd('kit', 'One.\n'),
  'skills/sold-skill/item.yaml': `${itemYaml({ unitAmountCents: 1900 })}sell: {stripe: [plink_paid]}\n`,
  'skills/sold-skill/SKILL.md': skillMd('sold-skill'),
});
signItem(join(directory, 'content'), 'skills/sold-skill', createSigner('ssh-ed25519'));
const home = temporaryDirectory();
const [clone, project] = [join(home, 'clone'), join(home, 'project')];
const backup = join(home, 'stall.db');
const told = { orders: [] as string[], notes: [] as string[], questions: 0 };
let ann: Awaited<ReturnType<typeof addReader>>;
let cookies: { readonly ann: string; readonly owner: string };
let before: Readonly<Record<string, Said>>;
let stall: Served;
let isOfGroups = false;

/** A command of an earlier or of this program; throws where it fails. */
const command = async (by: typeof OLD, ...words: readonly string[]): Promise<string> => {
  const { code, out, err } = await run(words, { ...by, cwd: directory });
  if (code !== 0) throw new Error(`${words.join(' ')}: ${err}`);
  return out;
};
const client = (program: string, url: string, ...words: readonly string[]) =>
  run(words, {
    program: [program],
    cwd: project,
    env: { HOME: home, BOOKSTALL_HOME: home, BOOKSTALL_URL: url, BOOKSTALL_KEY: ann.key },
  });
/** 0.3 wrote no lock file. */
const installBy = (program: string): readonly string[] =>
  ['install', 'kit', 'paid-skill', '--force'].concat(program === PROGRAM || isOfGroups ? '--save' : []);
const git = async (...words: readonly string[]): Promise<string> => {
  const { code, out, err } = await run(words, { program: ['git'], cwd: home });
  if (code !== 0) throw new Error(`git ${words.join(' ')}: ${err}`);
  return out.trim();
};
const signIn = async (by: typeof OLD, at: Served, email: string): Promise<string> => {
  const { url } = JSON.parse(await command(by, 'account', 'link', email, '--base-url', at.url, '--json')) as {
    url: string;
  };
  return acceptInvitation(at.url, url);
};
const ask = (at: Served, query: string) =>
  at.fetch('/api/agent/fetch', {
    method: 'POST',
    headers: { ...ann.headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ book_id: 'paid-id', query }),
  });
const answered = async (at: Served, query: string): Promise<void> => {
  const text = await (await ask(at, query)).text();
  if (text.includes('event: done')) told.questions += 1;
};
const sell = async (at: Served, name: string): Promise<void> => {
  const { body, headers } = signStripe(
    completed(name, 0, { customer_details: { email: ANN } }),
    Date.now(),
    STRIPE_SECRET,
  );
  if ((await at.fetch('/webhooks/stripe', { method: 'POST', headers, body })).ok) told.orders.push(name);
};
const note = async (at: Served, start: number): Promise<void> => {
  const answer = await at.fetch('/api/books/paid-id/notes', {
    method: 'POST',
    headers: { ...ann.headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ path: '01.md', start, end: start + 5, text: `Note ${start}` }),
  });
  if (answer.status === 201) told.notes.push(((await answer.json()) as { id: string }).id);
};

/** The answers of a stall that no upgrade may change. */
const look = async (at: Served) => {
  const read = async (path: string, headers: Record<string, string> = {}): Promise<Said> => {
    const answer = await at.fetch(path, { headers, redirect: 'manual' });
    return [answer.status, await answer.text()];
  };
  const status = async (path: string, cookie: string): Promise<Said> => [
    (await read(path, { Cookie: cookie }))[0],
    '',
  ];
  return {
    library: await status('/dashboard', cookies.ann),
    office: await status('/admin', cookies.owner),
    reading: await status('/books/paid-book/read/01.md', cookies.ann),
    'the signed text': await read('/api/items/sold-skill/signed'),
    'its signature': await read('/api/items/sold-skill/signature'),
  };
};

if (BEFORE !== '') {
  await buildProgram();
  mkdirSync(join(project, '.git'), { recursive: true });
  const old = await serve(directory, [], OLD);
  isOfGroups = (await run(['group', 'list'], { ...OLD, cwd: directory })).code === 0;
  await command(OLD, 'account', 'add', OWNER, '--owner');
  const here = { command: (...words: string[]) => command(OLD, ...words) };
  const owner = await signIn(OLD, old, OWNER);
  await here.command('account', 'add', ANN);
  const session = await signIn(OLD, old, ANN);
  for (const slug of ['paid-book', 'paid-skill']) await here.command('grant', 'add', ANN, slug);
  const { id, key } = JSON.parse(await here.command('key', 'create', ANN, '--json')) as {
    id: string;
    key: string;
  };
  ann = { email: ANN, id, key, headers: { Authorization: `Bearer ${key}` } };
  cookies = { ann: session, owner };
  if (isOfGroups) {
    await here.command('group', 'add', 'team');
    await here.command('group', 'join', 'team', ANN);
    await here.command('grant', 'add', '@team', 'paid-book');
    const push = JSON.parse(await here.command('key', 'create', OWNER, '--publish', '--terms', '--json')) as {
      key: string;
    };
    const put = await old.fetch('/api/publish/book/pushed', {
      method: 'PUT',
      body: pack([
        ['item.yaml', Buffer.from(itemYaml({ id: 'pushed' }))],
        ['01.md', Buffer.from('# Pushed\n')],
      ]),
      headers: { Authorization: `Bearer ${push.key}`, 'If-None-Match': '*' },
    });
    const report = await old.fetch('/books/paid-book/reports', {
      ...{ method: 'POST', redirect: 'manual', body: new URLSearchParams({ question: 'Do herons knit?' }) },
      headers: { Cookie: session, 'Sec-Fetch-Site': 'same-origin' },
    });
    expect([put.status, report.status]).toEqual([200, 303]);
  }
  await here.command('code', 'create', 'paid-skill', '--count', '2');
  await old.fetch('/books/paid-book/read/01.md', { headers: { Cookie: session } });
  await git('clone', '-q', `${old.url}/git/kit.git`, clone);
  writeFiles(join(directory, 'content'), {
    'skills/kit/SKILL.md': skillMd('kit', 'Two.\n'),
    'skills/kit/item.yaml': itemYaml({ version: '1.1.0' }),
  });
  await here.command('reindex');
  for (const program of [BEFORE, PROGRAM]) {
    const { code, err } = await client(program, old.url, ...installBy(program));
    expect([code, err]).toEqual([0, expect.any(String)]);
  }
  await here.command('backup', backup);
  await answered(old, 'Why does the heron stand on one leg?');
  before = await look(old);
  let isOver = false;
  const busy = Array.from({ length: 4 }, async (_, lane) => {
    for (let n = 0; !isOver; n++)
      await (
        lane < 2 ? sell(old, `o${lane}x${n}`) : lane === 2 ? note(old, 2 + (n % 5)) : answered(old, 'heron')
      ).catch(() => {});
  });
  await Bun.sleep(3_000);
  old.kill('SIGKILL');
  isOver = true;
  await Promise.all(busy);
  await old.exited;
  stall = await serve(directory, ['--port', new URL(old.url).port], NEW);
}

describe('a stall of the program before, killed while it was busy,', () => {
  test('keeps a copy of its database before it is brought up to date', () => {
    const copies = readdirSync(join(directory, 'data')).filter((name) =>
      name.startsWith('before-migration-'),
    );
    expect(copies).toHaveLength(1);
  });

  test('has every order, note, grant and question that was acknowledged before it was killed', async () => {
    const db = new Database(join(directory, 'data/bookstall.db'), { readonly: true });
    const rows = (query: string): string => JSON.stringify(db.query(query).values());
    const [orders, notes] = [rows('SELECT ref, provider_ref FROM orders'), rows('SELECT id FROM notes')];
    const { n } = db.query('SELECT count(*) AS n FROM fetch_logs').get() as { n: number };
    db.close();
    expect(told.orders.filter((name) => !orders.includes(`${name}"`))).toEqual([]);
    expect(told.notes.filter((id) => !notes.includes(id))).toEqual([]);
    expect([told.orders.length > 10, told.notes.length > 10, n >= told.questions]).toEqual([
      true,
      true,
      true,
    ]);
    const grants = await command(NEW, 'grant', 'list', ANN);
    for (const slug of ['paid-book', 'paid-skill', 'sold-skill']) expect(grants).toContain(slug);
    if (!isOfGroups) return;
    expect(await command(NEW, 'group', 'list', 'team')).toContain(ANN);
    expect((await stall.fetch('/books/pushed')).status).toBe(200);
    const reports = await stall.fetch('/admin/reports', { headers: { Cookie: cookies.owner } });
    expect(await reports.text()).toContain('Do herons knit?');
  });

  test('opens to the sessions, keys and passwords of before, and shows the same', async () => {
    expect(await look(stall)).toEqual(before as never);
    const body = new URLSearchParams({ email: ANN, password: 'seven herons in the marsh' });
    const headers = { 'Sec-Fetch-Site': 'same-origin' };
    expect(
      (await stall.fetch('/sign-in', { method: 'POST', redirect: 'manual', headers, body })).status,
    ).toBe(303);
    expect(
      (await (await ask(stall, 'Why does the heron stand on one leg?')).text()).includes('event: done'),
    ).toBeTrue();
  });

  test('serves its git clients, who pull forward', async () => {
    await git('-C', clone, 'remote', 'set-url', 'origin', `${stall.url}/git/kit.git`);
    await git('-C', clone, 'pull', '-q', '--ff-only');
    writeFiles(join(directory, 'content'), {
      'skills/kit/SKILL.md': skillMd('kit', 'Three.\n'),
      'skills/kit/item.yaml': itemYaml({ version: '1.2.0' }),
    });
    await command(NEW, 'reindex');
    await git('-C', clone, 'pull', '-q', '--ff-only');
    const [path = ''] = new Bun.Glob('**/SKILL.md').scanSync(clone);
    expect(readFileSync(join(clone, path), 'utf8')).toContain('Three.');
  });

  test.each([
    ['of before', BEFORE],
    ['of now', PROGRAM],
  ])('serves a client %s, with the lock of before', async (_, program) => {
    for (const words of [['library'], ['outdated'], ['update'], ['verify'], installBy(program)]) {
      const { code, err } = await client(program, stall.url, ...words);
      expect([words.join(' '), code, code === 0 ? '' : err]).toEqual([
        words.join(' '),
        words[0] === 'outdated' ? expect.any(Number) : 0,
        '',
      ]);
    }
  });

  test('is refused by the program before, with a sentence, and opens again with this one', async () => {
    expect(await stall.stop()).toBe(0);
    const { code, err } = await run(['serve', '--port', '0'], { ...OLD, cwd: directory });
    expect([code, err]).toEqual([1, expect.stringMatching(/Cannot .*newer/)]);
    stall = await serve(directory, [], NEW);
    expect((await stall.fetch('/dashboard', { headers: { Cookie: cookies.ann } })).status).toBe(200);
  });

  test('has a backup that this program restores', async () => {
    const trial = join(home, 'trial');
    await command(NEW, 'restore', backup, '--data', trial);
    expect(await command(NEW, 'account', 'list', '--data', trial)).toContain(ANN);
    const restored = await serve(directory, ['--data', trial], NEW);
    expect((await restored.fetch('/api/install/paid-skill', { headers: ann.headers })).status).toBe(200);
    expect(await restored.stop()).toBe(0);
    expect(existsSync(join(trial, 'bookstall.db'))).toBeTrue();
  });

  test('goes back to the program before by the copy, as it was when it was upgraded', async () => {
    await stall.stop();
    const copy = readdirSync(join(directory, 'data')).find((name) => name.startsWith('before-migration-'));
    await command(OLD, 'restore', join('data', copy ?? ''), '--replace');
    const old = await serve(directory, [], OLD);
    expect((await old.fetch('/dashboard', { headers: { Cookie: cookies.ann } })).status).toBe(200);
    expect((await old.fetch('/api/install/paid-skill', { headers: ann.headers })).status).toBe(200);
    expect(await old.stop()).toBe(0);
  });
});
