import { asset } from '../platform/http/answer.ts';
import { sha256 } from '../platform/base/runtime.ts';
import { hashedName, sendSiteFile } from '../platform/site/assets.ts';
import { pictureOf } from './picture.rule.ts';
import type { StallEdition } from './stall-edition.ts';

/**
 * The picture that other sites show with links to items without a cover: a striped awning over a table, a PNG of 1200 by 630
 * pixels.
 */
const PREVIEW = asset(
  'image/png',
  Uint8Array.fromBase64(
    'iVBORw0KGgoAAAANSUhEUgAABLAAAAJ2AQMAAAB1jukfAAAABlBMVEX7+PKlNB9niPQsAAABHElEQVR42u3csQ0AIAwDwWzA/ltmA6hBdBAJpLvWzU/gCAAAAAAAAAAAAAAAAAAAAAAAqNb6JO+tsmTJkiVLlixZsmTJkiVLlixZsmTJkiVLlixZsmTJkiVLlixZsmTJkiVLlixZsmTJkiVLlixZsmTJkiVLlixZsmTJkiVLlixZsmTJkiVLlixZsmTJkiVLlixZsmTJkiVLlixZsmTJkiVLlixZsmTJkiVLlixZsmTJkiVLlixZsmTJkiVLlixZsmS9lgUAAAAAAAAAAAAAAAAAAABQbzlPOJGyZMmSJUuWLFmyZMmSJUuWLFmyZMmSJUuWLFmyZMmSJUuWLFmyZMmSJUuWLFl/ZQEAAAAAAAAAAAAAAAAAAAAAwN4AFcA17EqNtwIAAAAASUVORK5CYII=',
  ),
);
const PREVIEW_NAME = hashedName('preview.png', PREVIEW);

export const previewUrl = (): string => `/assets/${PREVIEW_NAME}`;

export const sendAssetOf = (request: Request, edition: StallEdition, name: string): Promise<Response> =>
  sendSiteFile(request, name, name === PREVIEW_NAME ? PREVIEW : imagesOf(edition).byName.get(name));

const images = new WeakMap<StallEdition, ReturnType<typeof nameImages>>();

const imagesOf = (edition: StallEdition) => images.getOrInsertComputed(edition, nameImages);

export const imageUrls = (edition: StallEdition): Readonly<Record<string, string>> => imagesOf(edition).urls;

function nameImages(edition: StallEdition) {
  const all = Object.entries(edition.images).map(([path, base64]) => {
    const bytes = new Uint8Array(Buffer.from(base64, 'base64'));
    const name = `image-${sha256(bytes).slice(0, 16)}${path.slice(path.lastIndexOf('.')).toLowerCase()}`;
    return { path, name, made: asset(pictureOf(path)!.type, bytes) };
  });
  return {
    urls: Object.fromEntries(all.map(({ path, name }) => [path, `/assets/${name}`])),
    byName: new Map(all.map(({ name, made: one }) => [name, one])),
  };
}
