import { createContentDecoder } from '../../catalog/file-content.ts';
import type { OpenedFile } from './item-file.ts';

/** All decoded files kept together, in bytes. */
const MOST = 16 * 1024 * 1024;

/** A file's content, decoded at its first use. The object is the same for all who ask while it is kept. */
type DecodedFile = { readonly size: number; readonly read: () => Promise<Blob> };

/**
 * Files of items that are in memory, decoded once for all who are sent them: decoding them for each holds the main thread,
 * and leaves several times their length to the garbage collector. The least recently used are dropped beyond `MOST`.
 */
export function createDecodedFiles() {
  const kept = new Map<string, DecodedFile>();
  let bytes = 0;

  return (opened: OpenedFile, blob: Blob): DecodedFile => {
    const { edition, file } = opened;
    const key = `${edition.digest} ${file.path}`;
    const known = kept.get(key);
    kept.delete(key);
    const decoded = known ?? { size: file.size, read: decodeOnce(opened, blob) };
    kept.set(key, decoded);
    if (known === undefined) bytes += file.size;
    for (const [oldest, { size }] of kept) {
      if (bytes <= MOST) break;
      kept.delete(oldest);
      bytes -= size;
    }
    return decoded;
  };
}

function decodeOnce({ file }: OpenedFile, content: Blob): () => Promise<Blob> {
  let decoded: Promise<Blob> | undefined;
  const decode = async (): Promise<Blob> =>
    new Blob([createContentDecoder(file)(await content.bytes(), true)]);
  return () => (decoded ??= decode());
}
