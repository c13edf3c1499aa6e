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
 * Makes a test that tells whether a path in the item (without a leading slash) is left out, by the rules in
 * `.bookstallignore`, whose text may be null. A "!" rule cannot bring back the files that are always left out. If a
 * folder is left out, nothing below it needs to be tested.
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
