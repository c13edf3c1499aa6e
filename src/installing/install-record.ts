import { tarHeader, tarPadding } from '../catalog/archive/tar.ts';
import type { ItemKind } from '../platform/base/principal.ts';

const encoder = new TextEncoder();

/** The record that an installed copy of an item contains about its download; `digest` is the item digest in lower-case hex. */
interface InstallRecord {
  readonly service: string;
  readonly kind: ItemKind;
  readonly id: string | null;
  readonly slug: string;
  readonly version: string | null;
  readonly digest: string;
  /** The fingerprint of the key that signed the edition; null if it is unsigned. */
  readonly signer: string | null;
  readonly fetchedAt: Date;
  readonly fetchId: string;
  readonly subscriberId: string | null;
}

export type Fetch = Pick<InstallRecord, 'fetchedAt' | 'fetchId' | 'subscriberId'>;

/** Writes the content of `.svc-install`: one line of JSON with its keys in a fixed order, and a newline. */
export function installRecord(fields: InstallRecord): string {
  const { service, kind, id, slug, version, digest, signer, fetchedAt, fetchId, subscriberId } = fields;
  const line = {
    service,
    kind,
    id,
    slug,
    version,
    digest: `sha256:${digest}`,
    signer,
    fetchedAt,
    fetchId,
    subscriberId,
  };
  return `${JSON.stringify(line)}\n`;
}

export function installRecordEntry(slug: string, record: string): Uint8Array<ArrayBuffer> {
  const content = encoder.encode(record);
  const header = tarHeader(`${slug}/.svc-install`, content.length, false);
  const entry = new Uint8Array(header.length + content.length + tarPadding(content.length).length);
  entry.set(header);
  entry.set(content, header.length);
  return entry;
}

const NIL = '00000000-0000-0000-0000-000000000000';
const ENDS = { subscriber: `,"subscriberId":"${NIL}"}\n`, anonymous: ',"subscriberId":null}\n' };

/**
 * Prepares a tar entry that all install records of an item reuse. `fill` writes the data of a download into it, and
 * always returns the same array, which the next call overwrites. All records have one length: ids are UUIDs, and dates
 * lie before the year 10,000.
 */
export function prepareInstallRecord(item: Omit<InstallRecord, keyof Fetch>, isSubscriber: boolean) {
  const subscriberId = isSubscriber ? NIL : null;
  const record = installRecord({ ...item, fetchedAt: new Date(0), fetchId: NIL, subscriberId });
  const entry = Buffer.from(installRecordEntry(item.slug, record).buffer);
  const contentAt = tarHeader(`${item.slug}/.svc-install`, 0, false).length;
  const end = contentAt + Buffer.byteLength(record);
  const subscriberAt = end - `${NIL}"}\n`.length;
  const fetchAt = end - (isSubscriber ? ENDS.subscriber : ENDS.anonymous).length - `${NIL}"`.length;
  const dateAt = fetchAt - `${new Date(0).toISOString()}","fetchId":"`.length;
  return {
    length: entry.length,
    fill({ fetchedAt, fetchId, subscriberId }: Fetch): Uint8Array<ArrayBuffer> {
      entry.write(fetchedAt.toISOString(), dateAt, 'latin1');
      entry.write(fetchId, fetchAt, 'latin1');
      if (subscriberId !== null) entry.write(subscriberId, subscriberAt, 'latin1');
      return entry;
    },
  };
}
