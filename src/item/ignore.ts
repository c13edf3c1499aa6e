// gitignore's pattern format, https://git-scm.com/docs/gitignore
import ignore from 'ignore';
import { SIGNATURE, SIGNED } from './edition-signature.ts';
import type { ItemKind } from './item.ts';
import { QUESTIONS } from './questions.ts';

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
const ALL_OWN = ['item.yaml', '.bookstallignore', SIGNATURE, SIGNED];

/** The files of an item's folder that are for the stall alone and never distributed. */
export const OWN_FILES: Readonly<Record<ItemKind, readonly string[]>> = {
  book: [...ALL_OWN, QUESTIONS],
  skill: ALL_OWN,
};

/**
 * Makes a test that tells whether a path inside the item (no leading slash) is left out, from the text of
 * `.bookstallignore` or null. A "!" cannot bring back files that are always left out. A folder that is left out need not
 * be entered.
 */
export function createIgnore(
  bookstallignore: string | null,
  kind: ItemKind = 'skill',
): (path: string, isDirectory: boolean) => boolean {
  const always = ignore().add(leftovers);
  // Git's patterns are case-sensitive; the package's default is not.
  const chosen = ignore({ ignorecase: false }).add((bookstallignore ?? '').replace(/^\uFEFF/, ''));
  return (path, isDirectory) => {
    if (!isDirectory && OWN_FILES[kind].includes(path)) return true;
    const pathname = isDirectory ? `${path}/` : path;
    return always.ignores(pathname) || chosen.ignores(pathname);
  };
}
