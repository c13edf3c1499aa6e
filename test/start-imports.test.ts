// The server's start is short as long as its main thread loads no more than it needs: packages that only Workers or single
// requests use cost 10 ms and 5 MB each.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const SRC = join(import.meta.dir, '../src');
/**
 * The files that `serve` loads before it listens: the program, the stall, and the server that app.ts loads at
 * the same time.
 */
const STARTED = ['main.ts', 'app.ts', 'server.ts'];

const scanners = { ts: new Bun.Transpiler({ loader: 'ts' }), tsx: new Bun.Transpiler({ loader: 'tsx' }) };

/** The packages and modules of the runtime that files import as they are loaded, not later and not as types. */
function loadedBy(files: readonly string[]): ReadonlySet<string> {
  const seen = new Set(files);
  const packages = new Set<string>();
  for (const file of seen) {
    const source = readFileSync(join(SRC, file), 'utf8');
    for (const { path, kind } of scanners[file.endsWith('x') ? 'tsx' : 'ts'].scanImports(source)) {
      if (kind !== 'import-statement') continue;
      if (!path.startsWith('.')) packages.add(path);
      else if (/\.tsx?$/.test(path)) seen.add(join(dirname(file), path));
    }
  }
  return packages;
}

const loaded = loadedBy(STARTED);

test.each([
  'node:http',
  'node:tls',
  'node:zlib',
  '@anthropic-ai/sdk',
  '@modelcontextprotocol/server',
  '@zxcvbn-ts/language-common',
  'csv-parse/sync',
  'fflate',
  'highlight.js/lib/common',
  'htmlparser2',
  'mammoth',
  'markdown-it',
  'node:child_process',
  'node:stream/promises',
])('a start loads no %s', (name) => {
  expect([...loaded].filter((one) => one === name || one.startsWith(`${name}/`))).toEqual([]);
});

test('what is loaded is seen: a start loads Elysia', () => {
  expect(loaded).toContain('elysia');
});

test("the writer's thread loads SQLite, and nothing that brings the streams of Node with it", () => {
  const modules = [...loadedBy(['writer.ts'])].toSorted();
  expect(modules).toEqual(['bun:sqlite', 'node:fs', 'node:path', 'node:url']);
});

test('a renderer loads what renders Markdown alone; code brings its highlighter', () => {
  const modules = [...loadedBy(['renderer.ts'])].toSorted();
  expect(modules).toEqual([
    'htmlparser2',
    'markdown-it',
    'markdown-it-footnote',
    'node:buffer',
    'node:crypto',
    'node:fs',
    'node:path',
  ]);
});

test("the reader's program, which npx fetches, brings no package but what reads a stall's stream and ranges", () => {
  const modules = [...loadedBy(['reader.ts'])].filter((name) => !name.startsWith('node:'));
  const packages = new Set(modules.map((name) => name.split('/')[0]));
  expect(packages).toEqual(new Set(['eventsource-parser', 'semver']));
});
