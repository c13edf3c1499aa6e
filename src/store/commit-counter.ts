import type { Database } from 'bun:sqlite';

/**
 * Tells when any process has committed: a number that stays as long as nobody has, however many connections there are.
 * It is read from the header of SQLite's wal-index, which every commit rewrites and every process maps (walformat.html
 * §2.1), so that a request need not ask the database at all; where memory cannot be mapped, `PRAGMA data_version` is asked.
 */
export function createCommitCounter(db: Database, file: string): () => number {
  const hasChanged = watchHeader(file) ?? askDatabase(db);
  let count = 0;
  return () => (hasChanged() ? ++count : count);
}

/** The header's 32-bit words that differ from commit to commit: iChange, and the running checksum of the last frame. */
const [CHANGE, CHECKSUM_1, CHECKSUM_2] = [2, 6, 7] as const;
const HEADER_WORDS = 12;

function watchHeader(file: string): (() => boolean) | null {
  const words = mapHeader(file);
  if (words === null) return null;
  let [change, checksum1, checksum2] = [words[CHANGE], words[CHECKSUM_1], words[CHECKSUM_2]];
  return () => {
    if (words[CHANGE] === change && words[CHECKSUM_1] === checksum1 && words[CHECKSUM_2] === checksum2)
      return false;
    [change, checksum1, checksum2] = [words[CHANGE], words[CHECKSUM_1], words[CHECKSUM_2]];
    return true;
  };
}

function mapHeader(file: string): Uint32Array | null {
  try {
    return new Uint32Array(Bun.mmap(`${file}-shm`, { shared: true }).buffer, 0, HEADER_WORDS);
  } catch {
    return null;
  }
}

function askDatabase(db: Database): () => boolean {
  const version = db.prepare<{ readonly data_version: number }, []>('PRAGMA data_version');
  let seen = version.get()?.data_version;
  return () => {
    const now = version.get()?.data_version;
    const hasChanged = now !== seen;
    seen = now;
    return hasChanged;
  };
}
