// Prints the SHA-256 of the fixed tree's archives; a program of its own, so that it runs in any time zone.
// Stored, not deflated: what zlib makes of a text may differ from one processor to another.
import { storedBlock } from '../../../src/catalog/archive/gzip.ts';
import { everyKind, tarGz, zipOf } from './tree.ts';

const sha256 = (bytes: Uint8Array) => new Bun.CryptoHasher('sha256').update(bytes).digest('hex');
console.log(
  JSON.stringify({
    tarGz: sha256(tarGz(everyKind, 65_536, storedBlock)),
    zip: sha256(zipOf(everyKind, 65_536, storedBlock)),
  }),
);
