import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { check } from '../../src/app.ts';
import { itemYaml, temporaryDirectory, writeFiles } from '../harness.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test('check names the pictures that a book shows and its EPUB leaves out', async () => {
  const directory = temporaryDirectory();
  const book = {
    '1.md': '![a](art/a.png) ![b](art/b.avif) ![c](art/c.svg) ![d](art/d.svg) ![e](art/e.jpg)\n',
    'art/a.png': PNG,
    'art/b.avif': 'avif',
    'art/c.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'art/d.svg': '<svg><g></svg>',
    'art/e.jpg': 'not a picture',
    'art/unused.avif': 'avif',
    'front.avif': 'avif',
  };
  const named = (slug: string) =>
    Object.fromEntries(Object.entries(book).map(([path, text]) => [`books/${slug}/${path}`, text]));
  writeFiles(join(directory, 'content'), {
    'books/made/item.yaml': itemYaml({ id: 'made', cover: 'front.avif' }),
    ...named('made'),
    'books/own/item.yaml': itemYaml({ id: 'own', formats: '[own.epub]' }),
    'books/own/own.epub': 'PK',
    ...named('own'),
    'skills/tool/item.yaml': itemYaml(),
    'skills/tool/SKILL.md': '---\nname: tool\ndescription: A tool.\n---\n\n![a](a.avif)\n',
    'skills/tool/a.avif': 'avif',
  });
  const entries = await check(join(directory, 'content'));
  const found = entries.flatMap(({ slug, problems }) =>
    problems
      .filter(({ code }) => code === 'epub-picture')
      .map(({ severity, path }) => `${severity} ${slug} ${path}`),
  );
  expect(found).toEqual([
    'warning made art/b.avif',
    'warning made art/d.svg',
    'warning made art/e.jpg',
    'warning made front.avif',
  ]);
});
