import { createHash } from 'node:crypto';
import type { ShownBundle } from '../../../service/bundles.ts';
import { drawCover } from '../../../cover/cover.ts';

const covers = new WeakMap<ShownBundle, { readonly name: string; readonly svg: string }>();

/** The drawn cover of a bundle, with its name below /covers/. */
export function bundleCover(shown: ShownBundle): { readonly name: string; readonly svg: string } {
  const known = covers.get(shown);
  if (known !== undefined) return known;
  const { slug, title } = shown.bundle;
  const svg = drawCover({ kind: 'book', slug, title, publisher: shown.makers });
  const hash = createHash('sha256').update(svg).digest('hex').slice(0, 16);
  const made = { name: `${slug}-${hash}.svg`, svg };
  covers.set(shown, made);
  return made;
}
