import { unzipSync } from 'fflate';
import { Refusal } from '../refusal.ts';

/** The most that an archive may hold; `bytes` is the sum of its files' sizes. */
export type UnzipLimits = { readonly files: number; readonly bytes: number };

/** Text packs to a fifth; an archive that unpacks to more than this times its size was made to fill a disk. */
const MOST_TIMES = 200;
/** Small archives of blank pages may pack better. */
const FREE_BYTES = 32 * 1024 ** 2;

/** The files of a zip archive by name. Refuses one that is damaged, or that would unpack to more than the limits, before it does. */
export function unzip(archive: Uint8Array, limits: UnzipLimits): ReadonlyMap<string, Uint8Array> {
  let [files, bytes] = [0, 0];
  const filter = ({ name, originalSize }: { name: string; originalSize: number }): boolean => {
    files += 1;
    bytes += originalSize;
    if (files > limits.files) throw refusal(`it holds more than ${limits.files} files`);
    if (bytes > limits.bytes) throw refusal(`it unpacks to more than ${limits.bytes} bytes`);
    if (bytes > FREE_BYTES && bytes > MOST_TIMES * archive.length)
      throw refusal(`it unpacks to more than ${MOST_TIMES} times its size`);
    return !name.endsWith('/');
  };
  try {
    return new Map(Object.entries(unzipSync(archive, { filter })));
  } catch (cause) {
    throw cause instanceof Refusal ? cause : refusal('it is damaged, or no zip');
  }
}

const refusal = (reason: string): Refusal =>
  new Refusal('payload-too-large', `Cannot unpack the archive: ${reason}`);
