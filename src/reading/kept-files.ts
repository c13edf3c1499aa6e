import { shownImageType } from '../catalog/path.rule.ts';
import type { Edition } from '../catalog/catalog.ts';
import { listTexts } from './contents.ts';

/** The pictures of an edition that pages may show. */
export const listPictures = ({ files }: Edition) => files.filter(({ path }) => shownImageType(path) !== null);

/** The bytes of a page's frame, with the book's contents, and of the site's styles and fonts. */
const FRAME = 16_000;
const SITE = 1_200_000;

/** About how many bytes a browser stores to keep a book: markup makes a text a fifth longer. */
export function weighKept(edition: Edition): number {
  const texts = new Set(listTexts(edition).map(({ path }) => path));
  const weights = edition.files.map(({ path, size }) => (texts.has(path) ? 1.2 * size + FRAME : 0));
  const pictures = listPictures(edition).map(({ size }) => size);
  return Math.round([...weights, ...pictures].reduce((sum, size) => sum + size, SITE));
}
