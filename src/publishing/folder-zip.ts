import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { comparePaths } from '../catalog/path.rule.ts';
import { hashOwnFiles } from './pushed.ts';
import { walkItem } from './scan.ts';
import { type ItemFolder } from '../catalog/compile-job.ts';
import { createZipWriter } from '../catalog/skill-archive.ts';

/**
 * Yields the folder of a pushed item as a zip, piece by piece; in the zip the folder is named by its slug. It has the
 * files that the folder's hash covers, and no others.
 */
export function* zipFolder(item: ItemFolder): Generator<Uint8Array> {
  let pieces: Uint8Array[] = [];
  const zip = createZipWriter((bytes) => pieces.push(bytes));
  const files = [...walkItem(item).files, ...hashOwnFiles(item)];
  for (const { path, executable } of files.toSorted((a, b) => comparePaths(a.path, b.path))) {
    zip.add(`${item.slug}/${path}`, readFileSync(join(item.folder, path)), { executable });
    yield* pieces;
    pieces = [];
  }
  zip.finish();
  yield* pieces;
}
