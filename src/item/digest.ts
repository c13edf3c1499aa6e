import { createHash } from 'node:crypto';
import type { ItemFile } from './item.ts';
import { comparePaths } from './path.ts';

/**
 * The item digest: SHA-256, in lower-case hex, over the lines `<sha256>  <0644|0755> <path>\n`,
 * sorted by the path's UTF-8 bytes, whatever the order given.
 */
export function itemDigest(files: readonly Pick<ItemFile, 'path' | 'sha256' | 'executable'>[]): string {
  const hash = createHash('sha256');
  for (const { path, sha256, executable } of files.toSorted((a, b) => comparePaths(a.path, b.path)))
    hash.update(`${sha256}  ${executable ? '0755' : '0644'} ${path}\n`);
  return hash.digest('hex');
}
