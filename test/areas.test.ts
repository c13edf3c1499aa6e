import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { dependencies, devDependencies } from '../package.json';
import { HOMES, importsOf, LEVELS, loadCirclesOf, loadsOf, violationsOf } from './areas.ts';

const SRC = join(import.meta.dir, '../src');
const files = [...new Bun.Glob('**/*.{ts,tsx,css,sql}').scanSync(SRC)].toSorted();
const sources = files
  .filter((path) => /(?<!\.d)\.tsx?$/.test(path))
  .map((path) => [path, readFileSync(join(SRC, path), 'utf8')] as const);
const areas = [...new Set(files.flatMap((path) => (path.includes('/') ? (path.split('/')[0] ?? '') : [])))];

const readme = readFileSync(join(import.meta.dir, '../README.md'), 'utf8');

describe('areas', () => {
  test('every file keeps to the rules', () => {
    expect(sources.flatMap(([path, source]) => violationsOf(path, source))).toEqual([]);
  });

  test('every area is on one level, and every level holds only areas that exist', () => {
    expect(LEVELS.flat().toSorted()).toEqual(areas.toSorted());
  });

  test('tests are in the folder of what they test, or in one of their own', () => {
    const own = /^(?:\.|bench|binary|browser|clients|fixtures|helpers|mutation|suite|torture)(?:\/|$)/;
    const paths = [...new Bun.Glob('**/*.{ts,tsx}').scanSync(import.meta.dir)];
    const folders = [...new Set(paths.map((path) => dirname(path)))].filter((folder) => !own.test(folder));
    expect(folders.filter((folder) => !existsSync(join(SRC, folder)))).toEqual([]);
  });

  test.each([
    'README.md',
    'CONTRIBUTING.md',
    'test/bench/README.md',
    'test/bench/qa.md',
    'test/torture/README.md',
  ])('every file of src that %s names is there', (page) => {
    const text = readFileSync(join(SRC, '..', page), 'utf8');
    const named = text.match(/(?<=\bsrc\/)[\w./-]+\.(?:tsx?|css|sql)\b/g) ?? [];
    expect(named.filter((path) => !existsSync(join(SRC, path)))).toEqual([]);
  });

  test('no file loads itself through others', () => {
    expect(loadCirclesOf(new Map(sources.map(([path, source]) => [path, loadsOf(path, source)])))).toEqual(
      [],
    );
  });

  test('every package has a home, and every home is a package in a folder that exists', () => {
    expect(Object.keys(HOMES).toSorted()).toEqual([...Object.keys(dependencies), 'bun:sqlite'].toSorted());
    const homes = Object.values(HOMES).flat();
    expect(homes.filter((home) => !existsSync(join(SRC, home)))).toEqual([]);
  });

  test("README's table gives a reason for every package, and for no other", () => {
    const [, table = ''] = /^### Dependencies\n\n((?:\|.*\n)*)/m.exec(readme) ?? [];
    const cells = [...table.matchAll(/^\| (dev: )?(`[^|]+?) +\| \S/gm)];
    const named = (isDev: boolean) =>
      cells
        .filter(([, dev]) => (dev !== undefined) === isDev)
        .flatMap(([, , names = '']) => [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
    expect(named(false).toSorted()).toEqual(Object.keys(dependencies).toSorted());
    expect(named(true).toSorted()).toEqual(Object.keys(devDependencies).toSorted());
  });

  test('main.ts stays under 15 lines and loads production.ts first', () => {
    const main = readFileSync(join(SRC, 'main.ts'), 'utf8');
    expect(main.trimEnd().split('\n').length).toBeLessThan(15);
    expect(main).toStartWith("import './platform/base/production.ts';\n");
  });
});

test.each([
  ["import { a } from './a.ts';", ['./a.ts']],
  ["import type { A } from './a.ts';", ['./a.ts']],
  ["import {\n  type A,\n  type B,\n} from './a.ts';", ['./a.ts']],
  ["import './a.ts';", ['./a.ts']],
  ["import text from './a.sql' with { type: 'text' };", ['./a.sql']],
  ["export { a } from './a.ts';", ['./a.ts']],
  ["export type { A } from './a.ts';", ['./a.ts']],
  ["export * from './a.ts';", ['./a.ts']],
  ["const a = await import('./a.ts');", ['./a.ts']],
  ["type A = import('./a.ts').A;", ['./a.ts']],
  ["const a = require('./a.ts');", ['./a.ts']],
])('the imports of %j are seen', (source, expected) => {
  expect([...importsOf(source)]).toEqual(expected);
});

const elysia = "import { Elysia } from 'elysia';\n";

describe('a violation is named', () => {
  test.each([
    ['a higher area', 'accounts/key.ts', "import { a } from '../selling/order.ts';"],
    ['a higher area by type', 'catalog/item.ts', "import type { A } from '../reading/note.ts';"],
    ['a higher area by re-export', 'catalog/item.ts', "export type { A } from '../reading/note.ts';"],
    ['a higher area loaded later', 'accounts/key.ts', "const a = await import('../office/audit.ts');"],
    ['a higher area by import type', 'accounts/key.ts', "type A = import('../office/audit.ts').A;"],
    ['an area of the same level', 'asking/ask.ts', "import { a } from '../selling/order.ts';"],
    ['an entry', 'office/audit.ts', "import { a } from '../app.ts';"],
    ['a page of another area', 'office/audit.page.tsx', "import { a } from '../selling/order.page.tsx';"],
    ['SQL of another area', 'office/audit.ts', "import { a } from '../selling/order.sql.ts';"],
    ['a use case in a rule', 'selling/order.rule.ts', "import { a } from './order.ts';"],
    [
      'a use case of a lower area in a rule',
      'selling/order.rule.ts',
      "import { a } from '../catalog/item.ts';",
    ],
    [
      'a Worker of a higher area',
      'catalog/artefact.ts',
      "new Worker(workerUrl('publishing/compiler.worker'));",
    ],
    ['a Worker by another URL', 'app.ts', "new Worker(new URL('./renderer.ts', import.meta.url));"],
    ['an unknown area', 'attic/box.ts', "import { Refusal } from '../platform/base/refusal.ts';"],
    ['an area that does not exist', 'office/audit.ts', "import { a } from '../attic/box.ts';"],
    ['a file outside of src', 'selling/demo.ts', "import { a } from '../../test/harness.ts';"],
    ['Elysia in a use case', 'asking/ask.ts', "import { Elysia } from 'elysia';"],
    ['a type of Elysia in a use case', 'asking/ask.ts', "import type { Elysia } from 'elysia';"],
    ['preact in a use case', 'asking/ask.ts', "import { h } from 'preact';"],
    ['SQLite in a use case', 'asking/ask.ts', "import { Database } from 'bun:sqlite';"],
    ['a part of a package away from home', 'asking/ask.ts', "import { parse } from 'csv-parse/sync';"],
    ['a package without a home', 'asking/ask.ts', "import _ from 'lodash';"],
    ['a scoped package without a home', 'asking/ask.ts', "import { a } from '@elysiajs/stream';"],
    ['I/O in a rule', 'catalog/path.rule.ts', "import { readFileSync } from 'node:fs';"],
    ['the end of the process', 'stall-program.ts', 'process.exit(1);'],
    ['a file of an unknown name', 'asking/ask.ts', 'await import(name);'],
    ['a file too long', 'asking/ask.ts', '\n'.repeat(500) + 'const a = 1;'],
    ['a name without a meaning', 'selling/utils.ts', ''],
    ['a folder without a meaning', 'platform/helpers/etag.ts', ''],
    ['a bound handler', 'agents/items.api.ts', `${elysia}new Elysia().get('/', list.bind(service));`],
    ['a named handler', 'agents/items.api.ts', `${elysia}new Elysia().get(ROUTE, list, { open: true });`],
    ['rest parameters', 'agents/items.api.ts', `${elysia}new Elysia().get('/', (...args) => list(args));`],
    [
      'a rest property',
      'agents/items.api.ts',
      `${elysia}new Elysia().post('/', ({ body, ...rest }) => list(rest));`,
    ],
    ['a function handler', 'agents/items.api.ts', `${elysia}new Elysia().get('/', function (ctx) {});`],
    ['a named hook', 'server.ts', `${elysia}new Elysia().onError(answer);`],
    [
      'a named macro hook',
      'platform/http/guards.ts',
      `${elysia}new Elysia().macro({ door: { resolve: identify } });`,
    ],
    [
      'a macro hook as a method',
      'platform/http/guards.ts',
      `${elysia}const door = {\n  resolve({ headers }) {\n  },\n};`,
    ],
  ])('%s', (_, path, source) => {
    expect(violationsOf(path, source)).toHaveLength(1);
  });

  test.each([
    ['its own area', 'asking/ask.api.ts', "import { a } from './ask.ts';"],
    ['a lower area', 'selling/order.ts', "import type { A } from '../accounts/grant.ts';"],
    ['the platform in a rule', 'selling/order.rule.ts', "import { a } from '../platform/base/text.ts';"],
    [
      'a part of a higher area on a page',
      'reading/note.page.tsx',
      "import { a } from '../selling/buy.part.tsx';",
    ],
    ['SQL of a lower area in SQL', 'selling/order.sql.ts', "import { a } from '../accounts/grant.sql.ts';"],
    ['all of an area in an entry', 'app.ts', "import { a } from './selling/selling.area.ts';"],
    ['the renderer started by the app', 'app.ts', "new Worker(workerUrl('renderer'));"],
    [
      'the writer started by the platform',
      'platform/store/write-queue.ts',
      "new Worker(workerUrl('writer'));",
    ],
    ['a Map read beside a handler', 'server.ts', `${elysia}names.get('a');`],
    [
      'arrows',
      'agents/items.api.ts',
      `${elysia}new Elysia().get('/', async ({ params: { slug } }) => list(slug));`,
    ],
  ])('and none for %s', (_, path, source) => {
    expect([...violationsOf(path, source)]).toEqual([]);
  });
});

test.each([
  [{ 'a.ts': ['b.ts'], 'b.ts': ['a.ts'] }, ['a.ts', 'b.ts']],
  [{ 'a.ts': ['b.ts'], 'b.ts': ['c.ts'], 'c.ts': ['b.ts'] }, ['b.ts', 'c.ts']],
  [{ 'a.ts': ['b.ts', 'c.ts'], 'b.ts': ['c.ts'], 'c.ts': [] }, []],
])('of files that load %j those in a circle are %j', (loads, circle) => {
  expect([...loadCirclesOf(new Map(Object.entries(loads)))]).toEqual(circle);
});
