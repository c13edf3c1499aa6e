import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { artefactFile } from '../../../src/catalog/artefact.ts';
import { createMadeFiles } from '../../../src/catalog/made-files.ts';
import { Refusal } from '../../../src/platform/base/refusal.ts';
import { createEbookQueue } from '../../../src/reading/ebook/ebook-queue.ts';
import { temporaryDirectory, until, writeFiles } from '../../helpers/harness.ts';

test('a chapter that takes too long is shown as it was written, and the others as ever', async () => {
  const [folder, directory] = [temporaryDirectory(), temporaryDirectory()];
  writeFiles(folder, { '1.md': '# One *a* <b>\n\n'.repeat(40_000), '2.txt': 'Two\n' });
  const start = () => new Worker(new URL('../../../src/renderer.ts', import.meta.url).href);
  const queue = createEbookQueue(directory, { start, limit: 1 });
  const chapter = (path: string) => ({ path, title: path, level: 1, part: null });
  const artefact = await queue.make({
    name: 'a'.repeat(64),
    directory,
    map: join(directory, 'map.json'),
    source: { folder },
    paths: ['1.md', '2.txt'],
    book: {
      id: 'x',
      title: 'X',
      authors: [],
      publisher: 'P',
      description: '',
      language: 'en',
      direction: 'ltr',
      license: null,
      tags: [],
      certifiedBy: null,
      modified: 0,
    },
    chapters: [chapter('1.md'), chapter('2.txt')],
    math: false,
    cover: null,
    drawing: '<svg xmlns="http://www.w3.org/2000/svg"/>',
  });
  queue.close();
  const files = unzipSync(new Uint8Array(readFileSync(artefactFile(directory, artefact))));
  const [one, two] = ['0001', '0002'].map((n) => Buffer.from(files[`EPUB/chapter-${n}.xhtml`]!).toString());
  expect(one).toContain('<p class="lines"># One *a* &lt;b&gt;</p>');
  expect(two).toContain('<p class="lines">Two</p>');
  expect(readdirSync(join(directory, 'work'))).toEqual([]);
});

test('while 64 e-books are being made, one more is refused as too many', async () => {
  const shelf = createMadeFiles(temporaryDirectory(), 'epub', () => new Refusal('overloaded', 'Busy'));
  let begun = 0;
  const open = (n: number) =>
    shelf.open(String(n).padStart(64, '0'), 'digest', () => (begun++, new Promise(() => {})));
  for (let n = 0; n < 64; n++) void open(n);
  await until(() => begun === 64);
  await expect(open(64)).rejects.toMatchObject({ kind: 'overloaded' });
  expect(begun).toBe(64);
});
