// A stall whose items a client's program installs from its shelf.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { itemYaml, openStall, skillMd, writeFiles } from '../helpers/harness.ts';
import { openHome } from './home.ts';

/** A stall, a reader of its paid items, and a home whose git finds the reader's key if `hasKey`. */
export async function openMarketplace(hasKey: boolean) {
  const stall = await openStall();
  const { email, key, keyId } = await stall.reader('a@example.org', 'paid-book', 'paid-skill');
  const { run, home, project } = openHome();
  const { hostname, host } = new URL(stall.url);
  if (hasKey)
    writeFileSync(join(home, '.netrc'), `machine ${hostname} login any password ${key}\n`, { mode: 0o600 });
  const { id, token } = await stall.app.admin.tokens.create(email, {
    name: 'link',
    slugs: [],
    reads: false,
    term: 'never',
  });
  return {
    stall,
    email,
    key,
    keyId: String(keyId),
    run,
    home,
    project,
    link: `${stall.url}/i/${token}`,
    linkId: String(id),
    /** The marketplace's name. */
    name: host.replace(/[^a-z0-9]+/g, '-'),
    async publish(body: string): Promise<void> {
      writeFiles(stall.content, {
        'skills/paid-skill/SKILL.md': skillMd('paid-skill', body),
        'skills/new-skill/item.yaml': itemYaml(),
        'skills/new-skill/SKILL.md': skillMd('new-skill'),
      });
      await stall.app.publish();
    },
  };
}

/** The message of git, and of the programs that start git, for a key whose account lacks a grant. */
export const REFUSAL = `remote: Cannot take "paid-skill": this key's account holds no live grant for it`;

/** The content of the only file of a skill below a folder whose path ends so, or null. */
export async function findInstalled(home: string, path: string): Promise<string | null> {
  const found = [...new Bun.Glob(`**/skills/${path}`).scanSync({ cwd: home, dot: true })].toSorted();
  const texts = await Promise.all(found.map((file) => Bun.file(join(home, file)).text()));
  return texts.length === 0 ? null : texts.join('\n');
}
