// Writes the parts of a pack that depend on an item's files alone, blobs and trees. When the pack is sent, commits come
// before them, and for the served edition the files made from item.yaml.
import { END_OF_DEFLATE } from '../../catalog/archive/gzip.ts';
import type { ItemFile } from '../../catalog/item.rule.ts';
import { buildTrees, createObjectHasher, type ObjectId, type TreeEntry } from './object.ts';
import { ADLER32_EMPTY, adler32Combine, entryHeader, packEntry, ZLIB_HEADER, zlibTrailer } from './pack.ts';
import { createSideBand } from './packet-line.ts';

type BlobWriter = {
  readonly push: (chunk: Uint8Array, deflated: Uint8Array) => void;
  readonly end: () => void;
};

const NOTHING: BlobWriter = { push: () => {}, end: () => {} };

type PackedFile = Pick<ItemFile, 'path' | 'size' | 'sha256' | 'executable'>;

/** Writes the blobs and trees of a git pack in side-band lines, each object once. */
export function createPackBody(write: (line: Uint8Array) => void) {
  const band = createSideBand(write);
  const blobs = new Map<string, ObjectId>();
  const trees = new Set<ObjectId>();
  let files: TreeEntry[] = [];
  let objects = 0;

  const createBlob = (file: PackedFile): BlobWriter => {
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
    /** Begins a file. Writes nothing if it is not packed, or its content was written before. */
    addFile(file: PackedFile, isPacked = true): BlobWriter {
      if (!isPacked) return NOTHING;
      const id = blobs.get(file.sha256);
      if (id === undefined) return createBlob(file);
      files.push({ path: file.path, id, mode: modeOf(file) });
      return NOTHING;
    },
    /** Writes the trees of the files since the last call. Returns the id of the root tree; null if there were no files. */
    endTree(): ObjectId | null {
      if (files.length === 0) return null;
      const built = buildTrees(files);
      const fresh = built.objects.filter(({ id }) => !trees.has(id));
      for (const tree of fresh) {
        trees.add(tree.id);
        band.push(packEntry(tree));
      }
      objects += fresh.length;
      files = [];
      return built.root;
    },
    finish(): number {
      band.end();
      return objects;
    },
  };
}

const modeOf = ({ executable }: PackedFile) => (executable ? '100755' : '100644');
