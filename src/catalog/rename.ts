import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { itemDigest } from '../item/digest.ts';
import type { ItemFile } from '../item/item.ts';
import { comparePaths } from '../item/path.ts';
import { messageOf } from '../refusal.ts';
import {
  type ArchiveKind,
  type Artefact,
  artefactFile,
  artefactName,
  byArchiveKind,
  temporaryFile,
} from './artefact.ts';
import { compileArchives } from './compile.ts';
import { hashFile } from './hash.ts';
import { unpackTar } from './restore.ts';

/** An edition whose archives are to have another folder at their top: its tar body's file, and where the new ones go. */
export type Renaming = {
  readonly tarFile: string;
  readonly digest: string;
  readonly slug: string;
  readonly directory: string;
};

/** The archives of an edition under another slug, or why they could not be made. */
export type Renamed =
  { readonly artefacts: Readonly<Record<'tar' | 'zip', Artefact>> } | { readonly fault: string };

/** Makes an edition's archives again from its tar body, under another slug. Runs in a Worker; never throws. */
export async function renameArchives({ tarFile, digest, slug, directory }: Renaming): Promise<Renamed> {
  const folder = temporaryFile(directory);
  try {
    mkdirSync(folder, { mode: 0o700 });
    const files = [...(await unpackTar(tarFile, folder))]
      .sort(comparePaths)
      .map((path) => inspect(folder, path));
    if (itemDigest(files) !== digest) throw new Error('its archive holds other files');
    const names = byArchiveKind((kind) => nameOf(kind, slug, digest));
    const job = { folder, slug, files, packed: [], dataDirectory: directory, names };
    const { artefacts } = compileArchives(job);
    for (const unused of [artefacts.files, artefacts.pack])
      rmSync(artefactFile(directory, unused), { force: true });
    return { artefacts: { tar: artefacts.tar, zip: artefacts.zip } };
  } catch (cause) {
    return { fault: messageOf(cause) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function inspect(folder: string, path: string): ItemFile {
  const file = join(folder, path);
  const { size, sha256, text } = hashFile(file);
  return { path, size, sha256, text, executable: (statSync(file).mode & 0o100) !== 0 };
}

function nameOf(kind: ArchiveKind, slug: string, digest: string): string {
  return artefactName(kind, { kind: 'book', slug, language: null, aliases: {} }, digest, []);
}
