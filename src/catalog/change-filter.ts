import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createIgnore } from '../item/ignore.ts';
import { parseStallManifest, stallFiles } from '../item/stall-manifest.ts';
import { readText } from './scan.ts';

type Ignore = ReturnType<typeof createIgnore>;

const OWN_FILES: ReadonlySet<string> = new Set(['item.yaml', '.bookstallignore']);

/**
 * Makes a test that tells whether a change of a path, relative to the content directory and with "/", can change what the
 * stall serves: stall.yaml and the files it names, item.yaml, .bookstallignore, and files that are not left out.
 */
export function createChangeFilter(content: string): (path: string) => boolean {
  // A file that is written all the time must not have its item's rules read each time.
  const ignores = new Map<string, Ignore>();
  let named: readonly string[] | null = null;

  const ignoreOf = (folder: string): Ignore => {
    const ignore = ignores.get(folder) ?? createIgnore(textOf(join(content, folder)));
    ignores.set(folder, ignore);
    return ignore;
  };
  const matters = (path: string): boolean => {
    const [shelf = '', slug, ...rest] = path.split('/');
    if (shelf !== 'books' && shelf !== 'skills') return concernsStall(path);
    if (slug === undefined) return true;
    if (slug.startsWith('.')) return false;
    if (rest.length === 0) return !isFile(join(content, path));
    const inside = rest.join('/');
    return OWN_FILES.has(inside) || !isIgnored(ignoreOf(`${shelf}/${slug}`), inside, join(content, path));
  };
  const concernsStall = (path: string): boolean => {
    if (path === 'stall.yaml') return true;
    named ??= namedFiles(content);
    return named.some((file) => file === path || file.startsWith(`${path}/`));
  };

  return (path) => {
    const isRule = path === 'stall.yaml' || path.endsWith('.bookstallignore');
    const isFolder = path.split('/').length <= 2;
    if (isRule || isFolder) {
      ignores.clear();
      named = null;
    }
    return matters(path);
  };
}

/** Whether the path is left out; one that is gone is if a file or a folder of this name would be. */
function isIgnored(ignore: Ignore, path: string, full: string): boolean {
  const stat = lstatSync(full, { throwIfNoEntry: false });
  return stat === undefined ? ignore(path, false) || ignore(path, true) : ignore(path, stat.isDirectory());
}

function isFile(full: string): boolean {
  return lstatSync(full, { throwIfNoEntry: false })?.isFile() ?? false;
}

function textOf(folder: string): string | null {
  try {
    return readText(folder, '.bookstallignore');
  } catch {
    return null;
  }
}

function namedFiles(content: string): readonly string[] {
  try {
    const { stall } = parseStallManifest(readFileSync(join(content, 'stall.yaml'), 'utf8'));
    return stallFiles(stall).map(({ path }) => path);
  } catch {
    return [];
  }
}
