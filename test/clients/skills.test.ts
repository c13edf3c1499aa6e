// `skills` 1.7.4, https://github.com/vercel-labs/skills, as npm has it: add, update and refusals over well-known addresses.
import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { itemYaml, openStall, skillMd, writeFiles } from '../helpers/harness.ts';
import { clientProgram, describeWith, openHome } from './home.ts';

describeWith('skills', clientProgram('skills/bin/cli.mjs'), (program) => {
  async function open() {
    const stall = await openStall();
    const { email } = await stall.reader('a@example.org', 'paid-book', 'paid-skill', 'archived-skill');
    const { run, project } = openHome();
    const makeLink = async (...slugs: string[]) => {
      const request = { name: 'link', slugs, reads: false, term: 'never' } as const;
      const { id, token } = await stall.app.admin.tokens.create(email, request);
      return { id: String(id), url: `${stall.url}/i/${token}` };
    };
    const skills = (...words: string[]) => run([process.execPath, program, ...words]);
    // Codex reads the folder that "skills update" writes; copies for other agents stay as they were added.
    const add = (url: string) => skills('add', url, '--yes', '--agent', 'codex');
    const read = (path: string): string | null => {
      const file = join(project, '.agents/skills', path);
      return existsSync(file) ? readFileSync(file, 'utf8') : null;
    };
    return { stall, email, makeLink, skills, add, read, project };
  }

  test('adds free skills of the root and of a page, and a free book', async () => {
    const { stall, add, read } = await open();
    for (const path of ['', '/skills/free-skill', '/books/free-book']) {
      const { code, out } = await add(`${stall.url}${path}`);
      expect({ code, out: code === 0 ? '' : out }).toEqual({ code: 0, out: '' });
    }
    expect(read('free-skill/SKILL.md')).toContain('Do it well.');
    expect(read('free-skill/scripts/run.sh')).toContain('echo run');
    expect(read('free-book/SKILL.md')).toContain('# The free book');
    expect(read('free-book/references/01.md')).toContain('heron of free marsh');
  });

  test('adds what a link opens, sees an update, and is refused after revocation', async () => {
    const { stall, add, read, skills, makeLink } = await open();
    const link = await makeLink();
    expect((await add(link.url)).code).toBe(0);
    expect(read('paid-book/references/01.md')).toContain('heron of paid marsh');
    expect(read('paid-skill/SKILL.md')).toContain('Do it well.');
    expect(read('archived-skill/SKILL.md')).not.toBeNull();
    expect(read('free-skill/SKILL.md')).toBeNull();
    writeFiles(stall.content, {
      'skills/paid-skill/SKILL.md': skillMd('paid-skill', 'Do it better.\n'),
      'books/paid-book/item.yaml': itemYaml({ id: 'paid-id', title: 'A new title', unitAmountCents: 1900 }),
    });
    await stall.app.publish();
    const updated = await skills('update', '--yes', '--project');
    expect({ code: updated.code, out: updated.code === 0 ? '' : updated.out }).toEqual({ code: 0, out: '' });
    expect(read('paid-skill/SKILL.md')).toContain('Do it better.');
    expect(read('paid-book/SKILL.md')).toContain('# A new title');
    await stall.app.admin.tokens.revoke(link.id);
    const refused = await add(link.url);
    expect(refused.code).toBe(1);
    expect(refused.out).toContain('No skills found for the scoped path');
    // The host's root index is its fallback: what was installed stays.
    expect((await skills('update', '--yes', '--project')).out).toContain('deleted upstream');
    expect(read('paid-skill/SKILL.md')).toContain('Do it better.');
  });

  test('adds the one item of a link that is for it alone', async () => {
    const { add, read, makeLink } = await open();
    const { url } = await makeLink('paid-skill');
    expect((await add(url)).code).toBe(0);
    expect(read('paid-skill/SKILL.md')).toContain('Do it well.');
    expect(read('paid-book/SKILL.md')).toBeNull();
    const own = await add(`${url}/paid-book`);
    expect(own.code).toBe(1);
    expect(read('paid-book/SKILL.md')).toBeNull();
  });

  test.each(['/skills/paid-skill', '/books/paid-book', '/skills/draft-skill'])(
    'is refused %s without a grant, and installs nothing',
    async (path) => {
      const { stall, add, project } = await open();
      const { code, out } = await add(`${stall.url}${path}`);
      expect(code).toBe(1);
      expect(out).toContain('No skills found');
      expect(existsSync(join(project, '.agents'))).toBeFalse();
    },
  );

  test('the lock file of a project holds the link, as the page that makes it warns', async () => {
    const { add, makeLink, project } = await open();
    const { url } = await makeLink();
    await add(url);
    expect(readFileSync(join(project, 'skills-lock.json'), 'utf8')).toContain(url);
  });
});
