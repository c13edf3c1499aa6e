import { findByKey } from '../catalog/catalog.ts';
import type { KeyPrincipal } from '../platform/base/principal.ts';
import { type PointerMap, pointerOf } from './ebook/pointer-map.ts';
import type { DevicePlace, Ebook } from './device-place.sql.ts';
import { lastSpots } from './last-place.ts';
import type { Stall } from './stall.ts';

export const keepDevicePlace = (
  { store }: Stall,
  { accountId, keyId }: KeyPrincipal,
  place: DevicePlace,
): Promise<void> => store.write.putDevicePlace({ ...place, accountId, keyId });

/**
 * Finds where an account last read in a document; null if nothing is known. A newer place on the site or in another e-book is
 * returned only if the document surely has it, since KOReader opens the first page for a pointer that leads nowhere.
 */
export async function findDevicePlace(
  stall: Stall,
  accountId: string,
  document: string,
): Promise<DevicePlace | null> {
  const told = stall.store.findDevicePlace(accountId, document);
  return Promise.race([findNewest(stall, accountId, document, told), Bun.sleep(PATIENCE).then(() => told)]);
}

/** How long that newer place is looked for, in milliseconds. KOReader waits two seconds for an answer. */
const PATIENCE = 700;

async function findNewest(stall: Stall, accountId: string, document: string, told: DevicePlace | null) {
  for (const ebook of stall.store.listEbooks(document)) {
    const map = await findMap(stall, ebook);
    const places = map && (await lastSpots(stall, accountId, 'book', ebook.itemKey));
    const newest = places?.[0];
    if (map === null || newest === undefined || newest.receivedAt <= (told?.receivedAt ?? 0)) continue;
    const found = pointerOf(map, newest.spot);
    const { device, deviceId, receivedAt } = newest;
    if (found !== null) return { document, ...found, device, deviceId, receivedAt };
  }
  return told;
}

/**
 * Finds the map of an e-book. If the map is lost, as after a restore, and the e-book is of today's edition, starts making both
 * again for the next time.
 */
async function findMap(stall: Stall, { name, itemKey: key, digest }: Ebook): Promise<PointerMap | null> {
  const map = await stall.epubs.findMap(name);
  const edition = findByKey(stall.catalog(), 'book', key);
  if (map === null && edition?.digest === digest) stall.epubs.openServed(edition).catch(() => {});
  return map;
}
