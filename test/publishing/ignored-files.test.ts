import { expect, test } from 'bun:test';
import { errorsOf, makeItem, pathsOf } from './item-folder.ts';

const TREE = {
  'a.md': 'a',
  'notes/draft.md': 'draft',
  'notes/final.md': 'final',
  'notes/deep/draft.md': 'draft',
  'server.pem': 'x',
  '.env': 'x',
};

test.each([
  ['a name anywhere', 'draft.md\n*.pem\n.env\n', ['01.md', 'a.md', 'notes/final.md']],
  ['a folder', 'notes/\n*.pem\n.env\n', ['01.md', 'a.md']],
  [
    'a rooted path',
    '/notes/draft.md\n*.pem\n.env',
    ['01.md', 'a.md', 'notes/deep/draft.md', 'notes/final.md'],
  ],
  ['all but one', '/*\n!/a.md\n', ['a.md']],
  ['CRLF, comments and a BOM', '\ufeff# mine\r\nnotes/\r\n*.pem\r\n.env\r\n', ['01.md', 'a.md']],
])('.bookstallignore leaves out %s', (_, rules, expected) => {
  const item = makeItem({ ...TREE, '.bookstallignore': rules });
  expect(pathsOf(item)).toEqual(expected);
  expect(errorsOf(item)).toEqual([]);
});

test('is case-sensitive, so that distributed files are still checked', () => {
  expect(errorsOf(makeItem({ 'server.pem': 'x', '.bookstallignore': '*.PEM\n' }))).toEqual([
    'secret-name server.pem',
  ]);
});

test('leftovers of editors and tools are left out, whatever .bookstallignore brings back', () => {
  const leftovers = [
    '.git/config',
    '.DS_Store',
    'Thumbs.db',
    'desktop.ini',
    'node_modules/a/b.js',
    'a.md~',
    '.a.md.swp',
    '#a.md#',
    '.#a.md',
  ];
  const files = Object.fromEntries(leftovers.map((path) => [path, 'x']));
  const item = makeItem({ ...files, '.bookstallignore': '!.git\n!*~\n!item.yaml\n!.bookstallignore\n' });
  expect(pathsOf(item)).toEqual(['01.md']);
  expect(errorsOf(item)).toEqual([]);
});

test('ignored files are not read: a secret in them is not distributed', () => {
  expect(
    errorsOf(makeItem({ 'mine.txt': '-----BEGIN PRIVATE KEY-----', '.bookstallignore': 'mine.txt' })),
  ).toEqual([]);
});
