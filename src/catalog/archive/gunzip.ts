import { createGunzip } from 'node:zlib';
import { Refusal } from '../../platform/base/refusal.ts';

/**
 * Decompresses a gzip file (RFC 1952). Refuses (`tarball-failed`) one that is damaged, or has a second member, which
 * many programs would ignore.
 */
export async function* gunzip(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  let tail = Buffer.alloc(0);
  const inflate = createGunzip({ chunkSize: 256 * 1024 });
  const feed = async (): Promise<void> => {
    for await (const chunk of source) {
      tail = Buffer.concat([tail, chunk.subarray(-4)]).subarray(-4);
      if (!inflate.write(chunk))
        await new Promise<unknown>((resolve) => inflate.once('drain', resolve).once('close', resolve));
      if (inflate.destroyed) return;
    }
    inflate.end();
  };
  void feed().catch((error: Error) => inflate.destroy(error));
  try {
    for await (const chunk of inflate as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      yield chunk;
    }
  } catch (error) {
    throw error instanceof Refusal
      ? error
      : refuse(DAMAGE[(error as { code?: string }).code ?? ''] ?? String(error));
  } finally {
    inflate.destroy();
  }
  // A difference means a second member: ISIZE counts only the last one.
  if (tail.length < 4 || tail.readUInt32LE() !== size >>> 0)
    throw refuse('it holds more than one gzip member');
}

const DAMAGE: Readonly<Record<string, string>> = {
  Z_BUF_ERROR: 'it is cut short',
  Z_DATA_ERROR: 'it is damaged, or not gzip',
};

function refuse(reason: string): Refusal {
  return Refusal.damaged(`Cannot unpack the archive: ${reason}`);
}
