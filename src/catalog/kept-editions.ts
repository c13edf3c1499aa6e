import { copyFile, link, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Artefact, artefactFile } from './artefact.ts';

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

/** Deletes kept tar bodies. */
export async function removeTars(dataDirectory: string, tars: readonly Artefact[]): Promise<void> {
  for (const tar of tars) await rm(artefactFile(keptDirectory(dataDirectory), tar), { force: true });
}
