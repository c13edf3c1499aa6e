import type { Links } from '../../markup/links.ts';
import { asUri } from '../../ebook/address.ts';
import { outsideAddress } from '../../markup/links.ts';
import { findLinked } from '../reading/item-links.ts';

const PICTURE = /\.(?:png|jpe?g|gif|svg|webp|bmp|tiff?)$/i;

/** Addresses of a chapter's links until all chapters are known: `chapter:` and `picture:` before the path of a file of the item. */
export function createEbookLinks(
  from: string,
  files: ReadonlySet<string>,
  chapters: ReadonlySet<string>,
): Links {
  return {
    href(target) {
      if (target.startsWith('#')) return chapterAddress(from, target);
      const outside = outsideAddress(target);
      if (outside !== null) return asUri(outside);
      const path = findLinked(target, from, files);
      return path === null || !chapters.has(path)
        ? null
        : chapterAddress(path, /#.*/s.exec(target)?.[0] ?? '');
    },
    image(target) {
      const path = findLinked(target, from, files);
      return path === null || !PICTURE.test(path) ? null : `picture:${encodeURIComponent(path)}`;
    },
  };
}

function chapterAddress(path: string, fragment: string): string {
  return `chapter:${encodeURIComponent(path)}#${encodeURIComponent(decoded(fragment.slice(1)).toWellFormed())}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
