import type { Edition } from '../../../catalog/edition.ts';
import { previewUrl } from '../frame/assets.ts';
import { coverOf } from './cover-name.ts';

/** The path of an image that other sites can show: the publisher's cover if it is a PNG or JPEG, else the stall's picture. */
export function previewImage(edition: Edition): string {
  const { name } = coverOf(edition);
  return /\.(?:png|jpe?g)$/.test(name) ? `/covers/${name}` : previewUrl();
}
