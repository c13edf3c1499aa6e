import { type FSWatcher, lstatSync, readFileSync, statSync, watch } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Log } from '../platform/base/log.ts';
import { messageOf } from '../platform/base/refusal.ts';
import { createIgnore, OWN_FILES } from '../catalog/ignore.rule.ts';
import type { ItemKind } from '../platform/base/principal.ts';
import { parseStallManifest, stallFiles } from '../catalog/stall-manifest.rule.ts';
import { readText } from '../catalog/file-scan.ts';

/** How long nothing may change before the changes are published, in milliseconds. */
const QUIET = 2000;

/** How much later than its event a file system may date a change, in milliseconds. */
const SLACK = 20;

/** The file watchers and the clock, which tests replace. `after` and `every` return a function that cancels the timer. */
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
 * The end of a period without changes. The last change was at `before` or earlier, in milliseconds since 1970;
 * `hasChanged` tells whether something has changed again since.
 */
export type Settled = { readonly before: number; readonly hasChanged: () => boolean };

/**
 * Watches the content directory. Calls `onQuiet` when a served file changed and then nothing changed for `quiet`
 * milliseconds; again after the next such period if `onQuiet` returns false. A directory that is removed and put back is
 * watched again. If watching fails, logs that `bookstall reindex` is needed. Ignores changes below `except`, a data
 * directory inside the content directory.
 */
export function watchContent(
  { content, except, quiet = QUIET }: { content: string; except: string; quiet?: number | undefined },
  onQuiet: (settled: Settled) => Promise<boolean>,
  log: Log,
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
  // On a busy event loop the timer may fire before events that arrived earlier. A second timer lets them be handled first.
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
      // The name is missing when the watched directory itself is removed; Bun's types do not say so.
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
  // A watcher follows the directory, not its path. If another directory has the path by now, it needs a watcher of its own.
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

/**
 * Lists the directories to watch: the content directory and, since a watch follows no links, each of `books` and `skills`
 * that is a link.
 */
function rootsOf(content: string): readonly string[] {
  const linked = ['books', 'skills']
    .map((kindFolder) => join(content, kindFolder))
    .filter((kindFolder) => lstatSync(kindFolder, { throwIfNoEntry: false })?.isSymbolicLink());
  return [content, ...linked].filter((root) => inodeOf(root) !== null);
}

const identityOf = (content: string): string =>
  rootsOf(content)
    .map((root) => `${root} ${inodeOf(root)}`)
    .join('\n');

const inodeOf = (path: string): bigint | null =>
  statSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? null;

const kindOf = (folder: string): ItemKind => (folder.startsWith('books') ? 'book' : 'skill');

type Ignore = (path: string, isDirectory: boolean) => boolean;

/**
 * Makes a function that tells whether a change of a path can change what is served: stall.yaml, the files that it names,
 * mails, and files of items that are not ignored. The path is relative to the content directory, with "/".
 */
function createChangeFilter(content: string): (path: string) => boolean {
  // Keeps each item's ignore rules, so that they are not read again at every event of a busy file.
  const ignores = new Map<string, Ignore>();
  let named: readonly string[] | null = null;

  const ignoreOf = (folder: string): Ignore =>
    ignores.getOrInsertComputed(folder, () => createIgnore(textOf(join(content, folder)), kindOf(folder)));
  const matters = (path: string): boolean => {
    const [kindFolder = '', slug, ...rest] = path.split('/');
    if (kindFolder !== 'books' && kindFolder !== 'skills') return concernsStall(path);
    if (slug === undefined) return true;
    if (slug.startsWith('.')) return false;
    if (rest.length === 0) return !isFile(join(content, path));
    const inside = rest.join('/');
    return (
      OWN_FILES[kindOf(kindFolder)].includes(inside) ||
      !isIgnored(ignoreOf(`${kindFolder}/${slug}`), inside, join(content, path))
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

/** Whether the path is left out. For a path that no longer exists: whether a file or a folder of its name would be. */
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
