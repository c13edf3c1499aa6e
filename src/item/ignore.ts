// gitignore's pattern format, https://git-scm.com/docs/gitignore
import ignore from 'ignore';
import { SIGNATURE, SIGNED } from './edition-signature.ts';

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
/** The files of an item's folder that are for the stall alone. */
export const OWN_FILES = ['item.yaml', '.bookstallignore', SIGNATURE, SIGNED];

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
    if (OWN_FILES.includes(path)) return true;
    const pathname = isDirectory ? `${path}/` : path;
    return always.ignores(pathname) || chosen.ignores(pathname);
  };
}
