import { tarHeader, tarPadding } from './tar.ts';

const encoder = new TextEncoder();

/** One fetch of one item; `digest` is the item digest as bare lower-case hex. */
export interface InstallRecord {
  readonly service: string;
  readonly kind: 'book' | 'skill';
  readonly id: string | null;
  readonly slug: string;
  readonly version: string | null;
  readonly digest: string;
  readonly fetchedAt: Date;
  readonly fetchId: string;
  readonly subscriberId: string | null;
}

/** The record as `.svc-install` holds it: one line of JSON with its keys in the contract's order, and a newline. */
export function installRecord(fields: InstallRecord): string {
  const { service, kind, id, slug, version, digest, fetchedAt, fetchId, subscriberId } = fields;
  const line = {
    service,
    kind,
    id,
    slug,
    version,
    digest: `sha256:${digest}`,
    fetchedAt,
    fetchId,
    subscriberId,
  };
  return `${JSON.stringify(line)}\n`;
}

/** The tar entry `<slug>/.svc-install` of a record's line: header, content and padding. */
export function installRecordEntry(slug: string, record: string): Uint8Array<ArrayBuffer> {
  const content = encoder.encode(record);
  const header = tarHeader(`${slug}/.svc-install`, content.length, false);
  const entry = new Uint8Array(header.length + content.length + tarPadding(content.length).length);
  entry.set(header);
  entry.set(content, header.length);
  return entry;
}
