import type { Edition } from './catalog.ts';
import { DAY } from '../platform/base/duration.ts';
import { itemKey } from './item.rule.ts';
import type { Log } from '../platform/base/log.ts';
import { messageOf } from '../platform/base/refusal.ts';
import { createWriteBehind } from '../platform/store/write-queue.ts';
import type { DayViews } from './item-day.sql.ts';
import type { Store } from './stall.ts';

/** How often counts are written to disk, in milliseconds. A crash loses the counts since the last write. */
const INTERVAL = 1000;

/** The maximum number of counts that wait while the disk cannot be written; there is one for each item and day. */
const MOST_VIEWS = 100_000;

/**
 * Counts the views of items' pages, only by item and UTC day. Counts are written later, so that a view costs its page
 * only an entry in a map. Counts that cannot be written wait for the next view.
 */
export function createPageViews(write: Pick<Store['write'], 'addViews'>, log: Log, now: () => number) {
  const count = (view: DayViews): void => {
    const name = `${view.day} ${view.kind} ${view.itemKey}`;
    const before = waiting().get(name)?.views ?? 0;
    if (before > 0 || waiting().size < MOST_VIEWS)
      waiting().set(name, { ...view, views: before + view.views });
  };
  const { waiting, begin, flush } = createWriteBehind<DayViews>(INTERVAL, (counts) =>
    write.addViews(JSON.stringify(counts)).catch((error: unknown) => {
      counts.forEach(count);
      log({
        event: 'views-late',
        message: `Cannot write the page views of ${counts.length} items: ${messageOf(error)}; they are tried again with the next`,
      });
    }),
  );
  return {
    add({ manifest }: Edition): void {
      const day = Math.floor(now() / DAY);
      count({ kind: manifest.kind, itemKey: itemKey(manifest), day, views: 1 });
      begin();
    },
    flush,
  };
}

export type PageViews = ReturnType<typeof createPageViews>;
