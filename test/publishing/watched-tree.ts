import { existsSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { watchContent, type WatchSystem, watchSystem } from '../../src/publishing/watch.ts';
import type { LogEntry } from '../../src/platform/base/log.ts';
import { temporaryDirectory, writeFiles } from '../helpers/harness.ts';

/** The quiet time of the tests, in milliseconds. */
export const QUIET = 120;

/** A name that is never distributed, and whose events leave the rules of ignored files as they are. */
const PROBE = '.probe';

type Timer = { readonly at: number; readonly call: () => void };

/** Time that goes on only when told, so that a busy machine cannot pause it between two edits. */
function createClock() {
  let now = 0;
  const timers = new Set<Timer>();
  const after = (milliseconds: number, call: () => void): (() => void) => {
    const timer = { at: now + milliseconds, call: () => (timers.delete(timer), call()) };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  const every = (milliseconds: number, call: () => void): (() => void) => {
    let cancel = after(milliseconds, again);
    function again(): void {
      cancel = after(milliseconds, again);
      call();
    }
    return () => cancel();
  };
  const next = (end: number): Timer | undefined =>
    [...timers].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0];
  return {
    now: () => now,
    after,
    every,
    /** Lets time pass, timer by timer; `between` runs before each. */
    async pass(milliseconds: number, between: () => Promise<unknown> = () => Bun.sleep(0)): Promise<void> {
      const end = now + milliseconds;
      for (;;) {
        await between();
        const timer = next(end);
        now = Math.max(now, timer?.at ?? end);
        if (timer === undefined) return;
        timer.call();
      }
    },
  };
}

/** The system's events, and a way to wait until those of all changes so far have been heard. */
function tapEvents() {
  const watched = new Map<string, number>();
  const heard = new Set<string>();
  let probes = 0;
  const watch: WatchSystem['watch'] = (directory, onEvent) => {
    watched.set(directory, statSync(directory).ino);
    const watcher = watchSystem.watch(directory, (name) => {
      onEvent(name);
      if (name) heard.add(join(directory, name));
    });
    const close = watcher.close.bind(watcher);
    return Object.assign(watcher, { close: () => (watched.delete(directory), close()) });
  };
  /** Writes a file that no item holds below each folder that is watched; its event comes after those of earlier changes. */
  const hear = async (): Promise<void> => {
    for (const [directory, ino] of watched) {
      if (statSync(directory, { throwIfNoEntry: false })?.ino !== ino) continue;
      const shelf = ['books', ''].map((name) => join(directory, name, PROBE)).find(existsSync);
      if (shelf === undefined) continue;
      const probe = join(shelf, String(++probes));
      writeFileSync(probe, '');
      while (!heard.has(probe)) await Bun.sleep(1);
    }
  };
  return { watch, hear };
}

/** A watched content directory with one book, in a time of its own; `taken` counts how often it came to rest after a change. */
export function watchedTree({ data = 'data', answer = (): boolean => true, isThere = true } = {}) {
  const content = join(temporaryDirectory(), 'content');
  const books = join(content, 'books');
  const fill = (): void => {
    const filled = join(temporaryDirectory(), 'content');
    writeFiles(filled, {
      'books/heron/01.md': '# The heron\n',
      'books/heron/a/b/02.md': 'two',
      [`books/${PROBE}/0`]: '',
    });
    renameSync(filled, content);
  };
  if (isThere) fill();
  const log: LogEntry[] = [];
  let taken = 0;
  const clock = createClock();
  const { watch, hear: heard } = tapEvents();
  const onQuiet = (): Promise<boolean> => {
    taken++;
    return Promise.resolve(answer());
  };
  const system = { watch, now: clock.now, after: clock.after, every: clock.every };
  const watcher = watchContent(
    { content, except: join(content, data), quiet: QUIET },
    onQuiet,
    (entry) => log.push(entry),
    system,
  );
  /** How often the tree is taken in three quiet times, which are long enough for whatever was stirred. */
  const rounds = async (): Promise<number> => {
    const before = taken;
    await heard();
    await clock.pass(QUIET * 3);
    return taken - before;
  };
  return {
    content,
    folder: join(books, 'heron'),
    watcher,
    log,
    clock,
    heard,
    rounds,
    fill,
    taken: () => taken,
  };
}
