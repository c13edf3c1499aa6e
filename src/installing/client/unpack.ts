import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzip } from '../../catalog/archive/gunzip.ts';
import { readTar, type TarFile } from '../../catalog/archive/untar.ts';
import { defaultLimits } from '../../platform/base/item-limits.ts';
import {
  bareRepositories,
  foldCase,
  holdsGitName,
  isSlug,
  MOST_NAMES,
  prefixesOf,
  unsafeName,
  weighName,
} from '../../catalog/path.rule.ts';
import { quote } from '../../platform/base/problem.ts';
import { Refusal } from '../../platform/base/refusal.ts';
import type { InstalledFile } from './manifest.ts';

const RECORD = '.svc-install';
/**
 * Returns the temporary name of an unpacked file. Agents find a SKILL.md even in hidden folders, so its name ends in U+FFFD
 * until the item is verified. No name in an archive may contain this character.
 */
export const unverified = (path: string): string => path.replace(/(^|\/)skill\.md$/i, '$&\uFFFD');
const MAX_RECORD = 64 * 1024;

/**
 * Unpacks an install archive into `stage`, an empty folder to which no other program writes. Checks every name before it is
 * written. Calls `onRecord` with the install record and the folder's name before it writes any file. Returns both, and the
 * files in their order. Refuses entries that are not plain files below one folder named by a slug, names that are unsafe on
 * some system, over 10,000 files or 1 GiB, and a damaged gzip.
 */
export async function unpack(
  source: AsyncIterable<Uint8Array>,
  stage: string,
  onRecord: (record: string, slug: string) => void,
) {
  const files: InstalledFile[] = [];
  const folders = new Set<string>();
  let slug = '';
  let checkEntry: ReturnType<typeof createEntryGuard> | null = null;
  let record: string | null = null;
  for await (const entry of readTar(gunzip(source))) {
    slug ||= entry.path.split('/')[0] ?? '';
    checkEntry ??= createEntryGuard(slug);
    const path = checkEntry(entry);
    if (record === null) {
      record = await readRecord(path, entry);
      onRecord(record, slug);
    } else if (path === RECORD) throw refuse(`it holds ${quote(path)} twice`);
    const folder = dirname(join(stage, path));
    try {
      if (!folders.has(folder)) mkdirSync(folder, { recursive: true });
      folders.add(folder);
      if (path === RECORD) writeFileSync(join(stage, path), record, { flag: 'wx' });
      else files.push({ path, executable: entry.executable, ...(await writeFile(join(stage, path), entry)) });
    } catch (error) {
      throw (error as { code?: string }).code === 'ENAMETOOLONG'
        ? refuse(`it holds ${quote(path)}, a path too long for this system`)
        : error;
    }
  }
  if (record === null) throw refuse('it is empty');
  const [bare] = bareRepositories(files.map(({ path }) => path));
  if (bare !== undefined) throw Refusal.damaged(bare.sentence);
  return { slug, record, files };
}

function createEntryGuard(slug: string): (entry: TarFile) => string {
  const known = new Map<string, { readonly name: string; readonly isFile: boolean }>();
  let bytes = 0;
  let count = 0;
  let names = 0;
  return ({ path: full, size }) => {
    names += weighName(full);
    if (names > MOST_NAMES) throw refuse('its names are longer and deeper than those of any item');
    const unsafe = unsafeName(full);
    if (unsafe !== null) throw refuse(`it holds ${quote(full)}: ${unsafe.reason}`);
    if (!isSlug(slug)) throw refuse(`it holds ${quote(full)}, which is in no folder named by a slug`);
    if (!full.startsWith(`${slug}/`)) throw refuse(`it holds ${quote(full)}, which is not in "${slug}"`);
    bytes += size;
    if (++count > defaultLimits.files + 1) throw refuse(`it holds more than ${defaultLimits.files} files`);
    if (bytes > defaultLimits.bytes) throw refuse(`it holds more than ${defaultLimits.bytes} bytes`);
    const path = full.slice(slug.length + 1);
    // A `.git` folder could contain hooks, which git would run.
    if (holdsGitName(path)) throw refuse(`it holds ${quote(full)}: a stall distributes no ".git"`);
    const prefixes = prefixesOf(path);
    prefixes.forEach((name, n) => {
      const isFile = n === prefixes.length - 1;
      const earlier = known.get(foldCase(name));
      if (earlier === undefined) known.set(foldCase(name), { name, isFile });
      else if (earlier.name !== name)
        throw refuse(`it holds ${quote(name)}, which differs from ${quote(earlier.name)} only in case`);
      else if (isFile || earlier.isFile) throw refuse(`it holds ${quote(name)} twice`);
    });
    return path;
  };
}

async function readRecord(path: string, { size, body }: TarFile): Promise<string> {
  if (path !== RECORD || size > MAX_RECORD) throw refuse('it does not begin with an install record');
  const chunks: Uint8Array[] = [];
  for await (const chunk of body()) chunks.push(chunk);
  return new TextDecoder().decode(Buffer.concat(chunks));
}

async function writeFile(file: string, { executable, size, body }: TarFile) {
  const hash = createHash('sha256');
  // Fails if the file exists already, since then another program made it.
  const descriptor = openSync(unverified(file), 'wx', executable ? 0o755 : 0o644);
  try {
    for await (const chunk of body()) {
      hash.update(chunk);
      for (let at = 0; at < chunk.length;) at += writeSync(descriptor, chunk, at);
    }
  } finally {
    closeSync(descriptor);
  }
  return { size, sha256: hash.digest('hex') };
}

function refuse(reason: string): Refusal {
  return Refusal.damaged(`Cannot unpack the archive: ${reason}`);
}
