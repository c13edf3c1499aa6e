import { createReadStream, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createInflateRaw } from 'node:zlib';
import { readTar, type TarFile } from './archive/untar.ts';
import { unsafeName } from './path.rule.ts';
import { quote } from '../platform/base/problem.ts';

/**
 * Unpacks an edition's stored tar into a new folder, leaving out the top folder of the tar. Returns the paths of the files.
 */
export async function unpackTar(body: string, folder: string): Promise<ReadonlySet<string>> {
  const paths = new Set<string>();
  await pipeline(
    createReadStream(body),
    createInflateRaw(),
    async (source: AsyncIterable<Uint8Array>): Promise<void> => {
      for await (const file of readTar(source)) {
        const path = file.path.slice(file.path.indexOf('/') + 1);
        const unsafe = unsafeName(file.path);
        if (unsafe !== null) throw new Error(`it holds ${quote(file.path)}: ${unsafe.reason}`);
        await writeTarFile(join(folder, path), file);
        paths.add(path);
      }
    },
  );
  return paths;
}

async function writeTarFile(file: string, { executable, body }: TarFile): Promise<void> {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '', { flag: 'wx', mode: executable ? 0o755 : 0o644 });
  for await (const chunk of body()) writeFileSync(file, chunk, { flag: 'a' });
}
