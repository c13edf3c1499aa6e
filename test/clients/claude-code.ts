// Claude Code 2.1.330 (https://code.claude.com), as npm has it, without signing in: plugins and marketplaces.
import { expect, test } from 'bun:test';
import { clientProgram, describeWith } from './home.ts';
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
