import { join } from 'node:path';
import type { EbookFiles } from './ebook-job.ts';
import { statSync } from 'node:fs';
import { decodePieces, readPieces } from './file-content.ts';

/** The bytes of a file in pieces, each valid until the next; none for a path that the edition has not. */
export function* readFile(source: EbookFiles, path: string): Generator<Uint8Array> {
  if ('folder' in source) {
    // The paths are those of an archive that was unpacked here, each of which was judged.
    const file = join(source.folder, path);
    yield* readPieces({ file, start: 0, end: statSync(file).size });
    return;
  }
  const place = placesOf(source).get(path);
  if (place !== undefined) yield* decodePieces(readPieces({ ...place, file: source.artefact }), place);
}

type Places = ReadonlyMap<string, { readonly text: boolean; readonly start: number; readonly end: number }>;

const known = new WeakMap<EbookFiles, Places>();

function placesOf(source: Exclude<EbookFiles, { readonly folder: string }>): Places {
  return known.getOrInsertComputed(source, () => new Map(source.places.map((place) => [place.path, place])));
}

/** Reads files of an edition by their paths; null for a path that it has not. */
export function createFileReader(source: EbookFiles): (path: string) => Buffer | null {
  return (path) => {
    const pieces = Array.from(readFile(source, path), (piece) => piece.slice());
    return pieces.length === 0 ? null : Buffer.concat(pieces);
  };
}
