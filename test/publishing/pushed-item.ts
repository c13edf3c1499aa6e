import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { itemDigest } from '../../src/catalog/item.rule.ts';
import { itemYaml } from '../helpers/harness.ts';

/** Writes a pushed book of these files into a data directory, as a push leaves it, and returns its hash. */
export function writePushed(data: string, slug: string, more: Readonly<Record<string, Uint8Array | string>>) {
  const all = {
    'item.yaml': itemYaml({ id: slug, title: slug }),
    '01.md': `# ${slug}\n\nA text.\n`,
    ...more,
  };
  const files = Object.entries(all).map(([path, content]) => ({
    path,
    content,
    executable: false,
    sha256: new Bun.CryptoHasher('sha256').update(content).digest('hex'),
  }));
  const hash = itemDigest(files);
  const digest = itemDigest(files.filter(({ path }) => path !== 'item.yaml'));
  const place = join(data, 'pushed/book', slug);
  for (const { path, content } of files) {
    mkdirSync(dirname(join(place, hash, path)), { recursive: true });
    writeFileSync(join(place, hash, path), content);
  }
  writeFileSync(join(place, 'current'), `${hash} ${digest}\n`);
  return hash;
}
