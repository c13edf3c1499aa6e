import { describe, expect, test } from 'bun:test';
import { tarHeader } from '../../src/catalog/archive/tar.ts';
import { archiveNameProblems, limitProblems, packedProblems } from '../../src/catalog/limit.rule.ts';

const mebibyte = 1024 ** 2;

test.each([
  ['book', 10_000, 1024 * mebibyte, []],
  ['book', 10_001, 0, ['error null too-many-files']],
  ['book', 1, 1024 * mebibyte + 1, ['error null too-many-bytes']],
  ['book', 10_001, 1025 * mebibyte, ['error null too-many-files', 'error null too-many-bytes']],
  ['skill', 512, 16 * mebibyte, []],
  ['skill', 513, 0, ['warning mcp skill-many-files']],
  ['skill', 1, 16 * mebibyte + 1, ['warning mcp skill-many-bytes']],
  ['skill', 1000, 0, ['warning mcp skill-many-files']],
  ['skill', 1001, 0, ['warning mcp skill-many-files', 'warning well-known skill-many-files']],
  ['skill', 1, 50 * mebibyte, ['warning mcp skill-many-bytes']],
  ['skill', 1, 50 * mebibyte + 1, ['warning mcp skill-many-bytes', 'warning well-known skill-many-bytes']],
] as const)('a %s of %d files and %d bytes has the problems %p', (kind, files, bytes, expected) => {
  const problems = limitProblems(kind, { files, bytes });
  expect(problems.map(({ severity, client, code }) => `${severity} ${client} ${code}`)).toEqual([
    ...expected,
  ]);
});

test('limits may be passed in', () => {
  expect(limitProblems('book', { files: 3, bytes: 30 }, { files: 2, bytes: 30 })).toMatchObject([
    { code: 'too-many-files', sentence: 'Cannot serve 3 files: at most 2 are taken' },
  ]);
});

test.each([
  ['skill', 10 * mebibyte, 0],
  ['skill', 10 * mebibyte + 1, 1],
  ['book', 100 * mebibyte, 0],
] as const)('a %s of %d bytes packed has %d warnings', (kind, bytes, count) => {
  expect(packedProblems(kind, bytes).map(({ severity, client }) => `${severity} ${client}`)).toEqual(
    Array(count).fill('warning well-known'),
  );
});

describe('a plain tar header', () => {
  const name = 'n'.repeat(100);
  const folder = 'f'.repeat(155);

  test.each([
    ['a short name', 'scripts/run.sh', true],
    ['a space', 'a b.md', true],
    ['100 characters', name, true],
    ['101 characters', `${name}n`, false],
    ['a prefix of 155 and a name of 100', `${folder}/${name}`, true],
    ['a prefix of 156', `${folder}f/${name}`, false],
    ['a name of 101 below a folder', `${folder}/${name}n`, false],
    ['a border that falls between short names', `${'d/'.repeat(70)}${'e'.repeat(90)}`, true],
    ['a letter beyond ASCII', 'références/a.md', false],
  ])('holds %s or the well-known client loses the file', (_, path, fits) => {
    const tar = tarHeader(path, 0, false);
    expect(tar.length === 512).toBe(fits);
    expect(archiveNameProblems('book', [path])).toEqual([]);
    expect(archiveNameProblems('skill', ['SKILL.md', path]).map((problem) => problem.path)).toEqual(
      fits ? [] : [path],
    );
  });

  test('many such names are one finding', () => {
    expect(archiveNameProblems('skill', ['ä', 'b', 'ö', 'ü'])).toEqual([
      expect.objectContaining({
        client: 'well-known',
        path: 'ä',
        sentence:
          'The "skills" program cannot read "ä" and 2 more from an archive: it knows short ASCII names alone',
      }),
    ]);
  });
});
