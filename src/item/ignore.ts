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
 * Makes the test whether a path inside the item (no leading slash) is left out, from the text of
 * `.bookstallignore` or null. What is always left out cannot be brought back with "!".
 * A folder that is left out need not be entered.
 */
export function createIgnore(
  bookstallignore: string | null,
): (path: string, isDirectory: boolean) => boolean {
  const always = ignore().add(leftovers);
  // Git's own patterns heed case; the package's default is not to.
  const chosen = ignore({ ignorecase: false }).add((bookstallignore ?? '').replace(/^\uFEFF/, ''));
  return (path, isDirectory) => {
    if (ownFiles.includes(path)) return true;
    const pathname = isDirectory ? `${path}/` : path;
    return always.ignores(pathname) || chosen.ignores(pathname);
  };
}
