import { copyFile, link, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Artefact, artefactFile, fileNameOf, isArtefactFileName } from './artefact.ts';

/** The directory of kept tar bodies, laid out like a data directory's own artefacts. */
export function keptDirectory(dataDirectory: string): string {
  return join(dataDirectory, 'kept');
}

/** Keeps a tar body after its edition is superseded: a hard link, or a copy if the file system has none. */
export async function keepTar(dataDirectory: string, tar: Artefact): Promise<void> {
  const [from, to] = [artefactFile(dataDirectory, tar), artefactFile(keptDirectory(dataDirectory), tar)];
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await link(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return;
    if (error.code === 'ENOENT' || error.code === 'ENOSPC') throw error;
    await copyFile(from, to);
  });
}

/** A body in the directory of kept ones. */
type KeptBody = { readonly name: string; readonly file: string };

/** Lists the kept bodies by their file names; see `fileNameOf`. */
export async function listKeptBodies(dataDirectory: string): Promise<readonly KeptBody[]> {
  const root = join(keptDirectory(dataDirectory), 'artefacts');
  const bodies: KeptBody[] = [];
  for (const folder of await readdir(root).catch(() => []))
    for (const name of await readdir(join(root, folder)).catch(() => []))
      if (isArtefactFileName(name)) bodies.push({ name, file: join(root, folder, name) });
  return bodies;
}

/** The size of a body in bytes; 0 for one that was deleted in between. */
export async function sizeOfBody({ file }: KeptBody): Promise<number> {
  return (await stat(file).catch(() => null))?.size ?? 0;
}

/** The file name of a tar whose artefact is given as JSON. */
export function keptFileName(tar: string): string {
  return fileNameOf(JSON.parse(tar) as Artefact);
}

/** Deletes kept tar bodies. */
export async function removeTars(dataDirectory: string, tars: readonly Artefact[]): Promise<void> {
  for (const tar of tars) await rm(artefactFile(keptDirectory(dataDirectory), tar), { force: true });
}
