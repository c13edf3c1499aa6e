import type { Principal } from '../access/principal.ts';
import type { Edition } from '../catalog/catalog.ts';
import { itemKey } from '../item/item.ts';
import type { Log } from '../log.ts';
import { messageOf } from '../refusal.ts';
import type { Store } from '../store/store.ts';
import { createWriteBehind, type Write } from '../store/write-queue.ts';
import type { DayViews } from '../store/tables/item-days.ts';
import { DAY } from '../duration.ts';
import { HASTE, type ReadingPlace } from '../store/tables/reading-places.ts';

/** A place in an item. */
type Spot = Pick<ReadingPlace, 'path' | 'part' | 'block'>;

/** The most a crash can lose, in milliseconds of places and of views. */
const INTERVAL = 1000;

/**
 * The last place of readers in the items they hold. Places are written later, so that no page waits for a disk, and only
 * the last of several pages is written.
 */
export function createReadingPlaces(store: Store, log: Log, now: () => number): ReadingPlaces {
  const { waiting, begin, flush } = createWriteBehind<ReadingPlace>(INTERVAL, (places) =>
    store.write.putReadingPlaces(JSON.stringify(places)).catch((error: unknown) =>
      log({
        event: 'places-lost',
        message: `Cannot write ${places.length} reading places: ${messageOf(error)}`,
      }),
    ),
  );

  const list = async (accountId: string): Promise<readonly ReadingPlace[]> => {
    // Waiting places are read too: a reader may turn a page and open the library at once.
    await flush();
    return store.listReadingPlaces(accountId);
  };

  return {
    flush,
    list,
    note(principal: Principal, { manifest }: Edition, spot: Spot, age = 0): void {
      if (principal.kind !== 'account' || principal.keyId !== null) return;
      const place = {
        accountId: principal.accountId,
        kind: manifest.kind,
        itemKey: itemKey(manifest),
        ...spot,
        readAt: now() - age,
      };
      const name = JSON.stringify([place.accountId, place.kind, place.itemKey]);
      const before = waiting().get(name);
      const haste = spot.block === null || before?.path === spot.path ? 0 : HASTE;
      if (before !== undefined && before.readAt + haste > place.readAt) return;
      const isSame = before?.path === spot.path && before.part === spot.part;
      waiting().set(name, isSame ? { ...place, block: spot.block ?? before.block } : place);
      begin();
    },
    async find(principal: Principal, { manifest }: Edition) {
      if (principal.kind !== 'account' || principal.keyId !== null) return null;
      const places = await list(principal.accountId);
      const place = places.find(
        ({ kind, itemKey: key }) => kind === manifest.kind && key === itemKey(manifest),
      );
      return place === undefined ? null : { ...place, block: place.block ?? 0 };
    },
    areKept: (accountId: string) => store.keepsReadingPlaces(accountId),
    async keep(accountId: string, keeps: boolean): Promise<void> {
      await flush();
      await store.write.keepReadingPlaces({ accountId, keeps });
    },
  };
}

export type ReadingPlaces = {
  readonly flush: () => Promise<void>;
  readonly list: (accountId: string) => Promise<readonly ReadingPlace[]>;
  /** Notes that a reader opened a text, or where in it they were `age` milliseconds ago: the newest counts. Reads by API key are not noted. */
  readonly note: (principal: Principal, edition: Edition, spot: Spot, age?: number) => void;
  /** Where in an item a reader was last; null if that is not known. */
  readonly find: (
    principal: Principal,
    edition: Edition,
  ) => Promise<(Spot & { readonly block: number }) | null>;
  /** Whether an account wants its places kept. */
  readonly areKept: (accountId: string) => boolean;
  /** Switches places on or off. Switching off deletes them. */
  readonly keep: (accountId: string, keeps: boolean) => Promise<void>;
};

/** How many items and days may wait for a disk that cannot be written. */
const MOST_VIEWS = 100_000;

/**
 * Counts the views of items' pages, by item and UTC day alone. A view is written behind: it costs its page an entry in a
 * map. Counts that cannot be written wait for the next view.
 */
export function createPageViews(write: Pick<Write, 'addViews'>, log: Log, now: () => number): PageViews {
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

export type PageViews = {
  /** Counts one view of an item's page. */
  readonly add: (edition: Edition) => void;
  readonly flush: () => Promise<void>;
};
