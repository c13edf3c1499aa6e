import { openStore as openFile, type Store as StoreOf } from './platform/store/store.ts';
import { createReads, type Reads, type Writes } from './writes.ts';

export type Store = StoreOf<Reads, Writes>;

export async function openStore(dataDirectory: string): Promise<Store> {
  const store = await openFile<Reads, Writes>(dataDirectory, createReads);
  return { ...store, findGrants: store.remember(store.findGrants) };
}
