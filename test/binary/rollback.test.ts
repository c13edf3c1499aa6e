import { Database } from 'bun:sqlite';
import { beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { itemYaml, skillMd, writeFiles } from '../helpers/harness.ts';
import { buildProgram, run, serve, stallDirectory } from './program.ts';

beforeAll(buildProgram, 300_000);

const SLUG = 'free-skill';
const version = (name: string) => ({
  [`skills/${SLUG}/item.yaml`]: itemYaml({ version: name }),
  [`skills/${SLUG}/SKILL.md`]: skillMd(SLUG, `Version ${name}.\n`),
});

/** A directory whose stall has served 1.0 and then 1.1. */
async function servedTwice(): Promise<string> {
  const directory = stallDirectory();
  for (const name of ['1.0', '1.1']) {
    writeFiles(join(directory, 'content'), version(name));
    if (name === '1.0') expect(await (await serve(directory)).stop()).toBe(0);
    else expect((await run(['reindex'], { cwd: directory })).code).toBe(0);
  }
  return directory;
}

function actsOf(directory: string): readonly string[] {
  const db = new Database(join(directory, 'data', 'bookstall.db'), { readonly: true });
  const rows = db
    .query<{ act: string }, []>(
      "SELECT via || ' ' || action || ' ' || subject || ' ' || details AS act FROM audit_log WHERE action LIKE 'item.%'",
    )
    .all();
  db.close();
  return rows.map(({ act }) => act);
}

const statesIn = (out: string): readonly string[] =>
  (JSON.parse(out) as { version: string; state: string }[]).map((one) => `${one.version} ${one.state}`);

describe.each(['beside a running server', 'without a server'])('%s', (way) => {
  test('a bad edition is rolled back and withdrawn; check and doctor say so', async () => {
    const directory = await servedTwice();
    const command = (...args: string[]) => run(args, { cwd: directory });
    const server = way === 'without a server' ? null : await serve(directory);
    const back = await command('rollback', SLUG, '1.0');
    expect([back.code, back.out]).toEqual([
      0,
      'free-skill serves its edition 1.0 again, until its files change\n',
    ]);
    expect(statesIn((await command('editions', SLUG, '--json')).out)).toEqual(['1.1 kept', '1.0 served']);
    expect((await command('check')).err).toContain('skills/free-skill was rolled back');
    expect((await command('doctor')).out).toContain('These were rolled back');
    const refused = await command('withdraw', SLUG, '1.0');
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining('it is served; roll back to another edition first'),
    ]);
    const gone = await command('withdraw', SLUG, '1.1', '--json');
    expect([gone.code, JSON.parse(gone.out)]).toEqual([
      0,
      expect.objectContaining({ slug: SLUG, version: '1.1' }),
    ]);
    expect(statesIn((await command('editions', SLUG, '--json')).out)).toEqual([
      '1.1 withdrawn',
      '1.0 served',
    ]);
    expect(actsOf(directory)).toEqual([
      'command item.rollback free-skill {"edition":"1.0"}',
      'command item.withdraw free-skill {"edition":"1.1"}',
    ]);
    const now = server ?? (await serve(directory));
    const listed = (await (await now.fetch(`/api/items/${SLUG}/editions`)).json()) as { editions: unknown[] };
    expect(listed.editions).toHaveLength(1);
    expect((await now.fetch(`/api/install/${SLUG}?edition=1.1`)).status).toBe(410);
    expect(await now.stop()).toBe(0);
  });
});

test.each([
  [['editions', 'nothing'], 'Cannot find "nothing"'],
  [['rollback', SLUG, '9'], 'Cannot find the edition "9"'],
  [['rollback', SLUG, '1.1'], 'it is served already'],
  [['rollback', SLUG, 'x'.repeat(10_000)], `Cannot find the edition "${'x'.repeat(80)}"`],
])('%p is refused', async (words, sentence) => {
  const { code, err } = await run([...words], { cwd: await servedTwice() });
  expect([code, err]).toEqual([1, expect.stringContaining(sentence)]);
});
