import { type Edition } from '../catalog/catalog.ts';
import { findLinked } from './item-links.ts';
import { isAnnounced } from '../catalog/item.rule.ts';
import { findEpub } from '../catalog/path.rule.ts';
import { pictureOf, PICTURES } from '../catalog/picture.rule.ts';
import { hasEpub } from './epubs.ts';
import type { Stall } from './stall.ts';

/**
 * The facts about accessibility for an e-book's metadata and for the statement on the book's page: whether its texts show
 * pictures, whether all of them are described, whether it has formulas, and whether no picture is a GIF, which may flash.
 */
export type Accessibility = Readonly<Record<'hasPictures' | 'areDescribed' | 'hasMath' | 'isStill', boolean>>;

/**
 * Finds the facts about the EPUB that the stall makes of a book, without making it. Null if the publisher has an EPUB of their
 * own, if none is made, or if the texts cannot be read.
 */
export async function findAccessibility({ pages }: Stall, edition: Edition): Promise<Accessibility | null> {
  const { manifest, chapters } = edition;
  if (!hasEpub(edition) || findEpub(manifest.formats) !== null || isAnnounced(manifest)) return null;
  const outlines = await pages.outlines(edition).catch(() => null);
  if (outlines === null) return null;
  const files = new Set(edition.files.map(({ path }) => path));
  const shown = chapters.flatMap(({ path: from }) =>
    (outlines.get(from)?.pictures ?? []).flatMap(({ src, isDescribed }) => {
      const path = findLinked(src, from, files);
      return path === null || pictureOf(path)?.ebook == null ? [] : { path, isDescribed };
    }),
  );
  return {
    hasPictures: shown.length > 0,
    areDescribed: shown.every(({ isDescribed }) => isDescribed),
    hasMath: outlines.values().some(({ hasMath }) => hasMath),
    isStill: ![manifest.cover ?? '', ...shown.map(({ path }) => path)].map(pictureOf).includes(PICTURES.gif),
  };
}
