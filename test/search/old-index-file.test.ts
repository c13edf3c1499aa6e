import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildIndex, type Chapter } from '../../src/search/build.ts';
import { type Index, openIndex } from '../../src/search/query.ts';
import { buildOldIndex } from './old-index.ts';

const filler = (word: string): string => `${`The ${word} went on and on through the wood. `.repeat(30)}\n\n`;
const CHAPTERS: readonly Chapter[] = [
  {
    path: 'fox.md',
    title: null,
    content: `# The fox\n\nThe fox stole a goose.\n\n${filler('fox')}It sleeps in a den.`,
  },
  {
    path: 'owl.md',
    title: 'Owls',
    content: `${filler('owl')}The owl hunts [mice](mice.md) by night, foxes never.`,
  },
];

let folder: string;
let old: Index;
let next: Index;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'old-index-'));
  buildOldIndex(join(folder, 'old'), CHAPTERS);
  buildIndex(join(folder, 'next'), { language: 'en', chapters: CHAPTERS });
  [old, next] = [openIndex(join(folder, 'old')), openIndex(join(folder, 'next'))];
});
afterAll(() => {
  old.close();
  next.close();
  rmSync(folder, { recursive: true });
});

test.each(['Who stole the goose?', 'Where do foxes sleep?', 'the owl’s mice', 'goose wood', 'heron', ''])(
  'an index of the previous format answers as a new one does: %s',
  (question) => {
    expect(old.search(question, 8)).toEqual(next.search(question, 8));
  },
);
