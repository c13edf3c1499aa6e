import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { unsafeName } from '../item/path.ts';
import { cannotImport } from './cannot-import.ts';
import type { CopiedFile } from './manuscript.ts';
import { decodeText } from './source-text.ts';

/** The folder of a manuscript. Paths are relative to it, with "/"; nothing outside of it is ever read. */
export type SourceFolder = {
  readonly root: string;
  /** A regular file, or null. Refuses a link that leads out, and a name that no reader's system can have. */
  readonly find: (path: string) => CopiedFile | null;
  /** The text of a file, or null if there is none. */
  readonly text: (path: string) => string | null;
  readonly isFolder: (path: string) => boolean;
  /** The regular files below a folder, without those that no item may have: dot files, and what programs leave behind. */
  readonly list: (under: string, withDotFolders?: boolean) => readonly string[];
};

/** Trees of more files are no manuscripts: somebody named the wrong folder. */
const MOST_FILES = 50_000;
const DEEPEST = 50;
const LEFT_BEHIND = /^(?:\.git|\.DS_Store|Thumbs\.db|desktop\.ini|node_modules|.*~|\..*\.sw.|#.*#|\.#.*)$/;

/** Opens a folder that is known to exist. */
export function openSourceFolder(root: string): SourceFolder {
  const real = realpathSync(root);
  const inside = (path: string): string | null => {
    const full = realPath(join(real, path), path);
    if (full !== null && full !== real && !full.startsWith(real.endsWith(sep) ? real : real + sep))
      throw cannotImport(path, 'it is a link that leads out of its folder', 'put the file itself there');
    return full;
  };
  const find = (path: string): CopiedFile | null => {
    if (path === '' || path.split('/').includes('..') || path.includes('\0')) return null;
    const full = inside(path);
    const stat = full === null ? undefined : statSync(full, { throwIfNoEntry: false });
    if (full === null || stat === undefined || !stat.isFile()) return null;
    refuseUnsafe(path);
    return { path, executable: (stat.mode & 0o100) !== 0, source: full, size: stat.size };
  };
  return {
    root: real,
    find,
    text(path) {
      const file = find(path);
      return file === null ? null : decodeText(path, readFileSync(file.source));
    },
    isFolder: (path) => {
      const full = inside(path);
      return full !== null && statSync(full).isDirectory();
    },
    list: (under, withDotFolders = false) => [...walk(inside, under, withDotFolders)],
  };
}

/** Where a path leads after its links; null if there is nothing. */
function realPath(full: string, path: string): string | null {
  try {
    return realpathSync(full);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    const isDangling = code === 'ELOOP' || lstatSync(full, { throwIfNoEntry: false })?.isSymbolicLink();
    if (isDangling === true)
      throw cannotImport(path, 'it is a link that leads to no file', 'put the file itself there');
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return null;
    throw cause;
  }
}

function* walk(
  inside: (path: string) => string | null,
  under: string,
  withDotFolders: boolean,
): Generator<string> {
  let count = 0;
  const visit = function* (path: string, above: readonly string[]): Generator<string> {
    const full = inside(path);
    // A link to a folder above would have no end.
    if (full === null || above.includes(full) || above.length > DEEPEST) return;
    const names = readdirSync(full).filter((name) => !LEFT_BEHIND.test(name));
    for (const name of names.toSorted()) {
      const inner = path === '' ? name : `${path}/${name}`;
      const target = inside(inner);
      const stat = target === null ? undefined : statSync(target, { throwIfNoEntry: false });
      if (stat?.isDirectory() && (withDotFolders || !name.startsWith('.')))
        yield* visit(inner, [...above, full]);
      if (!stat?.isFile() || name.startsWith('.')) continue;
      if (++count > MOST_FILES)
        throw cannotImport(
          path.split('/')[0] || 'the folder',
          `it holds more than ${MOST_FILES} files`,
          'name the folder of the manuscript alone',
        );
      yield inner;
    }
  };
  yield* visit(under, []);
}

/** Every regular file of an item's folder, dot files too. */
export function listEveryFile(folder: string): readonly CopiedFile[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const source = join(entry.parentPath, entry.name);
      const { size, mode } = statSync(source);
      return {
        path: relative(folder, source).replaceAll(sep, '/'),
        source,
        size,
        executable: (mode & 0o100) !== 0,
      };
    });
}

/** Refuses a name that some reader's system cannot have, such as one with a control character. */
export function refuseUnsafe(path: string): void {
  const unsafe = unsafeName(path);
  if (unsafe !== null) throw cannotImport(unsafe.prefix, unsafe.reason, 'rename it');
}
