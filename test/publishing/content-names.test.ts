import { describe, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listItemFolders } from '../../src/publishing/scan.ts';
import { check } from '../../src/publishing/publishing-session.ts';
import { itemYaml } from '../helpers/harness.ts';
import { errorsOf, makeItem, pathsOf } from './item-folder.ts';

/** A path whose last name is raw bytes, as no text can give it. */
function rawPath(folder: string, name: readonly number[]): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name)]);
}

describe('a name that is not UTF-8', () => {
  test.each([
    ['a stray byte', [0x61, 0xff], 'a\u00ff'],
    ['Latin-1', [0x63, 0xe9], 'c\u00e9'],
    ['an encoded surrogate', [0xed, 0xa0, 0x80], '\u00ed\u00a0\u0080'],
    ['an overlong slash', [0xc0, 0xaf], '\u00c0\u00af'],
  ])('%s is an error', (_, name, shown) => {
    const item = makeItem();
    writeFileSync(rawPath(item.folder, name), 'x');
    expect(errorsOf(item)).toEqual([`name-not-utf8 ${shown}`]);
  });

  test('of a folder is an error', () => {
    const item = makeItem();
    mkdirSync(rawPath(item.folder, [0xfe]));
    expect(errorsOf(item)).toEqual(['name-not-utf8 \u00fe']);
  });

  test('of an item is an error, and the other items are read', async () => {
    const item = makeItem();
    mkdirSync(rawPath(join(item.folder, '..'), [0x68, 0xff]));
    const content = join(item.folder, '../..');
    expect(listItemFolders(content)).toHaveLength(2);
    const codes = (await check(content)).map(({ problems }) => problems.map(({ code }) => code));
    expect(codes).toEqual([[], ['bad-slug']]);
  });
});

test.each([
  ['NFD', 'cafe\u0301.md', 'name-not-nfc'],
  ['a backslash', 'a\\b.md', 'name-forbidden-character'],
  ['a colon', 'a:b.md', 'name-forbidden-character'],
  ['a control character', 'a\u0007.md', 'name-forbidden-character'],
  ['a line break', 'a\nb.md', 'name-forbidden-character'],
  ['a trailing dot', 'a.', 'name-trailing-dot-or-space'],
  ['a trailing space', 'a ', 'name-trailing-dot-or-space'],
  ['a device name', 'aux.md', 'name-device'],
  ['a key file', 'server.pem', 'secret-name'],
  ['a key file in upper case', 'SERVER.KEY', 'secret-name'],
  ['a PKCS 12 file', 'a/id.p12', 'secret-name'],
  ['an SSH key', 'id_rsa_old', 'secret-name'],
  ['credentials', 'a/credentials.json', 'secret-name'],
  ['an install record', '.svc-install', 'install-record'],
  ['a dot file', '.env', 'dot-file'],
])('%s is an error that names the path', (_, path, code) => {
  expect(errorsOf(makeItem({ [path]: 'x' }))).toEqual([`${code} ${path}`]);
});

test.each([
  ['two files', ['a.md', 'A.md'], 'a.md'],
  ['two folders', ['ch/one.md', 'Ch/two.md'], 'ch'],
  ['letters beyond ASCII', ['é.md', 'É.md'], 'é.md'],
])('%s that differ only in case are an error', (_, paths, expected) => {
  const files = Object.fromEntries(paths.map((path) => [path, 'x']));
  expect(errorsOf(makeItem(files))).toEqual([`case-clash ${expected}`]);
});

test.each([
  ['at the root', ['HEAD', 'config', 'objects/x', 'refs/x'], 'HEAD'],
  ['in a folder', ['a/b/HEAD', 'a/b/objects/x', 'a/b/refs/x'], 'a/b/HEAD'],
  ['in other letters', ['a/Head', 'a/OBJECTS', 'a/rEfs/x'], 'a/Head'],
  ['of a worktree', ['HEAD', 'commondir', 'c/objects/x', 'c/refs/x'], 'HEAD'],
])('a bare git repository %s is an error', (_, paths, expected) => {
  const files = Object.fromEntries(paths.map((path) => [path, 'x']));
  expect(errorsOf(makeItem(files))).toEqual([`bare-repository ${expected}`]);
});

test.each([
  ['in three folders', ['HEAD', 'a/objects/x', 'b/refs/x']],
  ['but for its refs', ['HEAD', 'objects/x', 'docs/refs/x']],
  ['but for its HEAD', ['a/HEADER', 'a/objects/x', 'a/refs/x']],
])('the names of one %s are no error', (_, paths) => {
  expect(errorsOf(makeItem(Object.fromEntries(paths.map((path) => [path, 'x']))))).toEqual([]);
});

test('a dot file and a dot folder named under include are distributed, others are errors', () => {
  const yaml = `${itemYaml({ id: 'heron-id' })}include: [.env.example, .github]\n`;
  const files = { 'item.yaml': yaml, '.env.example': 'A=1', '.github/ci.yml': 'x' };
  const item = makeItem(files);
  expect(errorsOf(item)).toEqual([]);
  expect(pathsOf(item)).toEqual(['.env.example', '.github/ci.yml', '01.md']);
  expect(errorsOf(makeItem({ ...files, '.env': 'x' }))).toEqual(['dot-file .env']);
});

test('an include that names no file is an error', () => {
  expect(errorsOf(makeItem({ 'item.yaml': `${itemYaml({ id: 'heron-id' })}include: [.env]\n` }))).toEqual([
    'missing-include item.yaml',
  ]);
});

test.each(['Heron', 'a_b', 'a--b', 'con', 'nul', 'x'.repeat(65), 'héron'])(
  'the folder name %j is no slug',
  (slug) => {
    expect(errorsOf(makeItem({}, 'book', slug))).toEqual(['bad-slug ']);
  },
);
