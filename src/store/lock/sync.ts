import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Error codes of systems that cannot sync a folder. */
const CANNOT_SYNC = ['EISDIR', 'EINVAL', 'EPERM', 'EACCES', 'ENOTSUP'];

/** Returns when the file's bytes are on disk. */
export function syncFile(file: string): void {
  const descriptor = openSync(file, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Returns when the names in a folder are on disk: those of files made, linked and renamed in it. */
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
