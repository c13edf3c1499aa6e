import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { symlinkSync } from 'node:fs';
import { mintKey } from '../../src/platform/base/key.ts';
import { inspectItem, isError } from '../../src/publishing/scan.ts';
import { defaultLimits } from '../../src/platform/base/item-limits.ts';
import { check } from '../../src/publishing/publishing-session.ts';
import { itemYaml, SHELF, skillMd, temporaryDirectory, writeFiles } from '../helpers/harness.ts';
import { errorLine, errorsOf, makeItem } from './item-folder.ts';

const LIMITS = { files: 3, bytes: 1000 };

describe('limits', () => {
  test.each([
    ['as many files as allowed', { 'a.md': 'a', 'b.md': 'b' }, []],
    ['one file more', { 'a.md': 'a', 'b.md': 'b', 'c.md': 'c' }, ['too-many-files ']],
    ['as many bytes as allowed', { '01.md': 'x'.repeat(1000) }, []],
    ['one byte more', { '01.md': 'x'.repeat(1000), 'a.md': 'x' }, ['too-many-bytes ']],
  ])('%s', (_, files, expected) => {
    expect(errorsOf(makeItem(files), LIMITS)).toEqual(expected);
  });

  test('ignored files and item.yaml do not count', () => {
    const left = {
      'big.bin': 'x'.repeat(5000),
      'a~': 'x',
      '.DS_Store': 'x',
      '.bookstallignore': 'big.bin\n',
    };
    expect(errorsOf(makeItem(left), LIMITS)).toEqual([]);
  });
});

describe('item.yaml', () => {
  test.each([
    [
      'without a price',
      itemYaml({ id: 'heron-id' }).replace(/unitAmountCents.*\n/, ''),
      ['missing-key item.yaml'],
    ],
    ['with a blank price', itemYaml({ id: 'heron-id', unitAmountCents: '' }), ['blank-value item.yaml']],
    ['with an unknown key', itemYaml({ id: 'heron-id', prize: '5' }), ['unknown-key item.yaml']],
    ['with a repeated key', `${itemYaml({ id: 'heron-id' })}title: Again\n`, ['repeated-key item.yaml']],
    ['that is garbage', 'title: [\u0001{', ['yaml-syntax item.yaml']],
    ['that is empty', '', ['yaml-not-a-mapping item.yaml']],
    [
      'whose chapter is not there',
      `${itemYaml({ id: 'heron-id' })}chapters: [gone.md]\n`,
      ['missing-chapters item.yaml'],
    ],
  ])('%s is an error', (_, yaml, expected) => {
    const item = makeItem({ 'item.yaml': yaml });
    expect([...new Set(errorsOf(item))]).toEqual(expected);
    expect(inspectItem(item, defaultLimits, null).manifest).toBeNull();
  });

  test('of a book that fails has as its only consequence that this book is refused', async () => {
    const content = temporaryDirectory();
    writeFiles(content, { ...SHELF, 'books/free-book/item.yaml': 'title: x\n' });
    const refused = (await check(content)).filter(({ problems }) => problems.some(isError));
    expect(refused.map(({ slug }) => slug)).toEqual(['free-book']);
  });
});

test('every problem of an item is named at once', () => {
  const item = makeItem({
    'item.yaml': itemYaml({ id: 'no spaces', prize: 5 }),
    'cafe\u0301.md': 'x',
    'a.md': 'x',
    'A.md': 'x',
    '.env': 'x',
    'server.pem': 'x',
    'key.md': mintKey(),
    'pem.md': '-----BEGIN PRIVATE KEY-----',
    'a:b': 'x',
  });
  symlinkSync('a.md', join(item.folder, 'link.md'));
  expect(errorsOf(item, { files: 2, bytes: 10 })).toEqual([
    'bad-id item.yaml',
    'case-clash a.md',
    'dot-file .env',
    'link link.md',
    'name-forbidden-character a:b',
    'name-not-nfc cafe\u0301.md',
    'secret-api-key key.md',
    'secret-name server.pem',
    'secret-private-key pem.md',
    'too-many-bytes ',
    'too-many-files ',
    'unknown-key item.yaml',
  ]);
});

test('a skill whose SKILL.md names another skill, is malformed or missing is refused', () => {
  expect(errorsOf(makeItem({ 'SKILL.md': skillMd('egret') }, 'skill'))).toEqual(['skill-name SKILL.md']);
  expect(errorsOf(makeItem({ 'SKILL.md': 'no front matter' }, 'skill'))).toEqual([
    'no-front-matter SKILL.md',
  ]);
});

test('two items with one slug or one id are both named by check, which knows no data directory', async () => {
  const content = temporaryDirectory();
  writeFiles(content, {
    'books/heron/item.yaml': itemYaml({ id: 'one' }),
    'skills/heron/item.yaml': itemYaml(),
    'skills/heron/SKILL.md': skillMd('heron'),
    'books/egret/item.yaml': itemYaml({ id: 'two' }),
    'books/bittern/item.yaml': itemYaml({ id: 'two' }),
    'books/stork/item.yaml': itemYaml({ id: 'three' }),
  });
  const clashing = (await check(content)).map(({ kind, slug, problems }) => [
    `${kind} ${slug}`,
    problems.flatMap(errorLine),
  ]);
  expect(Object.fromEntries(clashing)).toEqual({
    'book bittern': ['clash item.yaml'],
    'book egret': ['clash item.yaml'],
    'book heron': ['clash item.yaml'],
    'book stork': [],
    'skill heron': ['clash item.yaml'],
  });
});
