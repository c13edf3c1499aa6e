/** The types of whole editions for reading, by the ending of their files. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['epub', 'application/epub+zip'],
  ['pdf', 'application/pdf'],
]);

/** The media type of a file that `formats` may name; null for any other. */
export function formatType(path: string): string | null {
  return TYPES.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase()) ?? null;
}

/** The first of the named formats that is an EPUB; null if there is none. */
export function findEpub(formats: readonly string[]): string | null {
  return formats.find((path) => formatType(path) === 'application/epub+zip') ?? null;
}
