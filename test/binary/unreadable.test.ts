import { beforeAll, expect, test } from 'bun:test';
import { chmodSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeFiles } from '../helpers/harness.ts';
import { ownDirectory, program } from './ordinary-user.ts';
import { buildProgram, run, serve, UNSOLD } from './program.ts';

beforeAll(buildProgram, 300_000);

test.each([
  ['file', 'books/free-book/01.md', '01.md'],
  ['folder', 'skills/free-skill/scripts', 'scripts'],
  ['item.yaml', 'books/free-book/item.yaml', 'item.yaml'],
  ['item', 'skills/free-skill', ''],
])('check names an unreadable %s, and what else there is', async (_, path, named) => {
  const directory = ownDirectory();
  chmodSync(join(directory, 'content', path), 0);
  const { code, out } = await run(['check', '--json'], { cwd: directory, program });
  chmodSync(join(directory, 'content', path), 0o755);
  const items = JSON.parse(out) as {
    slug: string;
    problems: { code: string; path: string; severity: string }[];
  }[];
  const errors = items.flatMap(({ problems }) => problems.filter(({ severity }) => severity === 'error'));
  expect([code, items.length]).toEqual([1, 8]);
  expect(errors.map(({ code: what, path: where }) => `${what} ${where}`)).toContain(`unreadable ${named}`);
});

test('a served item that becomes unreadable keeps its last good edition, and is published once it is readable', async () => {
  const directory = ownDirectory();
  const server = await serve(directory, [], { program });
  const file = join(directory, 'content/skills/free-skill/SKILL.md');
  const before = await (await server.fetch('/api/skills/free-skill/download')).bytes();
  writeFiles(join(directory, 'content/skills/free-skill'), { 'new.md': 'new' });
  chmodSync(file, 0);
  const broken = await run(['reindex'], { cwd: directory, program });
  expect([broken.code, broken.err]).toEqual([1, `${UNSOLD}8 items are served, 1 has errors\n`]);
  expect(broken.out).toContain('Cannot read "SKILL.md": ');
  expect(await (await server.fetch('/api/skills/free-skill/download')).bytes()).toEqual(before);
  chmodSync(file, 0o644);
  chmodSync(dirname(file), 0);
  const closed = await run(['reindex'], { cwd: directory, program });
  chmodSync(dirname(file), 0o755);
  expect(closed.out).toContain('EACCES');
  expect(closed.out).toContain('the user of the stall may read it');
  expect((await run(['reindex'], { cwd: directory, program })).code).toBe(0);
  expect(await (await server.fetch('/api/skills/free-skill/download')).bytes()).not.toEqual(before);
  expect(await server.stop()).toBe(0);
});
