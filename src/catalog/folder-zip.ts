import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { createZipWriter } from './skill-archive.ts';

/** Yields a folder as a zip, piece by piece; in the zip the folder is named `slug`. */
export function* zipFolder(folder: string, slug: string): Generator<Uint8Array> {
  let pieces: Uint8Array[] = [];
  const zip = createZipWriter((bytes) => pieces.push(bytes));
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  for (const file of entries.map(({ parentPath, name }) => join(parentPath, name)).toSorted()) {
    const executable = (statSync(file).mode & 0o100) !== 0;
    zip.add(`${slug}/${relative(folder, file).replaceAll(sep, '/')}`, readFileSync(file), { executable });
    yield* pieces;
    pieces = [];
  }
  zip.finish();
  yield* pieces;
}
