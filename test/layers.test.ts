import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { dependencies } from '../package.json';
import { FLOORS, HOMES, importsOf, violationsOf } from './layers.ts';

const SRC = join(import.meta.dir, '../src');
const files = [...new Bun.Glob('**/*.{ts,tsx}').scanSync(SRC)]
  .filter((path) => !path.endsWith('.d.ts'))
  .toSorted();

describe('the house', () => {
  test.each(files)('%s keeps to the plan', async (path) => {
    expect(violationsOf(path, await Bun.file(join(SRC, path)).text())).toEqual([]);
  });

  test('every first-level folder and file of src is on a floor', () => {
    const rooms = new Set(files.map((path) => path.split('/')[0] ?? ''));
    expect([...rooms].filter((room) => !FLOORS.flat().includes(room))).toEqual([]);
  });

  test('every dependency has a home', () => {
    expect(Object.keys(dependencies).filter((name) => HOMES[name] === undefined)).toEqual([]);
  });

  test('main.ts stays under 15 lines and loads production.ts first', async () => {
    const main = await Bun.file(join(SRC, 'main.ts')).text();
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
    ['an upper floor', 'store/keys.ts', "import { a } from '../service/keys.ts';"],
    ['an upper floor by type', 'item/item.ts', "import type { A } from '../catalog/edition.ts';"],
    ['an upper floor by re-export', 'item/item.ts', "export type { A } from '../catalog/edition.ts';"],
    ['an upper floor loaded later', 'store/keys.ts', "const a = await import('../http/server.ts');"],
    ['an upper floor by import type', 'store/keys.ts', "type A = import('../http/server.ts').Server;"],
    ['a room of the same floor', 'catalog/compile.ts', "import { buildIndex } from '../search/build.ts';"],
    ['a file of the same floor', 'app.ts', "import './compiler.ts';"],
    ['a Worker of an upper floor', 'catalog/compile.ts', "new Worker(workerUrl('compiler'));"],
    ['a Worker by another URL', 'app.ts', "new Worker(new URL('./compiler.ts', import.meta.url));"],
    ['an unknown room', 'attic/box.ts', "import { Refusal } from '../refusal.ts';"],
    ['a room that is not there', 'http/server.ts', "import { a } from '../attic/box.ts';"],
    ['a file outside of src', 'service/demo.ts', "import { a } from '../../test/harness.ts';"],
    ['another wing', 'http/site/home.ts', "import { items } from '../api/items.ts';"],
    ['another wing by type', 'http/agents/mcp.ts', "import type { A } from '../site/home.ts';"],
    ['a package away from home', 'service/ask.ts', "import { Elysia } from 'elysia';"],
    ['a type of a package away from home', 'service/ask.ts', "import type { Elysia } from 'elysia';"],
    ['a part of a package away from home', 'http/json.ts', "import { parse } from 'csv-parse/sync';"],
    ['a package outside of its wing', 'http/json.ts', "import { h } from 'preact';"],
    ['a package without a home', 'service/ask.ts', "import _ from 'lodash';"],
    ['a scoped package without a home', 'service/ask.ts', "import { a } from '@elysiajs/stream';"],
    ['SQLite away from home', 'service/ask.ts', "import { Database } from 'bun:sqlite';"],
    ['I/O on the pure floor', 'item/path.ts', "import { readFileSync } from 'node:fs';"],
    ['the end of the process', 'cli/cli.ts', 'process.exit(1);'],
    ['a file of an unknown name', 'service/ask.ts', 'await import(name);'],
    ['a file too long', 'service/ask.ts', '\n'.repeat(250) + 'const a = 1;'],
    ['a name without a meaning', 'service/utils.ts', ''],
    ['a folder without a meaning', 'http/helpers/etag.ts', ''],
    ['a bound handler', 'http/api/items.ts', `${elysia}new Elysia().get('/', list.bind(service));`],
    ['a named handler', 'http/api/items.ts', `${elysia}new Elysia().get(ROUTE, list, { openGuard: true });`],
    ['rest parameters', 'http/api/items.ts', `${elysia}new Elysia().get('/', (...args) => list(args));`],
    [
      'a rest property',
      'http/api/items.ts',
      `${elysia}new Elysia().post('/', ({ body, ...rest }) => list(rest));`,
    ],
    ['a function handler', 'http/api/items.ts', `${elysia}new Elysia().get('/', function (ctx) {});`],
    ['a named hook', 'http/server.ts', `${elysia}new Elysia().onError(answer);`],
    [
      'a named macro hook',
      'http/identity.ts',
      `${elysia}new Elysia().macro({ door: { resolve: identify } });`,
    ],
    [
      'a macro hook as a method',
      'http/identity.ts',
      `${elysia}const door = {\n  resolve({ headers }) {\n  },\n};`,
    ],
  ])('%s', (_, path, source) => {
    expect(violationsOf(path, source)).toHaveLength(1);
  });

  test.each([
    ['its own room', 'http/api/items.ts', "import { jsonAnswer } from '../json.ts';"],
    ['the wings from http itself', 'http/server.ts', "import { home } from './site/home.ts';"],
    ['a lower floor', 'cli/stall/key.ts', "import type { StoredKey } from '../../store/keys.ts';"],
    ['a package at home', 'service/grants.ts', "import { parse } from 'csv-parse/sync';"],
    ['the compiler started by the app', 'app.ts', "new Worker(workerUrl('compiler'));"],
    [
      'the writer started by its room',
      'store/write-queue.ts',
      "new Worker(workerUrl('store/writer/writer'));",
    ],
    ['a Map read beside a handler', 'http/server.ts', `${elysia}names.get('a');`],
    [
      'arrows',
      'http/api/items.ts',
      `${elysia}new Elysia().get('/', async ({ params: { slug } }) => list(slug));`,
    ],
  ])('and none for %s', (_, path, source) => {
    expect([...violationsOf(path, source)]).toEqual([]);
  });
});
