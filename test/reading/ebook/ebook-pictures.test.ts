import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { check } from '../../../src/publishing/publishing-session.ts';
import { itemYaml, temporaryDirectory, writeFiles } from '../../helpers/harness.ts';

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

test('check counts the pictures without a description that texts show, not those in code', async () => {
  const text = '![](a.png) ![ ](a.png) ![A][r] ![][r]\n\n`![](a.png)`\n\n[r]: a.png\n';
  const directory = temporaryDirectory();
  const files = {
    'books/net/item.yaml': itemYaml({ id: 'net' }),
    'books/net/1.md': text,
    'books/net/a.png': PNG,
  };
  writeFiles(directory, files);
  const entries = await check(directory);
  const found = entries.flatMap(({ problems }) =>
    problems.filter(({ code }) => code === 'undescribed-picture'),
  );
  expect(found.map(({ sentence }) => sentence.split(',')[0])).toEqual([
    '3 pictures of the texts have no description',
  ]);
});

const JPEG = Buffer.concat([
  Buffer.of(0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0),
  Buffer.alloc(40, 7),
  Buffer.of(0xff, 0xd9),
]);
const GIF = Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(40, 7), Buffer.from(';')]);
const WEBP = Buffer.concat([
  Buffer.from('RIFF'),
  Buffer.of(32, 0, 0, 0),
  Buffer.from('WEBP'),
  Buffer.alloc(28, 7),
]);

test.each([
  ['png', PNG],
  ['jpg', JPEG],
  ['gif', GIF],
  ['webp', WEBP],
])(
  'check names a .%s that is cut short, and not a whole one, with bytes behind its end or not',
  async (ending, whole) => {
    const content = temporaryDirectory();
    writeFiles(content, {
      'books/b/item.yaml': itemYaml({ id: 'b', formats: '[own.epub]' }),
      'books/b/own.epub': 'PK',
      'books/b/1.md': ['whole', 'more', 'cut', 'short']
        .map((name) => `![${name}](${name}.${ending})`)
        .join('\n\n'),
      [`books/b/whole.${ending}`]: whole,
      [`books/b/more.${ending}`]: Buffer.concat([whole, Buffer.alloc(100)]),
      [`books/b/cut.${ending}`]: whole.subarray(0, -2),
      [`books/b/short.${ending}`]: whole.subarray(0, 13),
      [`books/b/unused.${ending}`]: whole.subarray(0, 13),
    });
    const [{ problems } = { problems: [] }] = (await check(content)).filter(({ kind }) => kind === 'book');
    const found = problems.filter(({ code }) => code === 'picture-cut').map(({ path }) => path);
    expect(found.toSorted()).toEqual([`cut.${ending}`, `short.${ending}`]);
  },
);

test('check names each text of a book that shows a picture which is missing, or is one by another case alone', async () => {
  const content = temporaryDirectory();
  writeFiles(content, {
    'books/b/item.yaml': itemYaml({ id: 'b' }),
    'books/b/one/1.md':
      '![a](../art/a.png) ![b](../art/B.png) `![c](c.png)` ![d](https://d.example/d.png) ![e](e%20f.png)\n',
    'books/b/2.md': 'A picture: ![lost][lost]\n\n[lost]: art/lost.svg\n',
    'books/b/art/a.png': PNG,
    'books/b/art/b.png': PNG,
    'books/b/one/e f.png': PNG,
  });
  const [{ problems } = { problems: [] }] = (await check(content)).filter(({ kind }) => kind === 'book');
  const found = problems.map(
    ({ code, severity, path, sentence }) => `${severity} ${code} ${path} ${sentence}`,
  );
  expect(found).toEqual([
    'warning missing-picture 2.md The picture "art/lost.svg", which this text shows, is no distributed file',
    'warning missing-picture one/1.md The picture "art/B.png", which this text shows, is no distributed file',
  ]);
});
