// gitignore's pattern format, https://git-scm.com/docs/gitignore
import ignore from 'ignore';

const leftovers = [
  '.git',
  '.DS_Store',
  'Thumbs.db',
  'desktop.ini',
  'node_modules',
  '*~',
  '.*.sw?',
  '\\#*#',
  '.#*',
];
const ownFiles = ['item.yaml', '.bookstallignore'];

/**
 * Makes a test that tells whether a path inside the item (no leading slash) is left out, from the text of
 * `.bookstallignore` or null. A "!" cannot bring back files that are always left out. A folder that is left out need not
 * be entered.
 */
export function createIgnore(
  bookstallignore: string | null,
): (path: string, isDirectory: boolean) => boolean {
  const always = ignore().add(leftovers);
  // Git's patterns are case-sensitive; the package's default is not.
  const chosen = ignore({ ignorecase: false }).add((bookstallignore ?? '').replace(/^\uFEFF/, ''));
  return (path, isDirectory) => {
    if (ownFiles.includes(path)) return true;
    const pathname = isDirectory ? `${path}/` : path;
    return always.ignores(pathname) || chosen.ignores(pathname);
  };
}
