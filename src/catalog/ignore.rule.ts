// gitignore's pattern format, https://git-scm.com/docs/gitignore
import ignore from 'ignore';
import { QUOTES, QUOTES_SIGNATURE, SIGNATURE, SIGNED } from './edition-signature.rule.ts';
import type { ItemKind } from '../platform/base/principal.ts';
import { error, type Problem, quote } from '../platform/base/problem.ts';
import { QUESTIONS } from './questions.rule.ts';

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

/** The files of an item's folder that the stall reads and never distributes. */
export const OWN_FILES: Readonly<Record<ItemKind, readonly string[]>> = {
  book: [...ALL_OWN, QUOTES, QUOTES_SIGNATURE, QUESTIONS],
  skill: ALL_OWN,
};

/** The limits of .bookstallignore: its lines, its lines with "**" in the middle, and the "**" in one line. */
export const MOST_IGNORE_LINES = 1000;
export const MOST_WILD_LINES = 20;
const MOST_STARS = 2;

/** Splits .bookstallignore into its lines, and picks those within the limits: more could take hours to match. */
function readRules(bookstallignore: string) {
  const lines = bookstallignore.replace(/^\uFEFF/, '').split('\n');
  let wild = 0;
  const rules = lines.filter((line, n) => {
    // A "**" at the beginning or the end is matched in one pass.
    const middle = line.replace(/^!?\/?\*\*\//, '').replace(/\/\*\*\/?\s?$/, '');
    const isWild = middle.includes('**');
    if (isWild) wild += 1;
    const isCheap = !isWild || (wild <= MOST_WILD_LINES && line.split('**').length <= MOST_STARS + 1);
    return isCheap && (n < MOST_IGNORE_LINES || line === '');
  });
  return { lines, rules };
}

export function ignoreProblems(bookstallignore: string): readonly Problem[] {
  const { lines, rules } = readRules(bookstallignore);
  const refused = lines.find((line, n) => line !== rules[n]);
  if (refused === undefined) return [];
  return [
    error(
      'bad-ignore',
      '.bookstallignore',
      `Cannot use the rule ${quote(refused)}: at most ${MOST_IGNORE_LINES} lines are read, ${MOST_WILD_LINES} of them with "**" in the middle, and ${MOST_STARS} "**" in one`,
      'Write fewer or shorter rules',
    ),
  ];
}

/**
 * Makes a test that tells whether a path in the item (without a leading slash) is left out, by the text of its
 * `.bookstallignore`, or null without that file. A "!" rule cannot bring back the files that are always left out. If a folder
 * is left out, nothing below it needs to be tested.
 */
export function createIgnore(
  bookstallignore: string | null,
  kind: ItemKind = 'skill',
): (path: string, isDirectory: boolean) => boolean {
  const always = ignore().add(leftovers);
  // Git's patterns are case-sensitive; the package's default is not.
  const chosen = ignore({ ignorecase: false }).add(readRules(bookstallignore ?? '').rules);
  return (path, isDirectory) => {
    if (!isDirectory && OWN_FILES[kind].includes(path)) return true;
    const pathname = isDirectory ? `${path}/` : path;
    return always.ignores(pathname) || chosen.ignores(pathname);
  };
}
