import { bytesAddress, readingAddress } from './item-links.ts';
import { access, seenBy, servedBySlug } from '../accounts/access.ts';
import type { Principal } from '../platform/base/principal.ts';
import { sha256 } from '../platform/base/runtime.ts';
import { sendAsset } from '../platform/http/answer.ts';
import { assetUrl, iconUrl, OFFLINE_WORKER, offlineFiles } from '../platform/site/assets.ts';
import { sendPage } from '../platform/site/page.tsx';
import { type OfflineContents, NOBODY } from './offline-contents.rule.ts';
import { listPictures } from '../catalog/picture.rule.ts';
import { listTexts } from './contents.ts';
import type { Http } from './stall.ts';

/** Shows the page that lists what this device keeps: its script fills the list. */
export function showKept({ viewOf }: Http, visitor: Principal): Response {
  const view = viewOf(visitor);
  const { offline } = view.words.reading;
  return sendPage(
    view,
    { title: offline.title, lead: offline.lead },
    <>
      <div class="kept-books">
        <ul />
        <p class="quiet" data-said="none">
          {offline.none}
        </p>
        <template>
          <li>
            <a dir="auto" />{' '}
            <button type="button" class="button quiet">
              {offline.remove}
            </button>
          </li>
        </template>
      </div>
      <p class="quiet">{offline.ends}</p>
      <p class="quiet">{offline.safari}</p>
      <script src={assetUrl('offline-button.js')} defer />
    </>,
  );
}

/** Answers `GET /books/:slug/offline` with the pages and files of a book, for who may read it. Refuses as reading it does. */
export function sendOfflineContents({ stall, viewOf }: Http, visitor: Principal, slug: string): Response {
  const edition = seenBy(visitor, servedBySlug(stall, visitor, slug, 'book'));
  access(stall, visitor, { edition, action: 'read' });
  const { manifest, digest } = edition;
  const { words, reader, manifest: shop } = viewOf(visitor);
  const pages = listTexts(edition).map(({ path }) => readingAddress(manifest, path));
  const pictures = listPictures(edition.files).map(({ path }) => bytesAddress(path, manifest));
  const files = [...offlineFiles(shop.awning), ...(shop.logo === null ? [] : [shop.logo]), ...pictures];
  const list: OfflineContents = {
    slug: manifest.slug,
    title: manifest.title,
    reader: reader ?? NOBODY,
    version: sha256([digest, reader, words.language, shop.name, ...files].join('\n')).slice(0, 16),
    pages: [...pages, '/offline'],
    files,
  };
  return Response.json(list, { headers: { 'Cache-Control': 'no-store', Vary: 'Cookie' } });
}

/** Sends the service worker. It may ask this stall alone. */
export const sendWorker = (request: Request): Response =>
  sendAsset(request, OFFLINE_WORKER, {
    'Cache-Control': 'public, no-cache',
    'Content-Security-Policy': "default-src 'none'; connect-src 'self'",
  });

/** Sends the web app manifest (https://www.w3.org/TR/appmanifest/): an installed library opens with what is kept. */
export const sendAppManifest = ({ stall }: Http): Response => {
  const { name, awning } = stall.manifest();
  const icons = [{ src: iconUrl(awning), type: 'image/svg+xml', sizes: 'any' }];
  const app = { name, id: '/offline', start_url: '/offline', scope: '/', display: 'minimal-ui', icons };
  return new Response(JSON.stringify(app), {
    headers: { 'Content-Type': 'application/manifest+json', 'Cache-Control': 'public, no-cache' },
  });
};
