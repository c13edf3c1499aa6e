// A book for an agent: the folder of a skill, by the commands of readers.
import { expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildProgram, PROGRAM, run } from '../../binary/program.ts';
import { itemYaml, openStall, SHELF, temporaryDirectory, writeFiles } from '../../helpers/harness.ts';

await buildProgram();

async function open() {
  const stall = await openStall({ files: { ...SHELF, 'books/paid-book/references/own.md': '# Own\n' } });
  const reader = await stall.reader('ann@example.org', 'paid-book');
  const home = temporaryDirectory();
  const cwd = join(home, 'project');
  mkdirSync(cwd);
  const env = { HOME: home, BOOKSTALL_URL: stall.url, BOOKSTALL_KEY: reader.key };
  const say = (...words: string[]) => run(words, { cwd, env, program: [PROGRAM] });
  return { stall, say, folder: join(cwd, '.claude/skills/paid-book') };
}

test('a book is installed, verified, updated and removed as a skill', async () => {
  const { stall, say, folder } = await open();
  expect(await say('install', 'paid-book', '--agent', 'claude')).toMatchObject({ code: 0 });
  expect(readdirSync(folder, { recursive: true }).map(String).toSorted()).toEqual(
    [
      '.svc-install',
      'SKILL.md',
      'references',
      'references/01.md',
      'references/references',
      'references/references/own.md',
    ].toSorted(),
  );
  const own = await stall.fetch('/books/paid-book/.well-known/skills/paid-book/SKILL.md', {
    headers: (await stall.reader('b@example.org', 'paid-book')).headers,
  });
  expect(readFileSync(join(folder, 'SKILL.md'), 'utf8')).toBe(await own.text());
  expect(readFileSync(join(folder, 'references/01.md'), 'utf8')).toBe(String(SHELF['books/paid-book/01.md']));
  expect((await say('verify')).out).toStartWith('ok ');
  expect((await say('update')).out).toContain('Up to date');
  writeFiles(stall.content, { 'books/paid-book/02.md': '# A second chapter\n\nText.\n' });
  await stall.app.publish();
  expect((await say('update')).out).toContain('Updated paid-book');
  expect(readFileSync(join(folder, 'SKILL.md'), 'utf8')).toContain('[A second chapter](references/02.md)');
  expect(existsSync(join(folder, 'references/02.md'))).toBeTrue();
  writeFiles(stall.content, {
    'books/paid-book/item.yaml': itemYaml({ id: 'paid-id', title: 'Another title', unitAmountCents: 1900 }),
  });
  await stall.app.publish();
  expect((await say('update')).out).toContain('Updated what agents read of paid-book');
  expect(readFileSync(join(folder, 'SKILL.md'), 'utf8')).toContain('# Another title');
  expect((await say('update')).out).toContain('Up to date');
  writeFileSync(join(folder, 'references/01.md'), 'mine');
  expect((await say('verify')).code).toBe(1);
  expect((await say('update')).code).toBe(1);
  expect((await say('update', '--force')).code).toBe(0);
  expect((await say('verify')).code).toBe(0);
  const rows = stall.app.admin.logs.downloads(null, null);
  expect(rows.filter(({ door }) => door === 'well-known')).toHaveLength(1);
  expect((await say('uninstall', 'paid-book')).code).toBe(0);
  expect(existsSync(folder)).toBeFalse();
});

test('an earlier edition of a book is not for agents; nothing is left', async () => {
  const { say, folder } = await open();
  const { code, err } = await say('install', `paid-book@sha256:${'0'.repeat(64)}`, '--agent', 'claude');
  expect([code, err]).toEqual([1, expect.stringContaining('Cannot install')]);
  expect(existsSync(folder)).toBeFalse();
});

test('without --agent a book is a folder of its own files', async () => {
  const { say, folder } = await open();
  expect((await say('install', 'paid-book')).code).toBe(0);
  const plain = join(folder, '../../../paid-book');
  expect(existsSync(join(plain, '01.md'))).toBeTrue();
  expect(existsSync(join(plain, 'SKILL.md'))).toBeFalse();
});
