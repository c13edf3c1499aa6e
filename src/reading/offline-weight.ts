import { shownPicture } from '../catalog/picture.rule.ts';
import type { Edition } from '../catalog/catalog.ts';
import { listTexts } from './contents.ts';

/** The bytes of a page's frame, with the book's contents, and of the site's styles and fonts. */
const FRAME = 16_000;
const SITE = 1_200_000;

/** About how many bytes a browser stores to keep a book: markup makes a text a fifth longer. */
export function weighKept(edition: Edition): number {
  const texts = new Set(listTexts(edition).map(({ path }) => path));
  const weigh = (path: string, size: number): number =>
    texts.has(path) ? 1.2 * size + FRAME : shownPicture(path) === null ? 0 : size;
  return edition.files.reduce((sum, { path, size }) => sum + weigh(path, size), SITE);
}
