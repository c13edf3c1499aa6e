import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportsOf, importedBy } from './exports.ts';

const ROOT = join(import.meta.dir, '..');
const files = [...new Bun.Glob('{src,test,.ci}/**/*.{ts,tsx}').scanSync({ cwd: ROOT, dot: true })]
  .filter((path) => !path.includes('node_modules') && !path.endsWith('.d.ts'))
  .map((path) => [path, readFileSync(join(ROOT, path), 'utf8')] as const);

test('every export of src is imported by another file', () => {
  const imported = new Set(files.flatMap(([path, source]) => importedBy(path, source)));
  const idle = files
    .filter(([path]) => path.startsWith('src/'))
    .flatMap(([path, source]) =>
      exportsOf(source)
        .filter((name) => !imported.has(`${path} ${name}`) && !imported.has(`${path} *`))
        .map((name) => `${path}: export ${name}`),
    );
  expect(idle).toEqual([]);
});

test.each([
  ["import { a } from './b.ts';", ['src/b.ts a']],
  ["import type { A } from '../b.ts';", ['b.ts A']],
  ["import {\n  type A,\n  b as c,\n} from './b.ts';", ['src/b.ts A', 'src/b.ts b']],
  ["import d, { a } from './b.ts';", ['src/b.ts a']],
  ["import * as b from './b.ts';", ['src/b.ts *']],
  ["export { a } from './b.ts';", ['src/b.ts a']],
  ["const { a } = await import('./b.ts');", ['src/b.ts *']],
  ["import { a } from 'elysia';", []],
])('the names that %j imports are seen', (source, expected) => {
  expect(importedBy('src/a.ts', source)).toEqual(expected);
});

test.each([
  ['export const a = 1;', ['a']],
  ['export async function* a() {}', ['a']],
  ['export type A<T> = T;', ['A']],
  ['const a = 1;', []],
])('the names that %j exports are seen', (source, expected) => {
  expect([...exportsOf(source)]).toEqual([...expected]);
});
