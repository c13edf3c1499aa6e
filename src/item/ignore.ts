// gitignore's pattern format, https://git-scm.com/docs/gitignore
import ignore from 'ignore';
import { SIGNATURE, SIGNED } from './edition-signature.ts';
import type { ItemKind } from './item.ts';
import { error, type Problem, quote } from './problem.ts';
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

/** The maximum number of "**" in a line of .bookstallignore: with each more, matching takes far longer. */
const MOST_WILD = 2;
/** The maximum number of lines of .bookstallignore. */
const MOST_LINES = 1000;

const linesOf = (bookstallignore: string): readonly string[] => bookstallignore.split(/\r?\n/);
const isWild = (line: string): boolean => line.split(/\*{2,}/).length > MOST_WILD + 1;

/** Returns the problems of .bookstallignore, whose lines could make a scan take hours. */
export function ignoreProblems(bookstallignore: string): readonly Problem[] {
  const lines = linesOf(bookstallignore);
  const refuse = (sentence: string, remedy: string): Problem =>
    error('bad-ignore', '.bookstallignore', sentence, remedy);
  return [
    ...lines
      .filter(isWild)
      .slice(0, 1)
      .map((line) =>
        refuse(`Cannot use ${quote(line)}: it has "**" more than ${MOST_WILD} times`, 'Write a shorter rule'),
      ),
    ...(lines.length > MOST_LINES
      ? [refuse(`Cannot use ${lines.length} lines`, `Write at most ${MOST_LINES}`)]
      : []),
  ];
}

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
  const rules = linesOf((bookstallignore ?? '').replace(/^\uFEFF/, '')).slice(0, MOST_LINES);
  const chosen = ignore({ ignorecase: false }).add(rules.filter((line) => !isWild(line)));
  return (path, isDirectory) => {
    if (!isDirectory && OWN_FILES[kind].includes(path)) return true;
    const pathname = isDirectory ? `${path}/` : path;
    return always.ignores(pathname) || chosen.ignores(pathname);
  };
}
