import { type Statements, values } from '../platform/store/statements.ts';

/**
 * The last place in a document (an e-book file) that an account's e-readers sent. `document` is KOReader's hash of the file,
 * `progress` its pointer into the file, `percentage` from 0 to 1.
 */
export type DevicePlace = {
  readonly document: string;
  readonly progress: string;
  readonly percentage: number;
  readonly device: string;
  readonly deviceId: string;
  readonly receivedAt: number;
};

/** The maximum number of documents of an account; with one more, the document whose place is the oldest is dropped. */
export const MOST_DOCUMENTS = 1_000;

/** An e-book that was made here. `document` is an e-reader's hash of it, `name` the name of its file and of its map. */
export type Ebook = {
  readonly document: string;
  readonly name: string;
  readonly itemKey: string;
  readonly digest: string;
};

export const devicePlaceReads = (db: Statements) => ({
  listEbooks: (document: string) =>
    db.all<Ebook>`SELECT document, name, item_key AS itemKey, digest FROM ebooks WHERE document = ${document}`,
  /** Lists up to 20 places that an account's e-readers sent for e-books of a book, the newest first. */
  listBookPlaces: (accountId: string, itemKey: string) =>
    db.all<
      DevicePlace & Pick<Ebook, 'name'>
    >`SELECT document, progress, percentage, device, device_id AS deviceId,
      received_at AS receivedAt, name FROM device_places JOIN ebooks USING (document)
      WHERE account_id = ${accountId} AND item_key = ${itemKey} ORDER BY received_at DESC LIMIT 20`,
  /** Lists when an account's e-readers last sent a place in each book. */
  listDeviceReads: (accountId: string) =>
    db.all<{
      itemKey: string;
      readAt: number;
    }>`SELECT item_key AS itemKey, max(received_at) AS readAt FROM device_places JOIN ebooks USING (document)
      WHERE account_id = ${accountId} GROUP BY item_key`,
  findDevicePlace: (accountId: string, document: string) =>
    db.one<DevicePlace>`SELECT document, progress, percentage, device, device_id AS deviceId, received_at AS receivedAt
      FROM device_places WHERE account_id = ${accountId} AND document = ${document}`,
});

export const devicePlaceWrites = (db: Statements) => ({
  addEbook(ebook: Ebook): void {
    db.run`INSERT INTO ebooks ${values(ebook)} ON CONFLICT DO NOTHING`;
  },
  putDevicePlace({
    keyId,
    ...row
  }: DevicePlace & { readonly accountId: string; readonly keyId: number }): void {
    const { accountId, device, receivedAt } = row;
    // The key may have ended since it was checked, and the account with it.
    if (!db.has`SELECT 1 FROM device_keys WHERE id = ${keyId}`) return;
    db.run`UPDATE device_keys SET device = ${device}, last_used_at = ${receivedAt} WHERE id = ${keyId}`;
    db.run`INSERT OR REPLACE INTO device_places ${values(row)}`;
    db.run`DELETE FROM device_places WHERE account_id = ${accountId} AND document IN (SELECT document FROM device_places
      WHERE account_id = ${accountId} ORDER BY received_at DESC, document LIMIT -1 OFFSET ${MOST_DOCUMENTS})`;
  },
});
