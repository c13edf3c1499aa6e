import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const MODE = 0o600;

/**
 * Replaces a whole file: others read either the old text or the new one. If `isSynced`, the text is on disk before the file
 * gets its name, so that a power cut leaves no empty file. If root writes the file, it gets the owner of its folder. If writing
 * fails, the old file stays, and the unfinished one is deleted.
 */
export async function replaceFile(
  file: string,
  text: string,
  { isSynced = false, mode = MODE }: { readonly isSynced?: boolean; readonly mode?: number } = {},
): Promise<void> {
  const unfinished = nameBeside(file);
  try {
    // Deletes what a killed process left: a file with another mode, or a symbolic link that another user made to mislead root.
    await rm(unfinished, { force: true });
    const handle = await open(unfinished, 'wx', mode);
    try {
      await handle.chmod(mode);
      if (process.getuid?.() === 0) {
        const { uid, gid } = await stat(dirname(file));
        await handle.chown(uid, gid);
      }
      await handle.writeFile(text);
      if (isSynced) await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {});
    throw error;
  }
}

export function replaceFileSync(file: string, text: string): void {
  const unfinished = nameBeside(file);
  try {
    // A killed process may have left the file with another mode.
    rmSync(unfinished, { force: true });
    writeFileSync(unfinished, text, { mode: MODE, flag: 'wx' });
    renameSync(unfinished, file);
  } catch (error) {
    try {
      rmSync(unfinished, { force: true });
    } catch {
      // The first error, which is thrown below, says more.
    }
    throw error;
  }
}

/** Names the unfinished file. A kill may leave it in an item's folder, so `ignore.rule.ts` keeps such names out of items. */
const nameBeside = (file: string): string => join(dirname(file), `.#${basename(file)}.new`);
