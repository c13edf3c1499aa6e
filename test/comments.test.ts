import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PROJECT = join(import.meta.dir, '..');
const scan = (pattern: string) => [...new Bun.Glob(pattern).scanSync({ cwd: PROJECT, dot: true })];
const isOurs = (path: string) => !path.includes('node_modules/');
const files = ['src', 'test', '.ci'].flatMap((folder) => scan(`${folder}/**/*.*`)).filter(isOurs);
const paths = files.map((path) => `/${path}`);
const sources = files
  .filter((path) => /^(?:src|test)\/.*\.(?:tsx?|css)$/.test(path) && path !== 'test/comments.test.ts')
  .toSorted();

/** The comments of a source; lines of `//` that follow each other are one. */
const commentsOf = (source: string): readonly string[] =>
  [...source.matchAll(/(?:^|[ {])(?:\/\*[^]*?\*\/|\/\/ .*(?:\n *\/\/ .*)*)/gm)].map(([text]) =>
    text
      .replaceAll(/^[ {]*\/\*+|\*+\/$|^ *\* ?|^ *\/\/ /gm, '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );

/** Files by their path below the project, a folder or the file itself, or by their name alone. */
const filesIn = (comment: string): readonly string[] =>
  comment.match(/(?<![\w./:-])(?:\.{1,2}\/)*[\w.-]+(?:\/[\w.-]+)*\.(?:tsx?|css|sql)\b(?!\/)/g) ?? [];

function problemsOf(comment: string): readonly string[] {
  const missing = filesIn(comment)
    .map((name) => name.replace(/^(?:\.{1,2}\/)+/, ''))
    .filter((name) => !paths.some((path) => path.endsWith(`/${name}`)))
    .map((name) => `names ${name}, which is no file`);
  return [
    ...missing,
    ...(comment.startsWith('What ') ? ['begins with "What"'] : []),
    ...(/contract (?:§|\/)|contract\/|\bspec \d/i.test(comment) ? ['points out of the tree'] : []),
  ].map((problem) => `${problem}: ${comment}`);
}

test.each(sources)('the comments of %s name files that exist, and begin with their subject', (path) => {
  expect(commentsOf(readFileSync(join(PROJECT, path), 'utf8')).flatMap(problemsOf)).toEqual([]);
});

test.each([
  ['/** Tested by layers.test.ts and test/layers.ts. */', []],
  ['const a = 1; // See ./layers.ts', []],
  ['/** Reads what a file holds. */', []],
  ["const a = '// What a day';", []],
  ['/** Tested by attic.test.ts. */', ['names attic.test.ts, which is no file']],
  ['// The rest is in\n// src/attic/box.ts.', ['names src/attic/box.ts, which is no file']],
  ['a { /* As in awnings.css. */ }', ['names awnings.css, which is no file']],
  ['/** What a file holds. */', ['begins with "What"']],
  ['  // What follows is slow.', ['begins with "What"']],
  ['{/* What is shown. */}', ['begins with "What"']],
  ['/** Refuses a stranger (contract §3). */', ['points out of the tree']],
  ['/**\n * Answers a question (spec 4.6).\n */', ['points out of the tree']],
])('of %j the problems are %j', (source, problems) => {
  expect(
    commentsOf(source)
      .flatMap(problemsOf)
      .map((problem) => problem.split(': ')[0] ?? ''),
  ).toEqual(problems);
});
