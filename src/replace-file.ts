import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** The mode of a replaced file: for the stall's own user alone. */
const MODE = 0o600;

/**
 * Replaces a file whole: a reader finds the old text or the new one. With `isSynced` the text is on disk before it gets its
 * name, so that a power cut leaves no empty file. The file belongs to the owner of its folder, also if root writes it. A write
 * that fails leaves the old file, and nothing beside it.
 */
export async function replaceFile(file: string, text: string, isSynced = false, mode = MODE): Promise<void> {
  const unfinished = nameBeside(file);
  try {
    // A file that was left there may have another mode, or be a link of another user that would lead root elsewhere.
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

/** Replaces a small file synchronously, with mode 0600 and without a sync. */
export function replaceFileSync(file: string, text: string): void {
  const unfinished = nameBeside(file);
  try {
    // A file that was left there may have another mode.
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

/** Returns the name of an unfinished file. Items leave such names out, since a kill may leave the file in an item's folder. */
const nameBeside = (file: string): string => join(dirname(file), `.#${basename(file)}.new`);
