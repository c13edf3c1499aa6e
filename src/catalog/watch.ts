import { type FSWatcher, lstatSync, statSync, watch } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Log } from '../log.ts';
import { messageOf } from '../refusal.ts';

/** How long the tree must have been still, in milliseconds, before what changed is taken up. */
const QUIET = 2000;

/**
 * Calls `onQuiet` when something below the content directory changed and nothing has for `quiet` milliseconds. A
 * directory that is taken away and put back is watched again. Where the system cannot watch, it says so and asks for
 * `bookstall reindex`. What happens below `except`, a data directory that lies inside, is nobody's edit.
 */
export function watchContent(
  content: string,
  except: string,
  onQuiet: () => void,
  log: Log,
  quiet: number = QUIET,
): { close(): void } {
  let watchers: readonly FSWatcher[] = [];
  let identity = '';
  let timer: ReturnType<typeof setTimeout> | null = null;

  const stir = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(onQuiet, quiet);
  };
  const listen = (): void => {
    for (const watcher of watchers) watcher.close();
    identity = identityOf(content);
    watchers = rootsOf(content).flatMap(listenTo);
  };
  const listenTo = (root: string): readonly FSWatcher[] => {
    try {
      const own = relative(root, except);
      // Bun names nothing, against its types, where the watched directory itself goes.
      const onEvent = (_: string, name?: string | null): void => {
        if (!name || (name !== own && !name.startsWith(own + sep))) stir();
      };
      return [watch(root, { recursive: true }, onEvent).on('error', complain)];
    } catch (error) {
      complain(error);
      return [];
    }
  };
  const complain = (error: unknown): void =>
    log({
      event: 'watch-failed',
      message: `Cannot watch "${content}": ${messageOf(error)}; changes are taken up by "bookstall reindex"`,
    });
  // A watch hangs on the directory and not on its name: one put in its place is a stranger.
  const guard = setInterval(() => {
    if (identityOf(content) === identity) return;
    listen();
    stir();
  }, quiet);

  listen();
  return {
    close(): void {
      for (const watcher of watchers) watcher.close();
      clearInterval(guard);
      if (timer !== null) clearTimeout(timer);
    },
  };
}

/** What there is to watch: the content directory and, since a watch follows no links, each of its shelves that is one. */
function rootsOf(content: string): readonly string[] {
  const linked = ['books', 'skills'].map((shelf) => join(content, shelf)).filter(isLink);
  return [content, ...linked].filter((root) => inodeOf(root) !== null);
}

function identityOf(content: string): string {
  return rootsOf(content)
    .map((root) => `${root} ${inodeOf(root)}`)
    .join('\n');
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

function inodeOf(path: string): bigint | null {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? null;
}
