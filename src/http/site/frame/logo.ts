import { createHash } from 'node:crypto';
import type { StallEdition } from '../../../catalog/stall-edition.ts';
import { asset, type Asset } from './assets.ts';
import { imageType } from '../../../item/image-type.ts';

type Logo = { readonly name: string; readonly asset: Asset };

const logos = new WeakMap<StallEdition, Logo>();

/** The URL of the stall's logo: another image has another name. Null without one. */
export function logoUrl(edition: StallEdition): string | null {
  const logo = logoOf(edition);
  return logo === null ? null : `/assets/${logo.name}`;
}

/** The stall's logo, if that is its current name. */
export function findLogo(edition: StallEdition, name: string): Asset | null {
  const logo = logoOf(edition);
  return logo?.name === name ? logo.asset : null;
}

function logoOf(edition: StallEdition): Logo | null {
  const known = logos.get(edition);
  if (known !== undefined) return known;
  const path = edition.stall.logo;
  if (path === null || edition.logo === null) return null;
  const bytes = new Uint8Array(Buffer.from(edition.logo, 'base64'));
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  const made = {
    name: `logo-${hash}.${ending}`,
    asset: asset(imageType(path) ?? 'image/svg+xml', bytes),
  };
  logos.set(edition, made);
  return made;
}
