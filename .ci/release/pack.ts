import { tarHeader, tarPadding, TAR_END } from '../../src/catalog/archive/tar.ts';
import { deflateChunk } from '../../src/catalog/archive/gzip.ts';
import { createZip } from '../../src/catalog/archive/zip.ts';

/** A file of an archive, or a folder if its path ends in a slash; the path is below the archive's one folder. */
export type PackedFile = { readonly path: string; readonly bytes: Uint8Array; readonly executable: boolean };

/** Makes a file that anyone may read. */
export function readable(path: string, content: string | Uint8Array): PackedFile {
  return { path, bytes: typeof content === 'string' ? Buffer.from(content) : content, executable: false };
}

/** Makes a file that anyone may run. */
export function executable(path: string, content: string | Uint8Array): PackedFile {
  return { ...readable(path, content), executable: true };
}

const CHUNK = 1 << 20;

/** Packs files as a .tar.gz below `folder`; equal files give equal bytes at any time. */
export function packTarGz(folder: string, files: readonly PackedFile[]): Uint8Array {
  const blocks = files.flatMap(({ path, bytes, executable }) => [
    tarHeader(`${folder}/${path}`, bytes.length, executable),
    bytes,
    tarPadding(bytes.length),
  ]);
  return Bun.gzipSync(Buffer.concat([...blocks, TAR_END]), { level: 6 });
}

/** Packs files as a .zip below `folder`, for Windows. */
export function packZip(folder: string, files: readonly PackedFile[]): Uint8Array {
  const pieces: Uint8Array[] = [];
  const zip = createZip((piece) => pieces.push(piece));
  for (const { path, bytes, executable } of files) {
    const file = zip.addFile({ path: `${folder}/${path}`, executable });
    for (let at = 0; at < bytes.length; at += CHUNK) file.push(deflateChunk(bytes.subarray(at, at + CHUNK)));
    file.end({ crc32: Bun.hash.crc32(bytes), size: bytes.length });
  }
  zip.finish();
  return Buffer.concat(pieces);
}
