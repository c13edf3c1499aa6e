import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Edition } from '../catalog/catalog.ts';
import type { ItemFolder } from '../catalog/compile-job.ts';
import {
  type EditionSignature,
  judgeQuotes,
  judgeSignature,
  QUOTES,
  QUOTES_SIGNATURE,
  SIGNATURE,
  SIGNED,
  verifyEdition,
} from '../catalog/edition-signature.rule.ts';
import { readText } from '../catalog/file-scan.ts';
import { itemDigest, type ItemFile, type Manifest } from '../catalog/item.rule.ts';
import { growTree } from '../catalog/quote-tree.rule.ts';
import { noDefaults } from '../catalog/stall-manifest.rule.ts';
import type { Problem } from '../platform/base/problem.ts';

/**
 * Reads the signature in an item's folder, and that of a book's quotes, and checks both against the files. Null if there is
 * none. The texts are not read again if the previous edition has the same files and signed quotes.
 */
export function readSignature(
  { folder, defaults = noDefaults }: ItemFolder,
  files: readonly ItemFile[],
  manifest: Manifest,
  previous: Edition | null,
): EditionSignature | Problem | null {
  const read = (path: string) => readText(folder, path);
  const expected = { ...manifest, digest: itemDigest(files) };
  const [armored, text] = [read(SIGNATURE), read(SIGNED)];
  const signature = judgeSignature(armored, text, expected, defaults.requiredSigners);
  if (manifest.kind === 'skill' || (signature !== null && 'severity' in signature)) return signature;
  const known = previous?.digest === expected.digest ? previous.manifest.signature?.quotes?.tree : null;
  const grow = () => known ?? growTree(files, (path) => readFileSync(join(folder, path)));
  const edition = verifyEdition(armored ?? '', text ?? '');
  const quotes = judgeQuotes(read(QUOTES_SIGNATURE), read(QUOTES), edition, grow);
  if (quotes !== null && 'severity' in quotes) return quotes;
  return signature && { ...signature, quotes };
}
