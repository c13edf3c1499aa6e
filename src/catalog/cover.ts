import type { Edition } from './catalog.ts';
import type { ShownBundle } from './bundle.ts';
import { makersOf } from './item.rule.ts';
import { drawCover } from './drawn-cover.rule.ts';
import { pictureOf } from './picture.rule.ts';
import { previewUrl } from './stall-image.ts';
import { sha256 } from '../platform/base/runtime.ts';

const bundleCovers = new WeakMap<ShownBundle, { readonly name: string; readonly svg: string }>();

export const bundleCover = (shown: ShownBundle): { readonly name: string; readonly svg: string } =>
  bundleCovers.getOrInsertComputed(shown, ({ bundle: { slug, title }, makers }) => {
    const svg = drawCover({ kind: 'book', slug, title, makers });
    return { name: `${slug}-${sha256(svg).slice(0, 16)}.svg`, svg };
  });

/**
 * Returns the path of an image of these items for previews on other sites: the first cover that they show, else the
 * stall's own picture.
 */
export function previewImage(...editions: readonly Edition[]): string {
  const name = editions.map((edition) => coverOf(edition).name).find((one) => pictureOf(one)?.preview);
  return name !== undefined ? `/covers/${name}` : previewUrl();
}

type Cover = {
  /** The name in addresses. It changes with the image, so that browsers may cache each address for ever. */
  readonly name: string;
  /** The name of the image resized for pages; null for a drawing, and for a format that the stall cannot resize. */
  readonly small: string | null;
  readonly svg: string | null;
};

const covers = new WeakMap<Edition, Cover>();

export const coverOf = (edition: Edition): Cover => covers.getOrInsertComputed(edition, makeCover);

export function coverUrl(edition: Edition): string {
  const { name, small } = coverOf(edition);
  return `/covers/${small ?? name}`;
}

function makeCover({ manifest, files }: Edition): Cover {
  const { slug, cover } = manifest;
  const given = cover === null ? undefined : files.find(({ path }) => path === cover);
  if (given !== undefined) {
    const ending = given.path.slice(given.path.lastIndexOf('.') + 1).toLowerCase();
    const stem = `${slug}-${given.sha256.slice(0, 16)}`;
    const small = pictureOf(given.path)?.small ? `${stem}-480.webp` : null;
    return { name: `${stem}.${ending}`, small, svg: null };
  }
  const svg = drawCover({ ...manifest, makers: makersOf(manifest) });
  const hash = sha256(svg).slice(0, 16);
  return { name: `${slug}-${hash}.svg`, small: null, svg };
}
