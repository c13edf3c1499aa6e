import { type FSWatcher, statSync, watch } from 'node:fs';
import type { Log } from '../log.ts';

/** How long the tree must have been still, in milliseconds, before what changed is taken up. */
const QUIET = 2000;

/**
 * Calls `onQuiet` when something below the content directory changed and nothing has for `quiet` milliseconds. A
 * directory that is taken away and put back is watched again. Where the system cannot watch, it says so and asks for
 * `bookstall reindex`.
 */
export function watchContent(
  content: string,
  onQuiet: () => void,
  log: Log,
  quiet: number = QUIET,
): { close(): void } {
  let watcher: FSWatcher | null = null;
  let inode = 0n;
  let timer: ReturnType<typeof setTimeout> | null = null;

  const stir = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(onQuiet, quiet);
  };
  const listen = (): void => {
    watcher?.close();
    watcher = null;
    inode = inodeOf(content);
    if (inode === 0n) return;
    try {
      watcher = watch(content, { recursive: true }, stir);
      watcher.on('error', complain);
    } catch (error) {
      complain(error);
    }
  };
  const complain = (error: unknown): void =>
    log({
      event: 'watch-failed',
      message: `Cannot watch "${content}": ${error instanceof Error ? error.message : error}; changes are taken up by "bookstall reindex"`,
    });
  // A watch hangs on the directory and not on its name: one put in its place is a stranger.
  const guard = setInterval(() => {
    if (inodeOf(content) === inode) return;
    listen();
    stir();
  }, quiet);

  listen();
  return {
    close(): void {
      watcher?.close();
      clearInterval(guard);
      if (timer !== null) clearTimeout(timer);
    },
  };
}

function inodeOf(path: string): bigint {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? 0n;
}
