import type { Edition } from '../../catalog/edition.ts';
import { itemKey } from '../../item/item.ts';
import type { Store } from '../../store/store.ts';

/** Gives a test of whether an item's files changed since an account last fetched it; false for one it never fetched. */
export function createFetchedEditions(store: Store) {
  return async (accountId: string): Promise<(edition: Edition) => boolean> => {
    const downloads = await store.listLastDownloads(accountId);
    const fetched = new Map(downloads.map((one) => [`${one.kind} ${one.itemKey}`, one]));
    return ({ manifest, digest }) => {
      const key = itemKey(manifest);
      const last = fetched.get(`${manifest.kind} ${key}`);
      if (last === undefined || last.digest === digest) return false;
      // A reader who took an older edition on purpose knows of the newer one.
      return (store.findChangedAt(manifest.kind, key) ?? 0) > last.downloadedAt;
    };
  };
}
