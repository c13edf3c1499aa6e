// Archives that no stall would make: every field of every header is the test's own.
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { installRecord } from '../../../src/installing/install-record.ts';

const BLOCK = 512;
const SLUG = 'trap';

export type Entry = {
  readonly name: string;
  readonly content?: string | Uint8Array;
  readonly type?: string;
  readonly link?: string;
  readonly prefix?: string;
  readonly mode?: string;
  readonly size?: string;
  readonly magic?: string;
  readonly checksum?: string;
};

/** One entry: header with its checksum, content, padding. */
export function tarEntry(entry: Entry): Buffer {
  const content = Buffer.from(entry.content ?? '');
  const header = Buffer.alloc(BLOCK);
  const put = (at: number, text: string): number => header.write(text, at, 'utf8');
  put(0, entry.name);
  put(100, entry.mode ?? '0000644\0');
  put(108, '0000000\0');
  put(116, '0000000\0');
  put(124, entry.size ?? `${content.length.toString(8).padStart(11, '0')}\0`);
  put(136, '07013352300\0');
  put(148, ' '.repeat(8));
  put(156, entry.type ?? '0');
  put(157, entry.link ?? '');
  put(257, entry.magic ?? 'ustar\x0000');
  put(345, entry.prefix ?? '');
  const sum = header.reduce((total, byte) => total + byte, 0);
  put(148, entry.checksum ?? `${sum.toString(8).padStart(6, '0')}\0 `);
  return Buffer.concat([header, content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)]);
}

/** A pax header of these records. */
export function pax(records: Readonly<Record<string, string>>, type = 'x'): Buffer {
  const lines = Object.entries(records).map(([key, value]) => {
    const rest = Buffer.byteLength(` ${key}=${value}\n`);
    const length = rest + String(rest + 2).length;
    return `${length} ${key}=${value}\n`;
  });
  return tarEntry({ name: 'PaxHeaders', type, content: lines.join('') });
}

/** The install record of files, its digest right unless given. */
export function record(
  files: Readonly<Record<string, string>> = {},
  more: Readonly<Record<string, string>> = {},
): Buffer {
  const lines = Object.entries(files)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, text]) => `${createHash('sha256').update(text).digest('hex')}  0644 ${path}\n`);
  const digest = createHash('sha256').update(lines.join('')).digest('hex');
  const fields = {
    service: 'http://x',
    kind: 'skill',
    id: null,
    slug: SLUG,
    version: '1',
    digest,
    signer: null,
    ...more,
  } as const;
  const fetch = { fetchedAt: new Date(0), fetchId: crypto.randomUUID(), subscriberId: null };
  return tarEntry({ name: `${SLUG}/.svc-install`, content: installRecord({ ...fields, ...fetch }) });
}

export const END = Buffer.alloc(2 * BLOCK);

/** A whole archive: a good record of no files, what is given, the end. */
export function trap(...entries: readonly (Entry | Buffer)[]): Buffer {
  const blocks = entries.map((entry) => (Buffer.isBuffer(entry) ? entry : tarEntry(entry)));
  return gzipSync(Buffer.concat([record(), ...blocks, END]));
}

/** A good archive of these files. */
export function goodArchive(files: Readonly<Record<string, string>>): Buffer {
  const entries = Object.entries(files).map(([path, content]) =>
    tarEntry({ name: `${SLUG}/${path}`, content }),
  );
  return gzipSync(Buffer.concat([record(files), ...entries, END]));
}

/** An item from a hostile stall: a folder by its slug, a record by its fields, and files. */
export type SentItem = {
  readonly slug: string;
  readonly files?: Readonly<Record<string, string>>;
  /** Fields of the record in place of those that fit; undefined leaves one out. */
  readonly record?: Readonly<Record<string, unknown>>;
};

/** An archive of any item, with a digest that fits. */
export function itemArchive({
  slug,
  files = { 'SKILL.md': 'Hello\n' },
  record: more = {},
}: SentItem): Buffer {
  const lines = Object.entries(files)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, text]) => `${createHash('sha256').update(text).digest('hex')}  0644 ${path}\n`);
  const digest = `sha256:${createHash('sha256').update(lines.join('')).digest('hex')}`;
  const fields = { service: 'http://x', kind: 'skill', id: null, slug, version: '1', digest, signer: null };
  const entries = Object.entries({ '.svc-install': JSON.stringify({ ...fields, ...more }), ...files });
  const blocks = entries.map(([path, content]) => tarEntry({ name: `${slug}/${path}`, content }));
  return gzipSync(Buffer.concat([...blocks, END]));
}
