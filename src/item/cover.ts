import type { ItemFile, Manifest } from './item.ts';
import { type Problem, quote, warning } from './problem.ts';

/** The largest cover without a warning, in bytes: other sites fetch it as it is, and most refuse larger images. */
const MAX_BYTES = 1024 * 1024;

/** Warns of a cover over 1 MB. */
export function coverProblems(
  { cover }: Manifest,
  files: readonly Pick<ItemFile, 'path' | 'size'>[],
): readonly Problem[] {
  const size = files.find(({ path }) => path === cover)?.size ?? 0;
  if (cover === null || size <= MAX_BYTES) return [];
  const sentence = `The cover ${quote(cover)} has ${(size / MAX_BYTES).toFixed(1)} MB`;
  return [
    warning('large-cover', cover, sentence, 'Save it smaller: 1,200 pixels in width and 1 MB are enough'),
  ];
}

/** A Map, since an object would have a type for "x.constructor" too. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['webp', 'image/webp'],
  ['gif', 'image/gif'],
  ['avif', 'image/avif'],
]);

/**
 * The type of an image that a page may show, SVG too: in a page it runs nothing. Opened by itself it could, so it is
 * sent as a download. Null for any other file.
 */
export function shownImageType(path: string): string | null {
  return imageType(path) ?? (/\.svg$/i.test(path) ? 'image/svg+xml' : null);
}

/** The type of an image that browsers show and that cannot run anything, by its extension; null for any other file, SVG too. */
export function imageType(path: string): string | null {
  return TYPES.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase()) ?? null;
}
