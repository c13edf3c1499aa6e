import { rmSync } from 'node:fs';
import { keptFileName, listKeptBodies } from '../../catalog/kept-editions.ts';
import type { Store } from '../../store/store.ts';
import { createTurns } from '../../turn.ts';

/** How long after the start, in milliseconds: a start has better things to do. */
const GRACE = 10_000;

type Dependencies = {
  readonly dataDirectory: string;
  readonly store: Store;
  readonly trim: () => Promise<void>;
  /** False during a publish, which keeps bodies before it tells the store. */
  readonly isQuiet: () => boolean;
  readonly grace?: number | undefined;
};

/**
 * Deletes, once, the kept bodies beyond the limits, which commands leave, and those of editions that are gone or withdrawn,
 * which a program that was killed may have left. Bodies that the database does not know stay: they may belong to a newer one.
 */
export function createKeptSweep({ dataDirectory, store, trim, isQuiet, grace = GRACE }: Dependencies) {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let isClosed = false;

  const sweep = async (): Promise<void> => {
    if (isClosed) return;
    if (!isQuiet()) return start();
    await trim();
    const bodies = await listKeptBodies(dataDirectory);
    const turn = createTurns();
    const [needed, over] = [new Set<string>(), new Set<string>()];
    let [after, page] = [0, await store.listEditionTars(0)];
    while (page.length > 0) {
      for (const { tar, isOver } of page) (isOver === 1 ? over : needed).add(keptFileName(tar));
      after = page.at(-1)?.id ?? after;
      await turn();
      page = await store.listEditionTars(after);
    }
    if (isClosed) return;
    if (!isQuiet()) return start();
    // No await from here on: a publish that begins in between could need one of them again.
    for (const { name, file } of bodies)
      if (over.has(name) && !needed.has(name)) rmSync(file, { force: true });
  };

  const start = (): void => {
    timer = setTimeout(() => void sweep().catch(() => {}), grace).unref();
  };

  return {
    start,
    close(): void {
      isClosed = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}
