import { lstatSync, readFileSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { prefixesOf } from '../item/path.ts';
import { error, quote, type Problem } from '../item/problem.ts';
import { defaultStall, parseStall, stallFiles, type Stall } from '../item/stall.ts';
import { unreadable } from './tree.ts';

/** A stall.yaml as it was found; `isThere` is false where the content directory has none, which is no problem. */
type ReadStall = {
  readonly isThere: boolean;
  readonly stall: Stall;
  readonly problems: readonly Problem[];
};

/** Reads a content directory's stall.yaml. What is wrong in it is named and keeps its default; nothing is thrown. */
export function readStall(content: string): ReadStall {
  try {
    const stat = statOf(content, 'stall.yaml');
    if (stat === undefined) return { isThere: false, stall: defaultStall, problems: [] };
    if (!stat.isFile()) return { isThere: true, stall: defaultStall, problems: [NOT_A_FILE] };
    const { stall, problems } = parseStall(readFileSync(join(content, 'stall.yaml'), 'utf8'));
    const lost = stallFiles(stall).filter(({ path }) => !isPlainFile(content, path));
    return {
      isThere: true,
      stall: { ...stall, ...Object.fromEntries(lost.map(({ key }) => [key, null])) },
      problems: [...problems, ...lost.map(({ key, path }) => missing(key, path))],
    };
  } catch (cause) {
    return { isThere: true, stall: defaultStall, problems: [unreadable('stall.yaml', cause)] };
  }
}

/** Whether a regular file lies there and no link leads to it. */
function isPlainFile(content: string, path: string): boolean {
  return prefixesOf(path).every((prefix) => {
    const stat = statOf(content, prefix);
    return (prefix === path ? stat?.isFile() : stat?.isDirectory()) ?? false;
  });
}

function statOf(content: string, path: string): Stats | undefined {
  return lstatSync(join(content, path), { throwIfNoEntry: false });
}

function missing(key: string, path: string): Problem {
  return error(
    `missing-${key}`,
    'stall.yaml',
    `Cannot find ${quote(path)}, which "${key}" names, as a regular file in the content directory`,
    'Correct the path: it is relative to the content directory, with "/", in the same case, and through no link',
  );
}

const NOT_A_FILE = error(
  'link',
  'stall.yaml',
  `Cannot read ${quote('stall.yaml')}: it is not a regular file`,
  'Put the file itself there',
);
