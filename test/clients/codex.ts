// Codex 0.169.0 (https://github.com/openai/codex), as npm has it, without signing in: plugins and marketplaces.
import { expect, test } from 'bun:test';
import { itemYaml, skillMd, writeFiles } from '../helpers/harness.ts';
import { clientProgram, describeWith } from './home.ts';
import { findInstalled, openMarketplace, REFUSAL } from './marketplace.ts';

describeWith('codex', clientProgram('.bin/codex'), (program) => {
  const open = async (hasKey: boolean) => {
    const { run, ...opened } = await openMarketplace(hasKey);
    const plugin = (...words: string[]) => run([program, 'plugin', ...words]);
    const done = async (...words: string[]) => {
      const { code, out } = await plugin(...words);
      expect({ words, code, out: code === 0 ? '' : out }).toEqual({ words, code: 0, out: '' });
    };
    return { ...opened, plugin, done };
  };

  test('installs free and paid items from the shelf, sees updates, and is refused after revocation', async () => {
    const { stall, home, name, keyId, plugin, done, publish } = await open(true);
    await done('marketplace', 'add', `${stall.url}/shelf.git`);
    for (const slug of ['free-skill', 'paid-skill', 'paid-book']) await done('add', `${slug}@${name}`);
    expect(await findInstalled(home, 'free-skill/SKILL.md')).toContain('Do it well.');
    expect(await findInstalled(home, 'paid-book/references/01.md')).toContain('heron of paid marsh');
    await publish('Do it better.\n');
    await done('marketplace', 'upgrade');
    await done('add', `new-skill@${name}`);
    await done('add', `paid-skill@${name}`);
    expect(await findInstalled(home, 'paid-skill/SKILL.md')).toContain('Do it better.');
    await stall.app.admin.keys.revoke(keyId);
    await publish('Do it best.\n');
    expect((await plugin('add', `paid-skill@${name}`)).code).not.toBe(0);
    expect((await plugin('marketplace', 'upgrade')).code).not.toBe(0);
    expect(await findInstalled(home, 'paid-skill/SKILL.md')).not.toContain('Do it best.');
  });

  test('installs from a link, and is refused after the link was revoked', async () => {
    const { stall, home, name, link, linkId, plugin, done } = await open(false);
    await done('marketplace', 'add', `${link}/shelf.git`);
    await done('add', `paid-skill@${name}-link`);
    expect(await findInstalled(home, 'paid-skill/SKILL.md')).toContain('Do it well.');
    await stall.app.admin.tokens.revoke(linkId);
    expect((await plugin('add', `paid-book@${name}-link`)).code).not.toBe(0);
    expect(await findInstalled(home, 'paid-book/SKILL.md')).toBeNull();
  });

  test('shows why an item is refused to a key without a grant', async () => {
    const { stall, email, plugin, done, name } = await open(true);
    await done('marketplace', 'add', `${stall.url}/shelf.git`);
    await stall.app.admin.grants.revoke(email, 'paid-skill', null);
    const { code, out } = await plugin('add', `paid-skill@${name}`);
    expect([code, out]).toEqual([1, expect.stringContaining(REFUSAL)]);
    await done('marketplace', 'upgrade');
    expect((await plugin('add', `paid-skill@${name}`)).out).toContain('was not found in marketplace');
  });

  test('brings no needs, and takes what is served, whatever ranges say', async () => {
    const { stall, home, name, done } = await open(true);
    for (const version of ['1.0.0', '2.0.0']) {
      writeFiles(stall.content, {
        'skills/tool/item.yaml': itemYaml({ version }),
        'skills/tool/SKILL.md': skillMd('tool', `Version ${version}.\n`),
        'skills/kit/item.yaml': itemYaml({ version: '1.0.0' }),
        'skills/kit/SKILL.md': skillMd('kit').replace('\n---\n', '\nmetadata: {needs: tool@^1.0.0}\n---\n'),
      });
      await stall.app.publish();
    }
    await done('marketplace', 'add', `${stall.url}/shelf.git`);
    await done('add', `kit@${name}`);
    expect(await findInstalled(home, 'tool/SKILL.md')).toBeNull();
    await done('add', `tool@${name}`);
    expect(await findInstalled(home, 'tool/SKILL.md')).toContain('Version 2.0.0.');
  });

  test('is refused the shelf without a credential', async () => {
    const { stall, plugin } = await open(false);
    const { code, out } = await plugin('marketplace', 'add', `${stall.url}/shelf.git`);
    expect([code, out]).toEqual([1, expect.stringContaining('could not read Username')]);
  });
});
