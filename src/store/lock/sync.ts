import { closeSync, fsyncSync, openSync } from 'node:fs';

/** What a system says that cannot sync a folder: there its names are kept without. */
const CANNOT_SYNC = ['EISDIR', 'EINVAL', 'EPERM', 'EACCES', 'ENOTSUP'];

/** Kept when the file's bytes are on disk. */
export function syncFile(file: string): void {
  const descriptor = openSync(file, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Kept when the names in a folder are on disk: those of files made, linked and renamed in it. */
export function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && CANNOT_SYNC.includes(String(error.code)))) throw error;
  }
}
