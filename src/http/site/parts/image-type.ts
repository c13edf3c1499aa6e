/** A Map: as an object it would have a type for "x.constructor" too. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['webp', 'image/webp'],
  ['gif', 'image/gif'],
  ['avif', 'image/avif'],
]);

/** The type of an image that browsers show and that can run nothing, by its name's ending; null for all else, SVG too. */
export function imageType(path: string): string | null {
  return TYPES.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase()) ?? null;
}
