// isomorphic-git 1.44, https://isomorphic-git.org, git in JavaScript: protocol version 0, no check of what a pack must hold.
import { expect, test } from 'bun:test';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../helpers/harness.ts';
import { clientProgram, describeWith } from './home.ts';
import { openMarketplace } from './marketplace.ts';

type Answer = { readonly url: string; readonly headers: Record<string, string> };
type Options = Readonly<Record<string, unknown>>;
type Command = 'clone' | 'pull' | 'fetch' | 'writeRef' | 'checkout';
type Git = Readonly<Record<Command, (options: Options) => Promise<unknown>>>;

describeWith('isomorphic-git', clientProgram('isomorphic-git/index.js'), (program) => {
  const open = async () => {
    const git = (await import(program)) as Git;
    const { default: http } = (await import(join(program, '../http/node/index.js'))) as { default: unknown };
    const opened = await openMarketplace(false);
    const dir = temporaryDirectory();
    const onAuth = (): Answer | Options => ({ username: 'any', password: opened.key });
    const url = `${opened.stall.url}/git/paid-skill.git`;
    const common = { fs, http, dir, url, onAuth, author: { name: 'A', email: 'a@example.org' } };
    const read = () => fs.readFileSync(join(dir, 'skills/paid-skill/SKILL.md'), 'utf8');
    return { ...opened, git, common, read };
  };

  test.each([
    ['whole', {}],
    ['of depth 1', { depth: 1, singleBranch: true }],
  ])('a clone %s pulls over one edition, and begins again after more', async (_, depth) => {
    const { git, common, read, publish, stall, key } = await open();
    const headers = { Authorization: `Bearer ${key}` };
    await git.clone({ ...common, ...depth });
    expect(read()).toContain('Do it well.');
    await publish('Edition two.\n');
    await git.pull({ ...common, fastForwardOnly: true });
    expect(read()).toContain('Edition two.');
    await publish('Edition three.\n');
    // An edition gets a commit when someone first asks for it.
    await stall.fetch('/git/paid-skill.git/info/refs?service=git-upload-pack', { headers });
    await publish('Edition four.\n');
    await expect(git.pull({ ...common, fastForwardOnly: true })).rejects.toThrow('Could not find');
    const { fetchHead } = (await git.fetch({ ...common, depth: 1 })) as { fetchHead: string };
    await git.writeRef({ ...common, ref: 'refs/heads/main', value: fetchHead, force: true });
    await git.checkout({ ...common, ref: 'main', force: true });
    expect(read()).toContain('Edition four.');
  });

  test('is refused without a grant', async () => {
    const { git, common, stall } = await open();
    const other = await stall.reader('b@example.org');
    const onAuth = () => ({ username: 'any', password: other.key });
    await expect(git.clone({ ...common, onAuth })).rejects.toThrow('403');
  });
});
