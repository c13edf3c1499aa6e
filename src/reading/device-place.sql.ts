import type { Statements } from '../platform/store/statements.ts';

/**
 * The last place that an account's e-readers told in a document. `document` is their hash of the file, `progress` their own
 * pointer into it, `percentage` from 0 to 1.
 */
export type DevicePlace = {
  readonly document: string;
  readonly progress: string;
  readonly percentage: number;
  readonly device: string;
  readonly deviceId: string;
  readonly receivedAt: number;
};

/** The maximum number of documents of an account; one more drops that of which nothing was told for the longest time. */
export const MOST_DOCUMENTS = 1_000;

export const devicePlaceReads = (db: Statements) => ({
  listDevicePlaces: (accountId: string, documents: readonly string[]) =>
    db.all<DevicePlace>`SELECT document, progress, percentage, device, device_id AS deviceId, received_at AS receivedAt
      FROM device_places WHERE account_id = ${accountId}
      AND document IN (SELECT value FROM json_each(${JSON.stringify(documents)})) ORDER BY received_at DESC`,
});

export const devicePlaceWrites = (db: Statements) => ({
  putDevicePlace({
    accountId,
    keyId,
    ...place
  }: DevicePlace & { readonly accountId: string; readonly keyId: number }): void {
    const { document, progress, percentage, device, deviceId, receivedAt } = place;
    // The key may have ended since it was checked, and the account with it.
    if (!db.has`SELECT 1 FROM device_keys WHERE id = ${keyId}`) return;
    db.run`UPDATE device_keys SET device = ${device} WHERE id = ${keyId}`;
    db.run`INSERT OR REPLACE INTO device_places (account_id, document, progress, percentage, device, device_id, received_at)
      VALUES (${accountId}, ${document}, ${progress}, ${percentage}, ${device}, ${deviceId}, ${receivedAt})`;
    db.run`DELETE FROM device_places WHERE account_id = ${accountId} AND document IN (SELECT document FROM device_places
      WHERE account_id = ${accountId} ORDER BY received_at DESC, document LIMIT -1 OFFSET ${MOST_DOCUMENTS})`;
  },
});
