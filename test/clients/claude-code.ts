// Claude Code 2.1.330 (https://code.claude.com), as npm has it, without signing in: plugins and marketplaces.
import { expect, test } from 'bun:test';
import { clientProgram, describeWith } from './home.ts';
import { itemYaml, writeFiles } from '../helpers/harness.ts';
import { findInstalled, openMarketplace, REFUSAL } from './marketplace.ts';

describeWith('claude', clientProgram('.bin/claude'), (program) => {
  const open = async (hasKey: boolean) => {
    const { run, ...opened } = await openMarketplace(hasKey);
    const quiet = { DISABLE_AUTOUPDATER: '1', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' };
    const plugin = (...words: string[]) => run([program, 'plugin', ...words], quiet);
    const done = async (...words: string[]) => {
      const { code, out } = await plugin(...words);
      expect({ words, code, out: code === 0 ? '' : out }).toEqual({ words, code: 0, out: '' });
    };
    return { ...opened, plugin, done };
  };

  test('installs free and paid items from the shelf, sees updates, and is refused after revocation', async () => {
    const { stall, home, name, key, keyId, plugin, done, publish } = await open(true);
    await done('marketplace', 'add', `${stall.url}/shelf.git`);
    for (const slug of ['free-skill', 'paid-skill', 'paid-book']) await done('install', `${slug}@${name}`);
    expect(await findInstalled(home, 'free-skill/SKILL.md')).toContain('Do it well.');
    expect(await findInstalled(home, 'paid-skill/SKILL.md')).toContain('Do it well.');
    expect(await findInstalled(home, 'paid-book/references/01.md')).toContain('heron of paid marsh');
    await publish('Do it in between.\n');
    await stall.fetch('/git/paid-skill.git/info/refs?service=git-upload-pack', {
      headers: { Authorization: `Bearer ${key}` },
    });
    await publish('Do it better.\n');
    await done('marketplace', 'update', name);
    await done('update', `paid-skill@${name}`);
    await done('install', `new-skill@${name}`);
    expect(await findInstalled(home, 'paid-skill/SKILL.md')).toContain('Do it better.');
    for await (const file of new Bun.Glob('.claude/**').scan({ cwd: home, dot: true, onlyFiles: true }))
      expect(await Bun.file(`${home}/${file}`).text()).not.toContain(key);
    await stall.app.admin.keys.revoke(keyId);
    await publish('Do it best.\n');
    const refused = await plugin('update', `paid-skill@${name}`);
    expect(refused.code).toBe(1);
    expect(refused.out).toMatch(/Authentication failed|could not read/);
    expect(await findInstalled(home, 'paid-skill/SKILL.md')).not.toContain('Do it best.');
  });

  test('installs from a link, and is refused after the link was revoked', async () => {
    const { stall, home, name, link, linkId, plugin, done, publish } = await open(false);
    await done('marketplace', 'add', `${link}/marketplace.json`);
    await done('install', `paid-skill@${name}-link`);
    expect(await findInstalled(home, 'paid-skill/SKILL.md')).toContain('Do it well.');
    await publish('Do it better.\n');
    await done('marketplace', 'update', `${name}-link`);
    await done('update', `paid-skill@${name}-link`);
    expect(await findInstalled(home, 'paid-skill/SKILL.md')).toContain('Do it better.');
    await stall.app.admin.tokens.revoke(linkId);
    const refused = await plugin('install', `paid-book@${name}-link`);
    expect(refused.code).toBe(1);
    expect((await plugin('marketplace', 'update', `${name}-link`)).code).toBe(1);
    expect(await findInstalled(home, 'paid-book/SKILL.md')).toBeNull();
  });

  test('shows why an item is refused to a key without a grant', async () => {
    const { stall, email, plugin, done, name } = await open(true);
    await done('marketplace', 'add', `${stall.url}/shelf.git`);
    await stall.app.admin.grants.revoke(email, 'paid-skill', null);
    const { code, out } = await plugin('install', `paid-skill@${name}`);
    expect([code, out]).toEqual([1, expect.stringContaining(REFUSAL)]);
  });

  test('after a grant ended and an update loads the item no longer, and names no reason', async () => {
    const { stall, email, plugin, done, name } = await open(true);
    await done('marketplace', 'add', `${stall.url}/shelf.git`);
    await done('install', `paid-skill@${name}`);
    await stall.app.admin.grants.revoke(email, 'paid-skill', null);
    await done('marketplace', 'update', name);
    expect((await plugin('list')).out).toContain(`paid-skill not found in marketplace ${name}`);
  });

  test('installs what a skill needs from the tags of versions that its ranges name', async () => {
    const { stall, home, name, plugin, done } = await open(true);
    const skill = (slug: string, version: string, needs = '') => ({
      [`skills/${slug}/item.yaml`]: itemYaml({ version }),
      [`skills/${slug}/SKILL.md`]: `---\nname: ${slug}\ndescription: D\n${needs && `metadata: {needs: "${needs}"}\n`}---\nThis is ${slug} ${version}.\n`,
    });
    const publish = async (files: Record<string, string>) => {
      writeFiles(stall.content, files);
      await stall.app.publish();
    };
    await publish({ ...skill('base', '1.0.0'), ...skill('middle', '1.0.0', 'base@^1.0.0') });
    await publish(skill('base', '1.1.0'));
    await publish(skill('base', '2.0.0'));
    await publish(skill('upper', '1.0.0', 'base middle@^1.0.0 free-skill'));
    await done('marketplace', 'add', `${stall.url}/shelf.git`);
    await done('install', `upper@${name}`);
    expect(await findInstalled(home, 'upper/SKILL.md')).toContain('This is upper 1.0.0.');
    expect(await findInstalled(home, 'middle/SKILL.md')).toContain('This is middle 1.0.0.');
    expect(await findInstalled(home, 'base/SKILL.md')).toBe(
      '---\nname: base\ndescription: D\n---\nThis is base 1.1.0.\n',
    );
    expect(await findInstalled(home, 'free-skill/SKILL.md')).toContain('Do it well.');
    await publish(skill('base', '1.2.0'));
    await publish({ ...skill('base', '2.1.0'), ...skill('other', '1.0.0', 'base@^2.0.0') });
    await done('marketplace', 'update', name);
    expect((await plugin('update', `base@${name}`)).out).toContain(
      'highest tag satisfying ^1.0.0 from middle',
    );
    expect(await findInstalled(home, 'base/SKILL.md')).toContain('This is base 1.2.0.');
    const conflict = await plugin('install', `other@${name}`);
    expect([conflict.code, conflict.out]).toEqual([
      1,
      expect.stringContaining('no version satisfies all of: ^2.0.0, ^1.0.0'),
    ]);
  });

  test('without a grant sees and installs the free items alone', async () => {
    const { stall, home, name, plugin, done } = await open(false);
    expect((await plugin('marketplace', 'add', `${stall.url}/shelf.git`)).code).toBe(1);
    await done('marketplace', 'add', `${stall.url}/marketplace.json`);
    await done('install', `free-book@${name}`);
    expect(await findInstalled(home, 'free-book/SKILL.md')).toContain('# The free book');
    const refused = await plugin('install', `paid-skill@${name}`);
    expect([refused.code, refused.out]).toEqual([1, expect.stringContaining('not found in marketplace')]);
  });
});
