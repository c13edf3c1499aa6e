// The part of a git pack that an item's files decide: their blobs and trees. Commits and what is made of item.yaml are put
// before it when it is sent.
import { END_OF_DEFLATE } from '../archive/deflate.ts';
import { adler32Combine, ADLER32_EMPTY } from '../git/adler32.ts';
import { createObjectHasher, type ObjectId } from '../git/object.ts';
import { entryHeader, packEntry, ZLIB_HEADER, zlibTrailer } from '../git/pack.ts';
import { createSideBand } from '../git/side-band.ts';
import { buildTrees, type TreeEntry } from '../git/tree.ts';
import type { ItemFile } from '../item/item.ts';
import type { HashingWriter } from './hashing-writer.ts';

/** The tree of the files in a pack's body, and how many objects it holds; null for no files. */
export type PackContent = { readonly tree: ObjectId; readonly objects: number } | null;

/** Takes a file's chunks, as they are and deflated. */
type BlobWriter = {
  readonly push: (chunk: Uint8Array, deflated: Uint8Array) => void;
  readonly end: () => void;
};

const NOTHING: BlobWriter = { push: () => {}, end: () => {} };

/** Writes a pack's body in side-band lines; files that are not in `packed` are left out. */
export function createPackBody(writer: HashingWriter, packed: ReadonlySet<ItemFile>) {
  const band = createSideBand(writer.write);
  const blobs = new Map<string, ObjectId>();
  const files: TreeEntry[] = [];
  let objects = 0;

  const createBlob = (file: ItemFile): BlobWriter => {
    const { path, size, sha256 } = file;
    const hasher = createObjectHasher('blob', size);
    let adler32 = ADLER32_EMPTY;
    objects++;
    band.push(entryHeader('blob', size));
    band.push(ZLIB_HEADER);
    return {
      push(chunk, deflated) {
        hasher.update(chunk);
        adler32 = adler32Combine(adler32, Bun.hash.adler32(chunk), chunk.length);
        band.push(deflated);
      },
      end() {
        band.push(END_OF_DEFLATE);
        band.push(zlibTrailer(adler32));
        const id = hasher.id();
        blobs.set(sha256, id);
        files.push({ path, id, mode: modeOf(file) });
      },
    };
  };

  return {
    /** Begins a file; of several with one content only the first is written, as packs have no object twice. */
    addFile(file: ItemFile): BlobWriter {
      if (!packed.has(file)) return NOTHING;
      const id = blobs.get(file.sha256);
      if (id === undefined) return createBlob(file);
      files.push({ path: file.path, id, mode: modeOf(file) });
      return NOTHING;
    },
    finish(): PackContent {
      const trees = buildTrees(files);
      if (files.length > 0) for (const tree of trees.objects) band.push(packEntry(tree));
      band.end();
      return files.length === 0 ? null : { tree: trees.root, objects: objects + trees.objects.length };
    },
  };
}

const modeOf = ({ executable }: ItemFile) => (executable ? '100755' : '100644');

export type PackBody = ReturnType<typeof createPackBody>;
