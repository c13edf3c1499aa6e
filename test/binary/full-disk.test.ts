import { beforeAll, expect, test } from 'bun:test';
import { Database } from 'bun:sqlite';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { signStripe, STRIPE_SECRET } from '../selling/signed.ts';
import { completed } from '../selling/providers/stripe-events.ts';
import { skillMd, temporaryDirectory, writeFiles } from '../helpers/harness.ts';
import { addReader, buildProgram, run, serve, stallDirectory, type Served, UNSOLD } from './program.ts';

beforeAll(buildProgram, 300_000);

const SALE = completed('full', 0);
const MEGABYTE = 1_000_000;

/** Gives a new stall's data directory a file system of its own of 24 MB until disposed of; null where this user may mount none. */
function smallDisk(directory: string) {
  mkdirSync(directory, { recursive: true });
  if (Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', directory]).exitCode !== 0)
    return null;
  return { path: directory, [Symbol.dispose]: () => void Bun.spawnSync(['umount', '-l', directory]) };
}

const probe = smallDisk(temporaryDirectory());
probe?.[Symbol.dispose]();
const canMount = probe !== null;
if (!canMount) console.warn('SKIPPED: a full disk, for this user may mount no tmpfs');
const testFull = test.skipIf(!canMount);

/** Fills what is left of a disk. */
function fill(disk: string): void {
  try {
    for (let n = 0; ; n++) writeFileSync(join(disk, `filler-${n}`), new Uint8Array(MEGABYTE / 4));
  } catch {
    // Full to the last byte.
    for (let n = 0; n < 4; n++)
      try {
        for (let m = 0; ; m++) writeFileSync(join(disk, `filler-${n}-${m}`), new Uint8Array(4096));
      } catch {}
  }
}

function clear(disk: string): void {
  for (const name of readdirSync(disk)) if (name.startsWith('filler')) rmSync(join(disk, name));
}

async function install({ fetch }: Served): Promise<string> {
  const answer = await fetch('/api/install/free-skill');
  return answer.status === 200
    ? Buffer.from(Bun.gunzipSync(await answer.arrayBuffer())).toString('latin1')
    : String(answer.status);
}

testFull(
  'an item too large for the disk is a problem in a sentence; the old one is served, and leaves nothing',
  async () => {
    const directory = stallDirectory();
    using disk = smallDisk(join(directory, 'data'))!;
    const server = await serve(directory);
    const folder = join(directory, 'content/skills/free-skill');
    writeFiles(folder, {
      'SKILL.md': skillMd('free-skill', 'Changed'),
      'noise.bin': randomBytes(40 * MEGABYTE),
    });
    const broken = await run(['reindex'], { cwd: directory });
    expect([broken.code, broken.err]).toEqual([1, `${UNSOLD}8 items are served, 1 has errors\n`]);
    expect(broken.out).toMatch(/Cannot compile the item: ENOSPC.*Check free space and permissions/);
    expect(await install(server)).toContain('Do it well');
    expect(readdirSync(join(disk.path, 'artefacts/new'))).toEqual([]);
    rmSync(join(folder, 'noise.bin'));
    expect((await run(['reindex'], { cwd: directory })).code).toBe(0);
    expect(await install(server)).toContain('Changed');
  },
);

testFull(
  'a disk that is full to the last byte lets reindex end in a sentence, and is recovered from without a restart',
  async () => {
    const directory = stallDirectory();
    using disk = smallDisk(join(directory, 'data'))!;
    const server = await serve(directory);
    const folder = join(directory, 'content/skills/free-skill');
    fill(disk.path);
    writeFiles(folder, { 'SKILL.md': skillMd('free-skill', 'Changed '.repeat(20_000)) });
    const { code, out, err } = await run(['reindex'], { cwd: directory });
    expect([code, out + err]).toEqual([1, expect.stringMatching(/free space/)]);
    expect(err).not.toContain('Internal error');
    expect(await install(server)).toContain('Do it well');
    clear(disk.path);
    expect((await run(['reindex'], { cwd: directory })).code).toBe(0);
    expect(await install(server)).toContain('Changed');
    expect(await server.stop()).toBe(0);
  },
);

testFull('reindex without a server on a full disk ends in a sentence too', async () => {
  const directory = stallDirectory();
  using disk = smallDisk(join(directory, 'data'))!;
  expect(await (await serve(directory)).stop()).toBe(0);
  writeFiles(join(directory, 'content/skills/free-skill'), {
    'SKILL.md': skillMd('free-skill', 'Changed'),
  });
  fill(disk.path);
  const { code, out, err } = await run(['reindex'], { cwd: directory });
  expect([code, out + err]).toEqual([1, expect.stringMatching(/free space|full/)]);
  expect(err).not.toContain('Internal error');
  clear(disk.path);
  expect((await run(['reindex'], { cwd: directory })).code).toBe(0);
});

async function ask({ fetch }: Served, headers: Record<string, string>): Promise<Response> {
  return fetch('/api/agent/fetch', {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ book_id: 'paid-id', query: 'Why does the heron stand on one leg?' }),
  });
}

