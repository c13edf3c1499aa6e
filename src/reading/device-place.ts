import type { KeyPrincipal } from '../platform/base/principal.ts';
import type { DevicePlace } from './device-place.sql.ts';
import type { Stall } from './stall.ts';

export const keepDevicePlace = (
  { store }: Stall,
  { accountId, keyId }: KeyPrincipal,
  place: DevicePlace,
): Promise<void> => store.write.putDevicePlace({ ...place, accountId, keyId });

/** Finds where an account last read in a document; null if nothing is known. */
export async function findDevicePlace(
  { store }: Stall,
  { accountId }: KeyPrincipal,
  document: string,
): Promise<DevicePlace | null> {
  return store.listDevicePlaces(accountId, [document])[0] ?? null;
}
