import type { Database } from 'bun:sqlite';

/**
 * Tells when any process has committed: a number that stays as long as nobody has, however many connections there are.
 * It is read from the header of SQLite's wal-index, which every commit rewrites and every process maps (walformat.html
 * §2.1), so that a request need not ask the database at all; where memory cannot be mapped, `PRAGMA data_version` is asked.
 */
export function createCommitCounter(db: Database, file: string): () => number {
  const read = mapHeader(file) ?? askDatabase(db);
  let [seen, count] = [read(), 0];
  return () => {
    const now = read();
    if (now === seen) return count;
    seen = now;
    return ++count;
  };
}

/** The header's 32-bit words that differ from commit to commit: iChange, and the running checksum of the last frame. */
const [CHANGE, CHECKSUM_1, CHECKSUM_2] = [2, 6, 7];
const HEADER_WORDS = 12;

function mapHeader(file: string): (() => string) | null {
  try {
    const words = new Uint32Array(Bun.mmap(`${file}-shm`, { shared: true }).buffer, 0, HEADER_WORDS);
    return () => `${words[CHANGE]} ${words[CHECKSUM_1]} ${words[CHECKSUM_2]}`;
  } catch {
    return null;
  }
}

function askDatabase(db: Database): () => string {
  const version = db.prepare<{ readonly data_version: number }, []>('PRAGMA data_version');
  return () => String(version.get()?.data_version);
}