/** A provider's event, delivered again until it is answered 200. */
function sell({ fetch }: Served): Promise<Response> {
  const { body, headers } = signStripe(SALE, Date.now());
  return fetch('/webhooks/stripe', { method: 'POST', body, headers });
}

const REFUSED = /^Cannot (write to the database|open ".*"|use ".*"): .*(free|full).*\n$/;

testFull(
  'a disk that is full to the last byte has each write refused in a sentence; reading goes on, and so does writing without a restart',
  async () => {
    const directory = stallDirectory();
    using disk = smallDisk(join(directory, 'data'))!;
    const server = await serve(directory, [], { env: { BOOKSTALL_STRIPE_WEBHOOK_SECRET: STRIPE_SECRET } });
    const ann = await addReader(server, 'ann@example.org', 'paid-book');
    const commands = [
      ['account', 'add', 'bob@example.org'],
      ['account', 'disable', 'ann@example.org'],
      ['key', 'create', 'ann@example.org'],
      ['key', 'revoke', ann.id],
      ['key', 'rotate', ann.id],
      ['grant', 'add', 'ann@example.org', 'paid-skill'],
      ['grant', 'revoke', 'ann@example.org', 'paid-book'],
    ];
    fill(disk.path);
    for (const words of commands) {
      const { code, out, err } = await run(words, { cwd: directory });
      expect([words, code, out, err]).toEqual([words, 1, '', expect.stringMatching(REFUSED)]);
    }
    const refused = await ask(server, ann.headers);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await refused.json()).toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    expect((await sell(server)).status).toBe(503);
    expect(await install(server)).toContain('Do it well');
    await server.err.until('"event":"downloads-lost"');
    expect((await server.fetch('/api/cli/library', { headers: ann.headers })).status).toBe(200);
    clear(disk.path);
    expect((await sell(server)).status).toBe(200);
    expect((await ask(server, ann.headers)).status).toBe(200);
    await install(server);
    expect((await run(['key', 'revoke', ann.id], { cwd: directory })).code).toBe(0);
    expect((await ask(server, ann.headers)).status).toBe(401);
    expect(await server.stop()).toBe(0);
    const logged = await run(['logs', '--json'], { cwd: directory });
    expect(logged.out.trim().split('\n')).toHaveLength(1);
    const taken = await run(['logs', '--kind', 'download', '--json'], { cwd: directory });
    expect(taken.out.trim().split('\n')).toHaveLength(1);
    const db = new Database(join(disk.path, 'bookstall.db'), { readonly: true });
    expect(db.query('SELECT state, email FROM orders').all()).toEqual([
      { state: 'unmatched', email: 'ada@example.org' },
    ]);
    db.close();
  },
);

testFull(
  'a server stops on a full disk, starts there again and says so in a sentence, and writes once there is space',
  async () => {
    const directory = stallDirectory();
    using disk = smallDisk(join(directory, 'data'))!;
    const server = await serve(directory);
    const ann = await addReader(server, 'ann@example.org', 'paid-book');
    fill(disk.path);
    expect(await server.stop()).toBe(0);
    fill(disk.path);
    const again = await serve(directory);
    expect(again.err.text()).toContain('Cannot write to the database: the disk is full');
    expect((await ask(again, ann.headers)).status).toBe(503);
    clear(disk.path);
    while (!again.err.text().includes('"event":"storage-available"')) await Bun.sleep(50);
    expect((await ask(again, ann.headers)).status).toBe(200);
    expect(await again.stop()).toBe(0);
  },
);
