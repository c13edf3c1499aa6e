import { expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CODES } from '../src/http/failure.ts';
import { TOOL_SHAPES } from '../src/http/shapes.ts';
import { manifestKeys } from '../src/item/manifest-key.ts';
import { defaultStallManifest } from '../src/item/stall-manifest.ts';
import { type } from './cli/type.ts';
import { openStall } from './harness.ts';

const PROJECT = join(import.meta.dir, '..');
const HANDBOOK = join(PROJECT, 'content/books/handbook');
const chapters = readdirSync(HANDBOOK).filter((name) => name.endsWith('.md'));
const read = (name: string): string => readFileSync(join(HANDBOOK, name), 'utf8');
const settings = read('4b-settings.md');

/** The first cells of the tables of a section, with the names in each. */
function cellsOf(heading: string, chapter: string): readonly (readonly string[])[] {
  const [, section = ''] = chapter.split(`\n## ${heading}\n`);
  const [body = ''] = section.split('\n## ');
  const cells = [...body.matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell = '']) => cell);
  return cells.map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
}

const named = (heading: string): readonly string[] => cellsOf(heading, settings).flat();

/** The routes of a cell, such as "`GET`, `POST /api/x`" and "`GET /api/x`, `…/y`". */
function routesOf(names: readonly string[]): readonly string[] {
  const methods = names.flatMap((name) => /^[A-Z]+/.exec(name) ?? []);
  const [first = '', ...others] = names.flatMap((name) => /[/…].*$/.exec(name) ?? []);
  const beside = first.slice(0, first.lastIndexOf('/'));
  const paths = [first, ...others.map((path) => path.replace('…', beside))];
  return paths.flatMap((path) => methods.map((method) => `${method} ${path}`));
}

test('the table of endpoints names every route of the API, and no other', async () => {
  const { app } = await openStall();
  const served = app.server.routes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '<$1>')}`);
  const isApi = (route: string) => route.includes(' /api/');
  const told = cellsOf('Endpoints', read('4c-api.md')).flatMap(routesOf);
  expect(told.filter(isApi).toSorted()).toEqual(served.filter(isApi).toSorted());
});

test('the table of MCP names every tool, and no other', () => {
  const told = cellsOf('The tools of MCP', read('3b-connect-your-agent.md')).flat();
  expect(told).toEqual(Object.keys(TOOL_SHAPES));
});

test('the table of errors names every code of a failure, and no other', () => {
  expect(cellsOf('Errors', read('4c-api.md')).flat().toSorted()).toEqual(CODES.toSorted());
});

test('the table of item.yaml names every key that an item may have, and no other', () => {
  const keys = [...Object.keys(manifestKeys.book), ...Object.keys(manifestKeys.skill)];
  expect([...named('item.yaml')].sort()).toEqual([...new Set(keys)].sort());
});

test('the table of stall.yaml names every key that a stall may have, and no other', () => {
  expect([...named('stall.yaml')].sort()).toEqual(Object.keys(defaultStallManifest).sort());
});

/** The variables in a text. Those of several providers, of tests and of files count as the one that they stand beside. */
function variablesIn(text: string): ReadonlySet<string> {
  const found = text.match(/BOOKSTALL_(?:\$\{[^}]+\}_)?[A-Z]+(?:_[A-Z]+)*(?!_?[A-Z]*_?\$)/g) ?? [];
  const provider = /_(?:\$\{[^}]+\}|STRIPE|POLAR|LEMONSQUEEZY|GUMROAD)_/;
  return new Set(found.map((name) => name.replace(provider, '_PROVIDER_').replace(/_(?:FILE|TEST)$/, '')));
}

test('the tables of variables name every one that the program reads, and no other', async () => {
  const sources = await Array.fromAsync(new Bun.Glob('src/**/*.{ts,tsx}').scan(PROJECT));
  const code = sources.map((path) => readFileSync(join(PROJECT, path), 'utf8')).join('\n');
  expect([...variablesIn(settings)].sort()).toEqual([...variablesIn(code)].sort());
});

test.each(chapters)('the links of %s lead to chapters and headings that are there', (name) => {
  const idsOf = (text: string) =>
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    );
  for (const [link, target = '', id] of read(name).matchAll(/\]\(([\w-]+\.md)?(?:#([^)]+))?\)/g)) {
    expect(existsSync(join(HANDBOOK, target || name)), link).toBeTrue();
    if (id !== undefined) expect(idsOf(read(target || name)), link).toContain(id);
  }
});

test.each(['README.md', 'CONTRIBUTING.md'])('the links of %s lead to files that are there', (name) => {
  const links = [...readFileSync(join(PROJECT, name), 'utf8').matchAll(/\]\((?!https?:)([^)#]+)/g)];
  expect(links.filter(([, path = '']) => !existsSync(join(PROJECT, path)))).toEqual([]);
});

test('the Handbook has at most 34,900 words', () => {
  const words = chapters.flatMap((name) =>
    read(name)
      .split(/\s+/)
      .filter((word) => word !== ''),
  );
  expect(words.length).toBeLessThanOrEqual(34_900);
});

test('questions.yaml of each book in content names sections that are there', async () => {
  const { out } = await type(['check', '--json', '--content', join(PROJECT, 'content')]);
  const entries = JSON.parse(out) as { questions: object | null; problems: { sentence: string }[] }[];
  expect(entries.filter(({ questions }) => questions !== null)).toHaveLength(3);
  expect(entries.flatMap(({ problems }) => problems)).toEqual([]);
});
