import { type FSWatcher, lstatSync, readFileSync, statSync, watch } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Log } from '../log.ts';
import { messageOf } from '../refusal.ts';
import { createIgnore, OWN_FILES } from '../item/ignore.ts';
import type { ItemKind } from '../item/item.ts';
import { parseStallManifest, stallFiles } from '../item/stall-manifest.ts';
import { readText } from './scan.ts';

/** How long the tree must be quiet before changes are published, in milliseconds. */
const QUIET = 2000;

/** How much later than its event a change may be stamped by the file system, in milliseconds. */
const SLACK = 20;

/** Watches directories and tells the time. `after` and `every` return a function that cancels the call. */
export const watchSystem = {
  watch: (directory: string, onEvent: (name?: string | null) => void): FSWatcher =>
    watch(directory, { recursive: true }, (_, name) => onEvent(name)),
  now: Date.now,
  after(milliseconds: number, call: () => void): () => void {
    const timer = setTimeout(call, milliseconds);
    return () => clearTimeout(timer);
  },
  every(milliseconds: number, call: () => void): () => void {
    const timer = setInterval(call, milliseconds);
    return () => clearInterval(timer);
  },
};

export type WatchSystem = typeof watchSystem;

/**
 * A quiet time of the tree. Its last change was at `before` or earlier, in milliseconds since 1970; `hasChanged` tells
 * whether it has changed since the quiet time ended.
 */
export type Settled = { readonly before: number; readonly hasChanged: () => boolean };

/**
 * Calls `onQuiet` when something that is served changed below the content directory and nothing more changed for `quiet`
 * milliseconds. If `onQuiet` gives false, calls it again after the next quiet time. A directory that is removed and put
 * back is watched again. If the system cannot watch, logs that and asks for `bookstall reindex`. Ignores `except`, a data
 * directory inside the content directory.
 */
export function watchContent(
  content: string,
  except: string,
  onQuiet: (settled: Settled) => Promise<boolean>,
  log: Log,
  quiet: number = QUIET,
  system: WatchSystem = watchSystem,
): { close(): void } {
  const matters = createChangeFilter(content);
  const own = relative(content, except);
  let watchers: readonly FSWatcher[] = [];
  let identity = '';
  let cancel: (() => void) | null = null;
  let isClosed = false;

  const stir = (): void => {
    if (isClosed) return;
    cancel?.();
    cancel = system.after(quiet, hearOut);
  };
  // If the event loop was busy, the timer fires before events that have arrived. The second timer lets them be heard
  // first.
  const hearOut = (): void => {
    cancel = system.after(0, () => void rest());
  };
  const rest = async (): Promise<void> => {
    cancel = null;
    const settled = { before: system.now() - quiet + SLACK, hasChanged: () => cancel !== null };
    if (!(await onQuiet(settled)) && cancel === null) stir();
  };
  const listen = (): void => {
    for (const watcher of watchers) watcher.close();
    identity = identityOf(content);
    watchers = rootsOf(content).flatMap(listenTo);
  };
  const listenTo = (root: string): readonly FSWatcher[] => {
    try {
      const prefix = relative(content, root);
      // Bun's types omit it, but the name is missing when the watched directory itself is removed.
      const onEvent = (name?: string | null): void => {
        if (!name || isChange(join(prefix, name))) stir();
      };
      return [system.watch(root, onEvent).on('error', complain)];
    } catch (error) {
      complain(error);
      return [];
    }
  };
  const isChange = (path: string): boolean =>
    path !== own && !path.startsWith(own + sep) && matters(path.replaceAll(sep, '/'));
  const complain = (error: unknown): void =>
    log({
      event: 'watch-failed',
      message: `Cannot watch "${content}": ${messageOf(error)}; run "bookstall reindex" after changes`,
    });
  // A watch belongs to the directory and not to its path: a new directory at the path is not watched yet.
  const endGuard = system.every(quiet, () => {
    if (identityOf(content) === identity) return;
    listen();
    stir();
  });

  listen();
  return {
    close(): void {
      isClosed = true;
      for (const watcher of watchers) watcher.close();
      endGuard();
      cancel?.();
    },
  };
}

/** The directories to watch: the content directory and, since a watch follows no links, `books` or `skills` if it is a link. */
function rootsOf(content: string): readonly string[] {
  const linked = ['books', 'skills']
    .map((shelf) => join(content, shelf))
    .filter((shelf) => lstatSync(shelf, { throwIfNoEntry: false })?.isSymbolicLink());
  return [content, ...linked].filter((root) => inodeOf(root) !== null);
}

const identityOf = (content: string): string =>
  rootsOf(content)
    .map((root) => `${root} ${inodeOf(root)}`)
    .join('\n');

const inodeOf = (path: string): bigint | null =>
  statSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? null;

/** Returns the kind of items in a folder below the content directory. */
const kindOf = (folder: string): ItemKind => (folder.startsWith('books') ? 'book' : 'skill');

type Ignore = (path: string, isDirectory: boolean) => boolean;

/**
 * Makes a test that tells whether a change of a path, relative to the content directory and with "/", can change what the
 * stall serves: stall.yaml and the files it names, an item's own files, and files that are not left out.
 */
function createChangeFilter(content: string): (path: string) => boolean {
  // Keeps the ignore rules of each item, so that a file that is written all the time does not have them read each time.
  const ignores = new Map<string, Ignore>();
  let named: readonly string[] | null = null;

  const ignoreOf = (folder: string): Ignore =>
    ignores.getOrInsertComputed(folder, () => createIgnore(textOf(join(content, folder)), kindOf(folder)));
  const matters = (path: string): boolean => {
    const [shelf = '', slug, ...rest] = path.split('/');
    if (shelf !== 'books' && shelf !== 'skills') return concernsStall(path);
    if (slug === undefined) return true;
    if (slug.startsWith('.')) return false;
    if (rest.length === 0) return !isFile(join(content, path));
    const inside = rest.join('/');
    return (
      OWN_FILES[kindOf(shelf)].includes(inside) ||
      !isIgnored(ignoreOf(`${shelf}/${slug}`), inside, join(content, path))
    );
  };
  const concernsStall = (path: string): boolean => {
    if (/^(stall\.yaml|mails(\/.*)?)$/.test(path)) return true;
    named ??= namedFiles(content);
    return named.some((file) => file === path || file.startsWith(`${path}/`));
  };

  return (path) => {
    const isRule = path === 'stall.yaml' || path.endsWith('.bookstallignore');
    const isFolder = path.split('/').length <= 2;
    if (isRule || isFolder) {
      ignores.clear();
      named = null;
    }
    return matters(path);
  };
}

/** Whether the path is left out. A path that is gone counts if a file or a folder of its name would be left out. */
function isIgnored(ignore: Ignore, path: string, full: string): boolean {
  const stat = lstatSync(full, { throwIfNoEntry: false });
  return stat === undefined ? ignore(path, false) || ignore(path, true) : ignore(path, stat.isDirectory());
}

const isFile = (full: string): boolean => lstatSync(full, { throwIfNoEntry: false })?.isFile() ?? false;

function textOf(folder: string): string | null {
  try {
    return readText(folder, '.bookstallignore');
  } catch {
    return null;
  }
}

function namedFiles(content: string): readonly string[] {
  try {
    const { stall } = parseStallManifest(readFileSync(join(content, 'stall.yaml'), 'utf8'));
    return stallFiles(stall).map(({ path }) => path);
  } catch {
    return [];
  }
}
