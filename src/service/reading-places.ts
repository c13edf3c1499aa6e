import type { Principal } from '../access/principal.ts';
import type { Edition } from '../catalog/catalog.ts';
import { itemKey } from '../item/item.ts';
import type { Log } from '../log.ts';
import { messageOf } from '../refusal.ts';
import type { Store } from '../store/store.ts';
import type { ReadingPlace } from '../store/tables/reading-places.ts';

/** How long a place may wait to be written, in milliseconds. A crash loses no more. */
const INTERVAL = 1000;

/**
 * The last place of readers in the items they hold. Places are written later, so that no page waits for a disk, and only
 * the last of several pages is written.
 */
export function createReadingPlaces(store: Store, log: Log, now: () => number) {
  let waiting = new Map<string, ReadingPlace>();
  let timer: ReturnType<typeof setTimeout> | null = null;
  let lastBatch: Promise<void> = Promise.resolve();

  const flush = (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const places = [...waiting.values()];
    waiting = new Map();
    if (places.length === 0) return lastBatch;
    lastBatch = store.write.putReadingPlaces(JSON.stringify(places)).catch((error: unknown) => {
      log({
        event: 'places-lost',
        message: `Cannot write ${places.length} reading places: ${messageOf(error)}`,
      });
    });
    return lastBatch;
  };

  const list = async (accountId: string): Promise<readonly ReadingPlace[]> => {
    // Waiting places are read too: a reader may turn a page and open the library at once.
    await flush();
    return store.listReadingPlaces(accountId);
  };

  return {
    flush,
    list,
    /** Notes that a reader opened a text. Reads by API key are not noted. */
    note(principal: Principal, { manifest }: Edition, path: string): void {
      if (principal.kind !== 'account' || principal.keyId !== null) return;
      const place = {
        accountId: principal.accountId,
        kind: manifest.kind,
        itemKey: itemKey(manifest),
        path,
        readAt: now(),
      };
      waiting.set(JSON.stringify([place.accountId, place.kind, place.itemKey]), place);
      timer ??= setTimeout(() => void flush(), INTERVAL);
    },
    /** The text of an item that a reader opened last; null if none is known. */
    async find(principal: Principal, { manifest }: Edition): Promise<string | null> {
      if (principal.kind !== 'account' || principal.keyId !== null) return null;
      const places = await list(principal.accountId);
      const place = places.find(
        ({ kind, itemKey: key }) => kind === manifest.kind && key === itemKey(manifest),
      );
      return place?.path ?? null;
    },
    /** Whether an account wants its places kept. */
    areKept: (accountId: string) => store.keepsReadingPlaces(accountId),
    /** Switches places on or off. Switching off deletes them. */
    async keep(accountId: string, keeps: boolean): Promise<void> {
      await flush();
      await store.write.keepReadingPlaces({ accountId, keeps });
    },
  };
}

export type ReadingPlaces = ReturnType<typeof createReadingPlaces>;
