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
