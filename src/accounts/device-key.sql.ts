import type { KeyPrincipal } from '../platform/base/principal.ts';
import { type Audited, logAct } from '../platform/store/audit-log.sql.ts';
import type { Statements } from '../platform/store/statements.ts';

/**
 * A key with which an e-reader syncs reading positions. `device` is the name that the e-reader last sent; null before it
 * sent one.
 */
export type DeviceKey = {
  readonly id: number;
  readonly accountId: string;
  readonly prefix: string;
  readonly device: string | null;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
};

/** The maximum number of an account's device keys; one more ends the least recently used. */
export const MOST_DEVICES = 20;

export const deviceKeyReads = (db: Statements) => ({
  findDeviceKey: (hash: Uint8Array) =>
    db.one<Omit<KeyPrincipal, 'kind'>>`SELECT device_keys.id AS keyId, account_id AS accountId, email
      FROM device_keys JOIN accounts ON accounts.id = account_id WHERE hash = ${hash} AND disabled_at IS NULL`,
  listDeviceKeys: (accountId: string) =>
    db.all<DeviceKey>`SELECT id, account_id AS accountId, prefix, device, created_at AS createdAt,
      last_used_at AS lastUsedAt FROM device_keys WHERE account_id = ${accountId} ORDER BY id DESC`,
});

export const deviceKeyWrites = (db: Statements) => ({
  addDeviceKey({
    accountId,
    prefix,
    hash,
    at,
  }: Pick<DeviceKey, 'accountId' | 'prefix'> & { readonly hash: Uint8Array; readonly at: number }): void {
    db.run`DELETE FROM device_keys WHERE id IN (SELECT id FROM device_keys WHERE account_id = ${accountId}
      ORDER BY ifnull(last_used_at, created_at) DESC LIMIT -1 OFFSET ${MOST_DEVICES - 1})`;
    db.run`INSERT INTO device_keys (account_id, prefix, hash, created_at)
      VALUES (${accountId}, ${prefix}, ${hash}, ${at})`;
  },
  endDeviceKey({ id, accountId, audit }: Pick<DeviceKey, 'id' | 'accountId'> & Audited): void {
    logAct(db, audit);
    db.run`DELETE FROM device_keys WHERE id = ${id} AND account_id = ${accountId}`;
  },
});

export const endDeviceKeys = (db: Statements, accountId: string): void =>
  void db.run`DELETE FROM device_keys WHERE account_id = ${accountId}`;
