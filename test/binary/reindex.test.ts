import { Database } from 'bun:sqlite';
import { beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { itemYaml, skillMd, until, writeFiles } from '../helpers/harness.ts';
import { buildProgram, run, serve, stallDirectory, type Served, UNSOLD } from './program.ts';

beforeAll(buildProgram, 300_000);

const SKILL = 'skills/free-skill/SKILL.md';
const body = (text: string) => ({ [SKILL]: skillMd('free-skill', text) });

/** A directory whose stall was served once and stopped. */
async function closedStall(): Promise<string> {
  const directory = stallDirectory();
  const server = await serve(directory);
  expect(await server.stop()).toBe(0);
  return directory;
}

const write = (directory: string, files: Parameters<typeof writeFiles>[1]) =>
  writeFiles(join(directory, 'content'), files);

async function isServed({ fetch }: Served, text: string): Promise<boolean> {
  return Buffer.from(Bun.gunzipSync(await (await fetch('/api/install/free-skill')).arrayBuffer())).includes(
    text,
  );
}

/** Who asked for the content to be reloaded, oldest first. */
function reloadsOf(directory: string): readonly string[] {
  const db = new Database(join(directory, 'data', 'bookstall.db'), { readonly: true });
  const rows = db
    .query<{ via: string }, []>("SELECT via FROM audit_log WHERE action = 'items.reindex' ORDER BY id")
    .all();
  db.close();
  return rows.map(({ via }) => via);
}

test('reindex is in the audit log: a signal to the server, a command without one', async () => {
  const directory = stallDirectory();
  const server = await serve(directory);
  expect(reloadsOf(directory)).toEqual([]);
  expect((await run(['reindex'], { cwd: directory })).code).toBe(0);
  expect(reloadsOf(directory)).toEqual(['signal']);
  rmSync(join(directory, 'content'), { recursive: true });
  expect((await run(['reindex'], { cwd: directory })).code).toBe(1);
  expect(reloadsOf(directory)).toEqual(['signal', 'signal']);
  expect(await server.stop()).toBe(0);
  expect((await run(['reindex'], { cwd: directory })).code).toBe(1);
  expect(reloadsOf(directory)).toEqual(['signal', 'signal', 'command']);
});

describe('reindex beside a running server', () => {
  test('has the server publish changes, and ends when they are served', async () => {
    const directory = stallDirectory();
    const server = await serve(directory);
    write(directory, {
      ...body('Round one'),
      'skills/new/item.yaml': itemYaml(),
      'skills/new/SKILL.md': skillMd('new'),
    });
    expect(await isServed(server, 'Round one')).toBe(false);
    const { code, out, err } = await run(['reindex'], { cwd: directory });
    expect([code, out, err]).toEqual([0, '', `${UNSOLD}9 items are served, 0 have errors\n`]);
    expect([await isServed(server, 'Round one'), (await server.fetch('/api/install/new')).status]).toEqual([
      true,
      200,
    ]);
  });

  test('names a broken item with its remedy and the edition served instead, and exits 1', async () => {
    const directory = stallDirectory();
    const server = await serve(directory);
    write(directory, { [SKILL]: 'broken', 'books/never/item.yaml': 'title: [' });
    const { code, out, err } = await run(['reindex'], { cwd: directory });
    expect([code, err]).toEqual([1, `${UNSOLD}8 items are served, 2 have errors\n`]);
    expect(out).toContain(
      'skills/free-skill: its last good edition continues to be served\n  SKILL.md: Cannot',
    );
    expect(out).toContain('books/never: not served\n  item.yaml: Cannot');
    expect(await isServed(server, 'Do it well')).toBe(true);
    const json = await run(['reindex', '--json'], { cwd: directory });
    expect([json.code, (JSON.parse(json.out) as unknown[]).length]).toEqual([1, 9]);
  });

  test('says that the content directory is gone, exits 1, and the server serves on', async () => {
    const directory = stallDirectory();
    const server = await serve(directory);
    rmSync(join(directory, 'content'), { recursive: true });
    const { code, out, err } = await run(['reindex'], { cwd: directory });
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(
      /^The content directory ".*content" is missing; its last good content continues to be served\n$/,
    );
    expect(await isServed(server, 'Do it well')).toBe(true);
  });

  test('several times at once reports to each a publish that began after its call', async () => {
    const directory = stallDirectory();
    const server = await serve(directory);
    for (let round = 0; round < 5; round++) {
      const calls = [0, 1, 2].map(async (call) => {
        await Bun.sleep(call * 15);
        const slug = `skill-${round}-${call}`;
        write(directory, {
          [`skills/${slug}/item.yaml`]: itemYaml(),
          [`skills/${slug}/SKILL.md`]: skillMd(slug),
        });
        const { code, out } = await run(['reindex', '--json'], { cwd: directory });
        const slugs = (JSON.parse(out) as { slug: string }[]).map((item) => item.slug);
        return [code, slugs.includes(slug), (await server.fetch(`/api/install/${slug}`)).status];
      });
      expect(await Promise.all(calls)).toEqual(Array.from({ length: 3 }, () => [0, true, 200]));
    }
  });

  test('SIGHUP does the same, also many in a row', async () => {
    const directory = stallDirectory();
    const server = await serve(directory);
    write(directory, body('Round two'));
    for (let signal = 0; signal < 20; signal++) server.kill('SIGHUP');
    await until(() => isServed(server, 'Round two'));
    expect(await isServed(server, 'Round two')).toBe(true);
    await Bun.sleep(200);
    expect(server.err.text().match(/"event":"ready"/g)?.length).toBeLessThanOrEqual(4);
    expect(await server.stop()).toBe(0);
  });
});

describe('reindex without a server', () => {
  test('compiles by itself, so that the next start has nothing to do, and exits 0', async () => {
    const directory = await closedStall();
    write(directory, body('Round three'));
    const { code, out, err } = await run(['reindex'], { cwd: directory });
    expect([code, out, err]).toEqual([0, '', `${UNSOLD}8 items are served, 0 have errors\n`]);
    expect(await isServed(await serve(directory), 'Round three')).toBe(true);
  });

  test('names a broken item and exits 1', async () => {
    const directory = await closedStall();
    write(directory, { [SKILL]: 'broken' });
    const { code, out, err } = await run(['reindex'], { cwd: directory });
    expect([code, err]).toEqual([1, `${UNSOLD}8 items are served, 1 has errors\n`]);
    expect(out).toContain('skills/free-skill: its last good edition continues to be served\n');
  });

  test('twice at once: one compiles, the other does or says that the directory is taken', async () => {
    const directory = await closedStall();
    write(directory, body('Round four'));
    const both = await Promise.all([0, 1].map(() => run(['reindex'], { cwd: directory })));
    for (const { code, err } of both)
      expect(err).toMatch(code === 0 ? /^8 items are served, 0 have errors$/m : /^Cannot serve from/);
    expect(both.map(({ code }) => code)).toContain(0);
    expect(await isServed(await serve(directory), 'Round four')).toBe(true);
  });

  test('after a server that was killed goes by its lock and not by its leftover process id', async () => {
    const directory = stallDirectory();
    const server = await serve(directory);
    server.kill('SIGKILL');
    await server.exited;
    expect(Number(readFileSync(join(directory, 'data/serve.pid'), 'utf8'))).toBeGreaterThan(0);
    writeFileSync(join(directory, 'data/serve.pid'), `${process.pid}\n`);
    write(directory, body('Round five'));
    const { code, err } = await run(['reindex'], { cwd: directory });
    expect([code, err]).toEqual([0, `${UNSOLD}8 items are served, 0 have errors\n`]);
  });
});
