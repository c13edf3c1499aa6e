// Reads the archives that `tar.ts` writes, and no others: ustar with pax headers for path and size, POSIX.1-2017 (IEEE Std
// 1003.1), utility `pax`. Everything else is refused, such as links, devices, GNU names, folders, global headers and sizes in
// base 256: with links, an archive could write outside of its folder.
import { Refusal } from '../../platform/base/refusal.ts';
import { BLOCK } from './tar.ts';

const MAX_PAX = 64 * 1024;
/** The maximum number of zero bytes after the end of the archive; without a limit they could go on for ever. */
const MAX_PADDING = 1024 * 1024;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A regular file in the archive. Read its content, the `size` bytes of `body`, before the next file. */
export type TarFile = {
  readonly path: string;
  readonly size: number;
  readonly executable: boolean;
  readonly body: () => AsyncGenerator<Uint8Array>;
};

/**
 * Yields the files of a tar in order. Refuses (`tarball-failed`) anything that `tar.ts` would not write; does not check
 * names.
 */
export async function* readTar(source: AsyncIterable<Uint8Array>): AsyncGenerator<TarFile> {
  const bytes = createByteReader(source);
  let pax: Pax | null = null;
  for (;;) {
    const block = await bytes.take(BLOCK);
    if (isZero(block)) break;
    const header = readHeader(block);
    if (header.type === 'x') {
      if (pax !== null) throw broken('it holds two pax headers for one file');
      if (header.size > MAX_PAX) throw broken(`it holds a pax header of ${header.size} bytes`);
      pax = readPax(await bytes.take(header.size));
      await bytes.skip(padding(header.size));
      continue;
    }
    if (header.type !== '0')
      throw broken(`${JSON.stringify(header.name)} is ${KINDS[header.type] ?? 'not a regular file'}`);
    const size: number = pax?.size ?? header.size;
    yield* file(bytes, { path: pax?.path ?? header.name, size, executable: header.executable });
    pax = null;
  }
  if (pax !== null || !isZero(await bytes.take(BLOCK))) throw broken('it does not end as a tar does');
  let after = 0;
  for await (const rest of bytes.rest()) {
    after += rest.length;
    if (after > MAX_PADDING || !isZero(rest)) throw broken('bytes follow its end');
  }
}

const KINDS: Readonly<Record<string, string>> = {
  '1': 'a hard link',
  '2': 'a symbolic link',
  '3': 'a device',
  '4': 'a device',
  '5': 'a folder entry',
  '6': 'a named pipe',
};

async function* file(bytes: ByteReader, entry: Omit<TarFile, 'body'>): AsyncGenerator<TarFile> {
  let left = entry.size;
  yield {
    ...entry,
    async *body() {
      while (left > 0) {
        const part = await bytes.some(left);
        left -= part.length;
        yield part;
      }
    },
  };
  await bytes.skip(left + padding(entry.size));
}

function readHeader(block: Uint8Array) {
  const text = (from: number, length: number): string => {
    const field = block.subarray(from, from + length);
    const end = field.indexOf(0);
    return decode(end === -1 ? field : field.subarray(0, end));
  };
  if (readOctal(text(148, 8)) !== checksum(block)) throw broken('a header has the wrong checksum');
  if (text(257, 6) !== 'ustar') throw broken('it is no ustar archive');
  const prefix = text(345, 155);
  const name = text(0, 100);
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    size: readOctal(text(124, 12)),
    executable: (readOctal(text(100, 8)) & 0o100) !== 0,
    type: String.fromCharCode(block[156] || 0x30),
  };
}

function checksum(block: Uint8Array): number {
  let sum = 8 * 0x20;
  for (let at = 0; at < BLOCK; at++) if (at < 148 || at >= 156) sum += block[at] ?? 0;
  return sum;
}

function readOctal(text: string): number {
  const digits = text.trim();
  if (!/^[0-7]{1,12}$/.test(digits)) throw broken('a header has a malformed number');
  return Number.parseInt(digits, 8);
}

type Pax = { readonly path?: string; readonly size?: number };

/**
 * Parses pax records `%d %s=%s\n`, where the length `%d` counts its own digits too. Accepts the keywords path and size, each
 * once.
 */
function readPax(content: Uint8Array): Pax {
  const records = new Map<string, string>();
  for (let at = 0; at < content.length;) {
    const [, digits = '', key = ''] =
      /^(\d{1,6}) ([^=\n]+)=/.exec(decodeLoosely(content.subarray(at, at + 64))) ?? [];
    const end = at + Number(digits);
    if (digits === '' || end > content.length || content[end - 1] !== 0x0a)
      throw broken('a pax header is malformed');
    if (key !== 'path' && key !== 'size') throw broken(`a pax header sets ${JSON.stringify(key)}`);
    if (records.has(key)) throw broken(`a pax header sets ${JSON.stringify(key)} twice`);
    records.set(key, decode(content.subarray(at + digits.length + key.length + 2, end - 1)));
    at = end;
  }
  const [path, size] = [records.get('path'), records.get('size')];
  if (size !== undefined && !/^\d{1,15}$/.test(size)) throw broken('a pax header has a malformed size');
  return { ...(path === undefined ? {} : { path }), ...(size === undefined ? {} : { size: Number(size) }) };
}

function createByteReader(source: AsyncIterable<Uint8Array>) {
  const chunks = source[Symbol.asyncIterator]();
  let held: Uint8Array = new Uint8Array(0);
  const fill = async (): Promise<boolean> => {
    while (held.length === 0) {
      const { done, value } = await chunks.next();
      if (done === true) return false;
      held = value;
    }
    return true;
  };
  /** Reads at least one byte, and at most `most` bytes. Refuses if the archive has ended. */
  const some = async (most: number): Promise<Uint8Array> => {
    if (!(await fill())) throw broken('it ends too early');
    const part = held.subarray(0, most);
    held = held.subarray(part.length);
    return part;
  };
  return {
    some,
    async take(length: number): Promise<Uint8Array> {
      const first = length === 0 ? held.subarray(0, 0) : await some(length);
      if (first.length === length) return first;
      const whole = new Uint8Array(length);
      whole.set(first);
      for (let at = first.length; at < length;) {
        const part = await some(length - at);
        whole.set(part, at);
        at += part.length;
      }
      return whole;
    },
    async skip(length: number): Promise<void> {
      for (let left = length; left > 0;) left -= (await some(left)).length;
    },
    async *rest(): AsyncGenerator<Uint8Array> {
      while (await fill()) yield await some(held.length);
    },
  };
}

type ByteReader = ReturnType<typeof createByteReader>;

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw broken('a name in it is not UTF-8');
  }
}

const decodeLoosely = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const padding = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK;
const isZero = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0);

const broken = (reason: string): Refusal => Refusal.damaged(`Cannot unpack the archive: ${reason}`);
