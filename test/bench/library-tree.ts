// A made-up content directory: 100 items, 10,000 files, 1 GB, the same at every run.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom } from './random.ts';

const ITEMS = 100;
const FILES_PER_ITEM = 100;
const FILE_SIZE = 100_000;

const WORDS =
  'the of a heron marsh ledger binding and to in tide paper is press was that fold stone it with for letter spring wall harbour lantern by on this thread margin ink when ship'.split(
    ' ',
  );

/** Writes the tree; a tenth of the items are books of prose, the rest skills with scripts, data and already packed images. */
export function writeLibraryTree(content: string): void {
  const random = createRandom(20261120);
  const prose = Buffer.from(
    Array.from({ length: 400_000 }, () => WORDS[Math.floor(random() * WORDS.length)])
      .join(' ')
      .replace(/(.{900,1100}) /g, '$1\n\n'),
  );
  const packed = Buffer.alloc(2_000_000);
  for (let at = 0; at < packed.length; at += 4) packed.writeUInt32LE(Math.floor(random() * 2 ** 32), at);
  for (let item = 0; item < ITEMS; item++) {
    const isBook = item % 10 === 0;
    const slug = `item-${item}`;
    const folder = join(content, isBook ? 'books' : 'skills', slug);
    for (let part = 0; part < 10; part++) mkdirSync(join(folder, `part-${part}`), { recursive: true });
    writeFileSync(
      join(folder, 'item.yaml'),
      `${isBook ? `id: ${slug}\n` : ''}title: ${slug}\ndescription: Made up\npublisher: Bench\nunitAmountCents: 0\n`,
    );
    if (!isBook) writeFileSync(join(folder, 'SKILL.md'), `---\nname: ${slug}\ndescription: Made up.\n---\n`);
    for (let file = 0; file < FILES_PER_ITEM; file++) {
      const size = Math.floor(FILE_SIZE * (0.5 + random()));
      const isImage = file % 4 === 3;
      const source = isImage ? packed : prose;
      const at = Math.floor(random() * (source.length - size));
      writeFileSync(
        join(folder, `part-${file % 10}`, `${file}.${isImage ? 'png' : 'md'}`),
        source.subarray(at, at + size),
      );
    }
  }
}
