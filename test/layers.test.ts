import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { dependencies, devDependencies } from '../package.json';
import {
  APART,
  BESIDE,
  circlesOf,
  edgesOf,
  loadCirclesOf,
  loadsOf,
  HOMES,
  importsOf,
  LAYERS,
  ORDER,
  STARTS,
  violationsOf,
} from './layers.ts';

const SRC = join(import.meta.dir, '../src');
const files = [...new Bun.Glob('**/*.{ts,tsx,css,sql}').scanSync(SRC)].toSorted();
const sources = files
  .filter((path) => /(?<!\.d)\.tsx?$/.test(path))
  .map((path) => [path, readFileSync(join(SRC, path), 'utf8')] as const);
const modules = [...new Set(files.map((path) => path.split('/')[0] ?? ''))];

const readme = readFileSync(join(import.meta.dir, '../README.md'), 'utf8');

describe('layers and modules', () => {
  test.each(sources)('%s keeps to them', (path, source) => {
    expect(violationsOf(path, source)).toEqual([]);
  });

  test('every folder of an ordered module is in its order, and no other', () => {
    for (const [module, order] of Object.entries(ORDER)) {
      const folders = new Set(
        files.flatMap((path) =>
          path.split('/').length > 2 && path.startsWith(`${module}/`) ? (path.split('/')[1] ?? []) : [],
        ),
      );
      expect([...folders].toSorted()).toEqual(order.toSorted());
    }
  });

  test.each([
    ['writer.ts', './tables/keys.ts', []],
    [
      'publishing/check.ts',
      '../doctor/data.ts',
      ['service/publish/check.ts: service/publish comes before service/doctor'],
    ],
    ['office/doctor/data.ts', '../publish/check.ts', []],
    [
      'store/elsewhere/x.ts',
      '../tables/keys.ts',
      ['store/elsewhere/x.ts: store/elsewhere is not in the order of its module'],
    ],
  ])('in the order of folders %s importing %s is %j', (path, specifier, problems) => {
    expect(violationsOf(path, `import type { A } from '${specifier}';`)).toEqual(problems);
  });

  test('what an open stall is made of does not import it', () => {
    const importsOfFile = (path: string) =>
      edgesOf(path, readFileSync(join(SRC, path), 'utf8')).map(([, to]) => to);
    const parts = importsOfFile('platform/base/stall.ts').filter((path) => path.startsWith('service/'));
    expect(parts.filter((path) => importsOfFile(path).includes('platform/base/stall.ts'))).toEqual([]);
  });

  test('every module is on one layer, and every layer holds only modules that exist', () => {
    expect(LAYERS.flat().toSorted()).toEqual(modules.toSorted());
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

  test('folders of one module use each other in one direction only', () => {
    const circles = circlesOf(sources.flatMap(([path, source]) => edgesOf(path, source)));
    expect(circles).toEqual([]);
  });

  test('no file loads itself through others', () => {
    expect(loadCirclesOf(new Map(sources.map(([path, source]) => [path, loadsOf(path, source)])))).toEqual(
      [],
    );
  });

  test('every package has a home, and every home is a package in a folder that exists', () => {
    expect(Object.keys(HOMES).toSorted()).toEqual([...Object.keys(dependencies), 'bun:sqlite'].toSorted());
    const homes = Object.values(HOMES).flat();
    expect([...homes, ...APART].filter((home) => !existsSync(join(SRC, home)))).toEqual([]);
  });

  const exceptions = [
    ...[...Object.entries(BESIDE), ...Object.entries(STARTS)].flatMap(([from, files]) =>
      files.map((to) => [from, to] as const),
    ),
  ];

  test.each(exceptions)('%s, an exception, does use %s', (from, to) => {
    const [, source = ''] = sources.find(([path]) => path === from) ?? [];
    expect(source).toContain(to.replace(/\.ts$/, ''));
    expect(LAYERS.some((layer) => layer.includes(from) && layer.includes(to))).toBeTrue();
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
    expect(main).toStartWith("import './production.ts';\n");
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
    ['an upper layer', 'store/keys.ts', "import { a } from '../service/keys.ts';"],
    ['an upper layer by type', 'catalog/item.rule.ts', "import type { A } from '../catalog/edition.ts';"],
    [
      'an upper layer by re-export',
      'catalog/item.rule.ts',
      "export type { A } from '../catalog/edition.ts';",
    ],
    ['an upper layer loaded later', 'store/keys.ts', "const a = await import('../http/server.ts');"],
    ['an upper layer by import type', 'store/keys.ts', "type A = import('../http/server.ts').Server;"],
    [
      'a module of the same layer',
      'publishing/compile.ts',
      "import { buildIndex } from '../search/build.ts';",
    ],
    ['a file of the same layer', 'app.ts', "import './renderer.ts';"],
    ['a Worker of an upper layer', 'publishing/compile.ts', "new Worker(workerUrl('renderer'));"],
    ['a Worker by another URL', 'app.ts', "new Worker(new URL('./renderer.ts', import.meta.url));"],
    ['an unknown module', 'attic/box.ts', "import { Refusal } from '../refusal.ts';"],
    ['a module that does not exist', 'server.ts', "import { a } from '../attic/box.ts';"],
    ['a file outside of src', 'selling/demo.ts', "import { a } from '../../test/harness.ts';"],
    ['a folder apart', 'http/site/home.ts', "import { items } from '../api/items.ts';"],
    ['a folder apart by type', 'http/api/items.ts', "import type { A } from '../site/storefront/home.ts';"],
    ['a package away from home', 'asking/ask.ts', "import { Elysia } from 'elysia';"],
    ['a type of a package away from home', 'asking/ask.ts', "import type { Elysia } from 'elysia';"],
    [
      'a part of a package away from home',
      'platform/http/body.ts',
      "import { parse } from 'csv-parse/sync';",
    ],
    ['a package outside of its folder', 'platform/http/body.ts', "import { h } from 'preact';"],
    ['a package without a home', 'asking/ask.ts', "import _ from 'lodash';"],
    ['a scoped package without a home', 'asking/ask.ts', "import { a } from '@elysiajs/stream';"],
    ['SQLite away from home', 'asking/ask.ts', "import { Database } from 'bun:sqlite';"],
    ['I/O in a pure module', 'catalog/path.rule.ts', "import { readFileSync } from 'node:fs';"],
    ['the end of the process', 'stall-program.ts', 'process.exit(1);'],
    ['a file of an unknown name', 'asking/ask.ts', 'await import(name);'],
    ['a file too long', 'asking/ask.ts', '\n'.repeat(500) + 'const a = 1;'],
    ['a name without a meaning', 'service/utils.ts', ''],
    ['a folder without a meaning', 'http/helpers/etag.ts', ''],
    ['a bound handler', 'http/api/items.ts', `${elysia}new Elysia().get('/', list.bind(service));`],
    ['a named handler', 'http/api/items.ts', `${elysia}new Elysia().get(ROUTE, list, { open: true });`],
    ['rest parameters', 'http/api/items.ts', `${elysia}new Elysia().get('/', (...args) => list(args));`],
    [
      'a rest property',
      'http/api/items.ts',
      `${elysia}new Elysia().post('/', ({ body, ...rest }) => list(rest));`,
    ],
    ['a function handler', 'http/api/items.ts', `${elysia}new Elysia().get('/', function (ctx) {});`],
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
    ['its own module', 'http/api/items.ts', "import { jsonAnswer } from '../body.ts';"],
    ['the folders apart from beside them', 'server.ts', "import { home } from './site/home.ts';"],
    ['a lower layer', 'accounts/key.cli.ts', "import type { StoredKey } from '../../store/keys.ts';"],
    ['a package at home', 'accounts/grant.ts', "import { parse } from 'csv-parse/sync';"],
    ['the renderer started by the app', 'app.ts', "new Worker(workerUrl('renderer'));"],
    ['the writer started by its module', 'platform/store/write-queue.ts', "new Worker(workerUrl('writer'));"],
    ['a Map read beside a handler', 'server.ts', `${elysia}names.get('a');`],
    [
      'arrows',
      'http/api/items.ts',
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

describe('a circle of folders is named', () => {
  test.each([
    [
      'of two',
      [
        ['store/a/x.ts', 'store/b/x.ts'],
        ['store/b/y.ts', 'store/a/y.ts'],
      ],
      'store/a -> store/b -> store/a',
    ],
    [
      'of three',
      [
        ['m/a/x.ts', 'm/b/x.ts'],
        ['m/b/x.ts', 'm/c/x.ts'],
        ['m/c/x.ts', 'm/a/x.ts'],
      ],
      'm/a -> m/b -> m/c -> m/a',
    ],
    [
      'deeper',
      [
        ['m/s/a/x.ts', 'm/s/b/x.ts'],
        ['m/s/b/x.ts', 'm/s/a/x.ts'],
      ],
      'm/s/a -> m/s/b -> m/s/a',
    ],
    [
      'seen from above',
      [
        ['m/a/in/x.ts', 'm/b/x.ts'],
        ['m/b/x.ts', 'm/a/x.ts'],
      ],
      'm/a -> m/b -> m/a',
    ],
  ] as const)('%s', (_, edges, circle) => {
    expect(circlesOf(edges)).toContain(circle);
  });

  test.each([
    [
      'one direction',
      [
        ['m/a/x.ts', 'm/b/x.ts'],
        ['m/a/y.ts', 'm/c/x.ts'],
        ['m/b/x.ts', 'm/c/x.ts'],
      ],
    ],
    [
      'a file beside the folders',
      [
        ['m/a/x.ts', 'm/x.ts'],
        ['m/x.ts', 'm/a/x.ts'],
      ],
    ],
    [
      'modules, which layers order',
      [
        ['a/x.ts', 'b/x.ts'],
        ['b/x.ts', 'a/x.ts'],
      ],
    ],
  ] as const)('and none for %s', (_, edges) => {
    expect(circlesOf(edges)).toEqual([]);
  });
});
