import { expect, test } from 'bun:test';
import { limitProblems, packedProblems } from '../../src/item/limit.ts';

const mebibyte = 1024 ** 2;

test.each([
  ['book', 10_000, 1024 * mebibyte, []],
  ['book', 10_001, 0, ['error too-many-files']],
  ['book', 1, 1024 * mebibyte + 1, ['error too-many-bytes']],
  ['book', 10_001, 1025 * mebibyte, ['error too-many-files', 'error too-many-bytes']],
  ['skill', 512, 16 * mebibyte, []],
  ['skill', 513, 0, ['warning skill-many-files']],
  ['skill', 1, 16 * mebibyte + 1, ['warning skill-many-bytes']],
  ['skill', 10_001, 0, ['error too-many-files', 'warning skill-many-files']],
] as const)('a %s of %d files and %d bytes has the problems %p', (kind, files, bytes, expected) => {
  const problems = limitProblems(kind, { files, bytes });
  expect(problems.map(({ severity, code }) => `${severity} ${code}`)).toEqual([...expected]);
});

test('limits may be passed in', () => {
  expect(limitProblems('book', { files: 3, bytes: 30 }, { files: 2, bytes: 30 })).toMatchObject([
    { code: 'too-many-files', message: 'Cannot serve 3 files: at most 2 are taken' },
  ]);
});

test.each([
  ['skill', 10 * mebibyte, 0],
  ['skill', 10 * mebibyte + 1, 1],
  ['book', 100 * mebibyte, 0],
] as const)('a %s of %d bytes packed has %d warnings', (kind, bytes, count) => {
  expect(packedProblems(kind, bytes).map((problem) => problem.severity)).toEqual(
    Array(count).fill('warning'),
  );
});
