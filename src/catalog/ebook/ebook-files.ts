import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { createContentDecoder } from '../file-content.ts';
import type { EbookFiles } from './ebook-job.ts';

/** Bytes read at a time; a multiple of four, as base64 has it. */
const PIECE = 1 << 18;

/** Reads files of an edition by their paths; null for a path that it has not. */
export function createFileReader(source: EbookFiles): (path: string) => Buffer | null {
  return (path) => {
    const pieces = [...readPieces(source, path)];
    return pieces.length === 0 ? null : Buffer.concat(pieces);
  };
}

/** The bytes of a file in pieces; none for a path that the edition has not. */
export function* readPieces(source: EbookFiles, path: string): Generator<Uint8Array> {
  if ('folder' in source) {
    // The paths are those of an archive that was unpacked here, each of which was judged.
    yield* readFrom(join(source.folder, path), 0, Infinity, (part) => part.slice());
    return;
  }
  const place = placesOf(source).get(path);
  if (place !== undefined)
    yield* readFrom(source.artefact, place.start, place.end, createContentDecoder(place));
}

type Places = ReadonlyMap<string, { readonly text: boolean; readonly start: number; readonly end: number }>;

const known = new WeakMap<EbookFiles, Places>();

function placesOf(source: Exclude<EbookFiles, { readonly folder: string }>): Places {
  const places = known.get(source) ?? new Map(source.places.map((place) => [place.path, place]));
  known.set(source, places);
  return places;
}

function* readFrom(
  file: string,
  start: number,
  end: number,
  decode: (part: Uint8Array, isLast: boolean) => Uint8Array,
): Generator<Uint8Array> {
  const descriptor = openSync(file, 'r');
  const buffer = Buffer.alloc(PIECE);
  try {
    for (let at = start; ;) {
      const read = readSync(descriptor, buffer, 0, Math.min(PIECE, end - at), at);
      at += read;
      yield decode(buffer.subarray(0, read), at === end || read === 0);
      if (read === 0 || at === end) return;
    }
  } finally {
    closeSync(descriptor);
  }
}
