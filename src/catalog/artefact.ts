import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Chapter, Manifest } from '../item/item.ts';

export type ArtefactKind = 'tar' | 'zip' | 'files' | 'index';

/**
 * One compiled file in the data directory. `name` follows from what it was made of, `sha256` from its bytes.
 * `size` is its length in bytes; a tar body also has the CRC-32 and length of what was deflated. A large one has the
 * CRC-32 of every block, by which it is verified again while it is sent; a small one is sent from verified memory.
 */
export type Artefact = {
  readonly kind: ArtefactKind;
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
  readonly crc32: number;
  readonly rawSize: number;
  readonly blocks?: readonly number[];
};

/** Artefacts up to this size in bytes are kept in memory and sent with a Content-Length. */
export const MEMORY_LIMIT = 8 * 1024 * 1024;

/** Raised whenever the bytes that a compiler writes for the same item change. */
const FORMATS: Readonly<Record<ArtefactKind, number>> = { tar: 1, zip: 1, files: 1, index: 3 };

/** The artefact's name (contract §2): SHA-256 of kind, format, slug, item digest and, for the index, language and chapters. */
export function artefactName(
  kind: ArtefactKind,
  manifest: Manifest,
  digest: string,
  chapters: readonly Chapter[],
): string {
  const parts = [
    kind,
    FORMATS[kind],
    manifest.slug,
    digest,
    ...(kind === 'index' ? [manifest.language, chapters] : []),
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Where an artefact of this name lies. */
export function artefactFile(dataDirectory: string, artefact: Pick<Artefact, 'kind' | 'name'>): string {
  return join(dataDirectory, 'artefacts', artefact.name.slice(0, 2), `${artefact.name}.${artefact.kind}`);
}

/** A new path on the same file system, to be renamed into place when whole. */
export function temporaryFile(dataDirectory: string): string {
  const folder = join(dataDirectory, 'artefacts', 'new');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return join(folder, crypto.randomUUID());
}

/** A missing file is a broken artefact; whatever else the system says, too many open files for one, is not the artefact's fault. */
export function toBrokenArtefact(error: unknown, artefact: Artefact): unknown {
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
  return isMissing ? new BrokenArtefact(artefact) : error;
}

/** Thrown where an artefact's file is missing or not what was compiled. */
export class BrokenArtefact extends Error {
  override readonly name = 'BrokenArtefact';
  constructor(artefact: Artefact) {
    super(`Artefact ${artefact.name}.${artefact.kind} is missing or broken`);
  }
}
