import { expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestKeys } from '../src/item/manifest-key.ts';
import { defaultStallManifest } from '../src/item/stall-manifest.ts';

const PROJECT = join(import.meta.dir, '..');
const HANDBOOK = join(PROJECT, 'content/books/handbook');
const chapters = readdirSync(HANDBOOK).filter((name) => name.endsWith('.md'));
const read = (name: string): string => readFileSync(join(HANDBOOK, name), 'utf8');
const settings = read('4b-settings.md');

/** The names in the first column of the tables of a section. */
function named(heading: string): readonly string[] {
  const [, section = ''] = settings.split(`\n## ${heading}\n`);
  const [body = ''] = section.split('\n## ');
  const cells = [...body.matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell = '']) => cell);
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
}

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

test('the Handbook has at most 33,000 words', () => {
  const words = chapters.flatMap((name) =>
    read(name)
      .split(/\s+/)
      .filter((word) => word !== ''),
  );
  expect(words.length).toBeLessThanOrEqual(33_000);
});
