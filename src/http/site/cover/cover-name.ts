import { createHash } from 'node:crypto';
import type { Edition } from '../../../catalog/edition.ts';
import { drawCover } from '../../../cover/cover.ts';

/** An item's cover: its publisher's image, or a drawn one. */
export type Cover = {
  /** Made of slug and bytes: another image has another name, so that browsers may keep it for ever. */
  readonly name: string;
  /** The name of the image resized for pages; null if it is not resized: a drawing, or a format that the stall cannot read. */
  readonly small: string | null;
  /** The drawing; null if there is an image. */
  readonly svg: string | null;
};

const covers = new WeakMap<Edition, Cover>();

/** The cover of an edition; drawn once. */
export function coverOf(edition: Edition): Cover {
  const known = covers.get(edition);
  if (known !== undefined) return known;
  const made = makeCover(edition);
  covers.set(edition, made);
  return made;
}

/** The URL of a cover as pages show it. */
export function coverUrl(edition: Edition): string {
  const { name, small } = coverOf(edition);
  return `/covers/${small ?? name}`;
}

/** The slug in a cover's name; null if the name is malformed. */
export function slugOfCover(name: string): string | null {
  return /^([a-z0-9-]+)-[0-9a-f]{16}(?:-480)?\.[a-z]+$/.exec(name)?.[1] ?? null;
}

function makeCover({ manifest, files }: Edition): Cover {
  const { slug, cover } = manifest;
  const given = cover === null ? undefined : files.find(({ path }) => path === cover);
  if (given !== undefined) {
    const ending = given.path.slice(given.path.lastIndexOf('.') + 1).toLowerCase();
    const stem = `${slug}-${given.sha256.slice(0, 16)}`;
    const small = /^(?:png|jpe?g|webp|gif)$/.test(ending) ? `${stem}-480.webp` : null;
    return { name: `${stem}.${ending}`, small, svg: null };
  }
  const svg = drawCover(manifest);
  const hash = createHash('sha256').update(svg).digest('hex').slice(0, 16);
  return { name: `${slug}-${hash}.svg`, small: null, svg };
}
