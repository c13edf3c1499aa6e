import { openStore as openFile, type Store as StoreOf } from './platform/store/store.ts';
import { createReads, type Reads, type Writes } from './writes.ts';

/** The database with the reads and writes of all areas. */
export type Store = StoreOf<Reads, Writes>;

/** Opens the database of a data directory with the reads and writes of all areas. Refuses what the platform's `openStore` refuses. */
export async function openStore(dataDirectory: string): Promise<Store> {
  const store = await openFile<Reads, Writes>(dataDirectory, createReads);
  return { ...store, findGrants: store.remember(store.findGrants) };
}
