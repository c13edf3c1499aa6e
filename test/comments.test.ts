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

const GUIDE = readFileSync(join(PROJECT, 'CONTRIBUTING.md'), 'utf8');
const words = new Set(
  [...sources, ...files.filter((path) => /^\.ci\/.*\.ts$/.test(path))].flatMap(
    (path) => readFileSync(join(PROJECT, path), 'utf8').match(/\/[\w/:*.-]+|\w+/g) ?? [],
  ),
);
const all = [...files, ...scan('*.*'), ...scan('content/**/*.*')].filter(isOurs).map((path) => `/${path}`);

/** The files, folders, routes and names that the guide sets as code and that are nowhere; lines to type are left out. */
const strayIn = (guide: string): readonly string[] =>
  Array.from(guide.matchAll(/`([^`\n]+)`/g), ([, code = '']) => code.replace(/^(?:GET|POST) /, '')).filter(
    (code) => {
      if (/^[\w.-]+(?:\/[\w.-]+)*\.(?:tsx?|css|sql|md|ya?ml|env|json)$/.test(code))
        return !all.some((path) => path.endsWith(`/${code}`));
      if (/^[\w/-]+\/$/.test(code)) return code !== 'data/' && !all.some((path) => path.includes(`/${code}`));
      if (/^\/\w/.test(code)) return !words.has(code);
      return /^[A-Za-z][\w.]*(?<!X)$/.test(code) && !code.split('.').every((name) => words.has(name));
    },
  );

test('CONTRIBUTING.md names files, folders, routes and functions that exist', () => {
  expect(strayIn(GUIDE)).toEqual([]);
  expect(
    strayIn(
      '`attic.ts` `store/attic/` `GET /attic/:box` `openAttic` `store.openAttic` `store/` `bun run attic`',
    ),
  ).toEqual(['attic.ts', 'store/attic/', '/attic/:box', 'openAttic', 'store.openAttic']);
});

test.each([
  ['/** Tested by areas.test.ts and test/areas.ts. */', []],
  ['const a = 1; // See ./areas.ts', []],
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
