import type { Principal } from '../platform/base/principal.ts';
import type { Edition } from '../catalog/catalog.ts';
import { itemKey } from '../catalog/item.rule.ts';
import type { Log } from '../platform/base/log.ts';
import { messageOf } from '../platform/base/refusal.ts';
import type { Store } from './stall.ts';
import { createWriteBehind } from '../platform/store/write-queue.ts';
import { HASTE, type ReadingPlace } from './reading-place.sql.ts';

export type { ReadingPlace } from './reading-place.sql.ts';

type Place = Pick<ReadingPlace, 'path' | 'part' | 'block' | 'marks'>;

/** How often places are written to disk, in milliseconds. A crash loses the places since the last time. */
const INTERVAL = 1000;

/**
 * Remembers where readers stopped on this site, in the items that they have. Places are written later, so that no page waits
 * for the disk, and only the last of several is written.
 */
export function createReadingPlaces(store: Store, log: Log, now: () => number) {
  const { waiting, begin, flush } = createWriteBehind<ReadingPlace>(INTERVAL, (places) =>
    store.write.putReadingPlaces(JSON.stringify(places)).catch((error: unknown) =>
      log({
        event: 'places-lost',
        message: `Cannot write ${places.length} reading places: ${messageOf(error)}`,
      }),
    ),
  );

  const listOnSite = async (accountId: string): Promise<readonly ReadingPlace[]> => {
    // Waiting places are written first, since a reader may turn a page and open the library at once.
    await flush();
    return store.listReadingPlaces(accountId);
  };

  return {
    flush,
    /** Lists where an account last was in each item on this site alone: `lastPlaces` knows its e-readers too. */
    listOnSite,
    /**
     * Remembers that a reader opened a text, or where they were in it `age` milliseconds ago. The newest place counts.
     * Reading by API key is not remembered.
     */
    note(principal: Principal, { manifest }: Edition, spot: Place, age = 0): void {
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
      const isKept = isSame && spot.block === null;
      waiting().set(name, isKept ? { ...place, block: before.block, marks: before.marks } : place);
      begin();
    },
    areKept: (accountId: string) => store.keepsReadingPlaces(accountId),
    async keep(accountId: string, keeps: boolean): Promise<void> {
      await flush();
      await store.write.keepReadingPlaces({ accountId, keeps });
    },
  };
}

export type ReadingPlaces = ReturnType<typeof createReadingPlaces>;
