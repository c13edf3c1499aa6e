// `skills` 1.7.4, https://github.com/vercel-labs/skills, as npm has it: add, update and refusals over git.
import { expect, test } from 'bun:test';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { clientProgram, describeWith } from './home.ts';
import { openMarketplace } from './marketplace.ts';

describeWith('skills over git', clientProgram('skills/bin/cli.mjs'), (program) => {
  const open = async (hasKey: boolean) => {
    const { run, project, ...opened } = await openMarketplace(hasKey);
    const skills = (...words: string[]) => run([process.execPath, program, ...words]);
    const add = (url: string) => skills('add', url, '--yes', '--agent', 'codex');
    const at = (path: string): string => join(project, '.agents/skills', path);
    return { ...opened, skills, add, at, project };
  };

  test('adds free and paid items, keeps what is executable, and sees an update', async () => {
    const { stall, skills, add, at, key, project, publish } = await open(true);
    for (const slug of ['free-skill', 'paid-skill', 'paid-book']) {
      const { code, out } = await add(`${stall.url}/git/${slug}.git`);
      expect({ code, out: code === 0 ? '' : out }).toEqual({ code: 0, out: '' });
    }
    expect(statSync(at('free-skill/scripts/run.sh')).mode & 0o100).not.toBe(0);
    expect(readFileSync(at('paid-book/references/01.md'), 'utf8')).toContain('heron of paid marsh');
    expect(readFileSync(join(project, 'skills-lock.json'), 'utf8')).not.toContain(key);
    await publish('Do it better.\n');
    expect((await skills('update', '--yes', '--project')).code).toBe(0);
    expect(readFileSync(at('paid-skill/SKILL.md'), 'utf8')).toContain('Do it better.');
  });

  test('adds what a link opens, and is refused without a key and after revocation', async () => {
    const { stall, add, at, link, linkId } = await open(false);
    expect((await add(`${link}/git/paid-skill.git`)).code).toBe(0);
    expect(readFileSync(at('paid-skill/SKILL.md'), 'utf8')).toContain('Do it well.');
    const stranger = await add(`${stall.url}/git/paid-book.git`);
    expect([stranger.code, stranger.out]).toEqual([1, expect.stringContaining('Authentication failed')]);
    await stall.app.admin.tokens.revoke(linkId);
    expect((await add(`${link}/git/paid-book.git`)).code).toBe(1);
    expect(existsSync(at('paid-book'))).toBe(false);
  });
});
