import {
  crc32Combine,
  createSplice,
  deflateChunk,
  END_OF_DEFLATE,
  headSize,
  TRAILER,
} from '../../../src/catalog/archive/gzip.ts';
import { installRecord, installRecordEntry } from '../../../src/installing/install-record.ts';
import { TAR_END, tarHeader, tarPadding } from '../../../src/catalog/archive/tar.ts';
import { createZip } from '../../../src/catalog/archive/zip.ts';

export interface TreeFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly executable: boolean;
}

export const SLUG = 'field-notes';

export const RECORD = installRecord({
  service: 'https://stall.example',
  kind: 'book',
  id: 'b-1',
  slug: SLUG,
  version: '1.10',
  digest: 'ab'.repeat(32),
  signer: null,
  fetchedAt: new Date(Date.UTC(2026, 10, 20, 15, 4, 5, 678)),
  fetchId: '2f1d9c58-4b1e-4b8e-9f43-2d5a1c0a7b11',
  subscriberId: null,
});

export const recordFile: TreeFile = {
  path: '.svc-install',
  bytes: new TextEncoder().encode(RECORD),
  executable: false,
};

function chunksOf(bytes: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
    bytes.subarray(i * size, (i + 1) * size),
  );
}

/** The tar entries of `files`, each under `<slug>/`, and the end of the archive; without the install record. */
export function tarBody(files: readonly TreeFile[]): Uint8Array<ArrayBuffer> {
  const entries = files.flatMap(({ path, bytes, executable }) => [
    tarHeader(`${SLUG}/${path}`, bytes.length, executable),
    bytes,
    tarPadding(bytes.length),
  ]);
  return new Uint8Array(Buffer.concat([...entries, TAR_END]));
}

/** The install answer as a compiler and a request make it together: chunks deflated apart, CRC-32 by combination. */
export function tarGz(
  files: readonly TreeFile[],
  chunkSize = 65_536,
  encode = deflateChunk,
): Uint8Array<ArrayBuffer> {
  const chunks = chunksOf(tarBody(files), chunkSize);
  const crc32 = chunks.reduce((crc, chunk) => crc32Combine(crc, Bun.hash.crc32(chunk), chunk.length), 0);
  const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const deflated = Buffer.concat([...chunks.map(encode), END_OF_DEFLATE]);
  return spliced(installRecordEntry(SLUG, RECORD), deflated, { crc32, size });
}

/** One member of a first part and a deflated body, of which CRC-32 and size when inflated are given. */
export function spliced(
  first: Uint8Array,
  deflated: Uint8Array,
  body: Parameters<typeof createSplice>[0],
): Uint8Array<ArrayBuffer> {
  const member = new Uint8Array(headSize(first.length) + deflated.length + TRAILER);
  member.set(deflated, headSize(first.length));
  createSplice(body)(member)(first);
  return member;
}

/** The zip of `files`, each under `<slug>/`. */
export function zipOf(
  files: readonly TreeFile[],
  chunkSize = 65_536,
  encode = deflateChunk,
): Uint8Array<ArrayBuffer> {
  const pieces: Uint8Array[] = [];
  const zip = createZip((bytes) => pieces.push(bytes));
  for (const { path, bytes, executable } of files) {
    const file = zip.addFile({ path: `${SLUG}/${path}`, executable });
    for (const chunk of chunksOf(bytes, chunkSize)) file.push(encode(chunk));
    file.end({ crc32: Bun.hash.crc32(bytes), size: bytes.length });
  }
  zip.finish();
  return new Uint8Array(Buffer.concat(pieces));
}

function file(path: string, content: string | Uint8Array, executable = false): TreeFile {
  return {
    path,
    bytes: typeof content === 'string' ? new TextEncoder().encode(content) : content,
    executable,
  };
}

function noise(size: number): Uint8Array {
  let state = 1;
  return Uint8Array.from(
    { length: size },
    () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) >>> 24,
  );
}

const deep = (size: number) => 'deep-folder/'.repeat(30).slice(0, size - 5) + 'z.txt';
const pathOf = (size: number) => deep(size - SLUG.length - 1);

/** Every kind of file at once: empty, small, several chunks, noise, scripts, and names at the borders of ustar. */
export const everyKind: readonly TreeFile[] = [
  file('a-empty.txt', ''),
  file('b-one.txt', 'One line\n'),
  file('c-block.bin', new Uint8Array(512).fill(7)),
  file('d-long.md', 'The owl slept; the otter did not. '.repeat(9_000)),
  file('e-noise.bin', noise(200_001)),
  file('f-run.sh', '#!/bin/sh\necho run\n', true),
  file('g-Übergröße/章/한글 🦉.txt', 'Names\n'),
  file(`h-${'n'.repeat(249)}.txt`, 'One name of 255 bytes\n'),
  ...[99, 100, 101, 155, 156, 255, 256, 257, 300].map((size) =>
    file(pathOf(size), `A path of ${size} bytes\n`),
  ),
];
