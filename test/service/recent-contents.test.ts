import { expect, test } from 'bun:test';
import { openStall, itemYaml } from '../harness.ts';
import { createArtefactShelf } from '../../src/catalog/artefact-shelf.ts';
import { createRecentContents } from '../../src/service/artefacts.ts';

const FILES = {
  'books/heron/item.yaml': itemYaml({ id: 'heron' }),
  'books/heron/01.md': 'a'.repeat(100),
  'books/heron/02.md': 'b'.repeat(100),
  'books/heron/03.md': 'c'.repeat(200),
  'books/heron/04.md': 'd'.repeat(201),
};

test('contents are read once while they fit, those last used are kept, and large ones never are', async () => {
  const stall = await openStall({ files: FILES });
  const edition = stall.app.catalog().byBookId.get('heron')!;
  const shelf = createArtefactShelf(stall.data);
  let opened = 0;
  const contents = createRecentContents(
    {
      open: (_, kind) => {
        opened++;
        return shelf.open(edition.artefacts[kind]!);
      },
    },
    200,
  );
  const read = async (path: string): Promise<[first: string | undefined, opened: number]> => [
    (await contents(edition, path))[0],
    opened,
  ];
  expect(await read('01.md')).toEqual(['a', 1]);
  expect(await read('02.md')).toEqual(['b', 2]);
  expect(await read('01.md')).toEqual(['a', 2]);
  expect(await read('03.md')).toEqual(['c', 3]);
  expect(await read('01.md')).toEqual(['a', 4]);
  expect(await read('01.md')).toEqual(['a', 4]);
  expect(await read('04.md')).toEqual(['d', 5]);
  expect(await read('04.md')).toEqual(['d', 6]);
  expect(await read('01.md')).toEqual(['a', 6]);
  expect(await read('missing.md')).toEqual([undefined, 6]);
  await stall.close();
});
