import { existsSync, lstatSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { itemDigest } from '../item/digest.ts';
import { quote } from '../item/problem.ts';
import { type Change, compareFiles, type Manifest, type Manifests, readFolder } from './manifest.ts';

/** An installed folder and its changes; `manifest` is null if another program unpacked it, such as tar. */
export type FolderStatus = {
  readonly manifest: Manifest | null;
  readonly digest: string;
  readonly changes: readonly Change[];
};

/** Compares a folder with its installed files. Null if it is not known which these were. */
export async function inspectFolder(manifests: Manifests, folder: string): Promise<FolderStatus | null> {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return null;
  const manifest = await manifests.find(folder);
  if (manifest !== null)
    return {
      manifest,
      digest: manifest.digest,
      changes: compareFiles(manifest.files, await readFolder(folder)),
    };
  const digest = await readDigest(join(folder, '.svc-install'));
  if (digest === null) return null;
  const isSame = itemDigest(await readFolder(folder)) === digest;
  // The record has no list of files, so none can be named.
  return { manifest, digest, changes: isSame ? [] : [{ path: '.', change: 'changed' }] };
}

async function readDigest(record: string): Promise<string | null> {
  if (!existsSync(record)) return null;
  return /"digest":"sha256:([0-9a-f]{64})"/.exec(await readFile(record, 'utf8'))?.[1] ?? null;
}

const WORDS: Readonly<Record<Change['change'], string>> = {
  changed: 'was changed',
  mode: 'has another mode',
  missing: 'is missing',
  added: 'was added',
};

/** Changes in words, the first ten of them. */
export function listChanges(changes: readonly Change[]): string {
  const named = changes.slice(0, 10).map(describeChange);
  return [...named, ...(changes.length > 10 ? [`${changes.length - 10} more differ`] : [])].join(', ');
}

export function describeChange({ path, change }: Change): string {
  return `${path === '.' ? 'a file in it' : quote(path)} ${WORDS[change]}`;
}
