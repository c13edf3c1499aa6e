import { createHash } from 'node:crypto';
import type { Edition } from '../../../catalog/edition.ts';
import { drawCover } from './cover.ts';

/** An item's cover: its publisher's image, or a drawn one. */
export type Cover = {
  /** Made of slug and bytes: another image has another name, so that browsers may keep it for ever. */
  readonly name: string;
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

/** The URL of a cover. */
export function coverUrl(edition: Edition): string {
  return `/covers/${coverOf(edition).name}`;
}

/** The slug in a cover's name; null if the name is malformed. */
export function slugOfCover(name: string): string | null {
  return /^([a-z0-9-]+)-[0-9a-f]{16}\.[a-z]+$/.exec(name)?.[1] ?? null;
}

function makeCover({ manifest, files }: Edition): Cover {
  const { slug, cover } = manifest;
  const given = cover === null ? undefined : files.find(({ path }) => path === cover);
  if (given !== undefined) {
    const ending = given.path.slice(given.path.lastIndexOf('.') + 1).toLowerCase();
    return { name: `${slug}-${given.sha256.slice(0, 16)}.${ending}`, svg: null };
  }
  const svg = drawCover(manifest);
  const hash = createHash('sha256').update(svg).digest('hex').slice(0, 16);
  return { name: `${slug}-${hash}.svg`, svg };
}
