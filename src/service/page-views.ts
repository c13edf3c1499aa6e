import { DAY } from '../duration.ts';
import type { DayViews } from '../store/tables/item-days.ts';
import type { Edition } from '../catalog/catalog.ts';
import { itemKey } from '../item/item.ts';
import type { Log } from '../log.ts';
import { messageOf } from '../refusal.ts';
import type { Write } from '../store/write-queue.ts';

/** The most a crash can lose, in milliseconds of views. */
const INTERVAL = 1000;

/** How many items and days may wait for a disk that cannot be written. */
const MOST = 100_000;

/**
 * Counts the views of items' pages, by item and UTC day alone. A view is written behind: it costs its page an entry in a
 * map. Counts that cannot be written wait for the next view.
 */
export function createPageViews(write: Pick<Write, 'addViews'>, log: Log, now: () => number) {
  let waiting = new Map<string, DayViews>();
  let timer: ReturnType<typeof setTimeout> | null = null;
  let lastBatch: Promise<void> = Promise.resolve();

  const count = (view: DayViews): void => {
    const name = `${view.day} ${view.kind} ${view.itemKey}`;
    const before = waiting.get(name)?.views ?? 0;
    if (before > 0 || waiting.size < MOST) waiting.set(name, { ...view, views: before + view.views });
  };

  const writeCounts = async (counts: readonly DayViews[]): Promise<void> => {
    try {
      await write.addViews(JSON.stringify(counts));
    } catch (error) {
      counts.forEach(count);
      log({
        event: 'views-late',
        message: `Cannot write the page views of ${counts.length} items: ${messageOf(error)}; they are tried again with the next`,
      });
    }
  };

  /** Kept when every view counted so far is written, or could not be. */
  const flush = (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const counts = [...waiting.values()];
    waiting = new Map();
    if (counts.length > 0) lastBatch = writeCounts(counts);
    return lastBatch;
  };

  return {
    /** Counts one view of an item's page. */
    add({ manifest }: Edition): void {
      const day = Math.floor(now() / DAY);
      count({ kind: manifest.kind, itemKey: itemKey(manifest), day, views: 1 });
      timer ??= setTimeout(() => void flush(), INTERVAL);
    },
    flush,
  };
}

export type PageViews = ReturnType<typeof createPageViews>;
