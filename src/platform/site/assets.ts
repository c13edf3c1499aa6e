import { ToldRefusal } from '../base/told.ts';
import { asset, type Asset, sendAsset, FOR_EVER } from '../http/answer.ts';
import { awningSheet } from './awning.ts';
import { bundle } from './bundle.ts' with { type: 'macro' };
import { fontPath } from './bundle.ts';

const DEFAULT_AWNING = '#a5341f';

const CSS = 'text/css; charset=utf-8';
const SVG = 'image/svg+xml';
const SCRIPT = 'text/javascript; charset=utf-8';

const STYLE = bundle('style/site.css');

/**
 * The style sheet and scripts. `hashedName` adds a hash of the content to a name, so that browsers may keep the file for ever.
 */
const SITE = {
  'site.css': asset(CSS, STYLE),
  'site.js': asset(SCRIPT, bundle('browser/site.ts')),
  'check-quote.js': asset(SCRIPT, bundle('../../asking/check-quote.browser.ts')),
  'offline-button.js': asset(SCRIPT, bundle('../../reading/offline-button.browser.ts')),
  'offline.js': asset(SCRIPT, bundle('../../reading/offline-worker.browser.ts')),
};

/** The service worker. It is also sent at a fixed address, so that browsers find its next version. */
export const OFFLINE_WORKER = SITE['offline.js'];

export const hashedName = (name: string, { etag }: Asset): string =>
  name.replace('.', `-${etag.slice(1, 13)}.`);

const names = new Map(Object.entries(SITE).map(([name, file]) => [name, hashedName(name, file)]));
const files = new Map(Object.entries(SITE).map(([name, file]) => [names.get(name), file]));

/** The fonts of the style sheet, each with its file and hash, by the last part of its URL. */
const FONTS = new Map(
  [...STYLE.matchAll(/\/assets\/([a-z0-9-]+)-([0-9a-f]{12})\.woff2/g)].map(([url, name, hash]) => [
    url.slice('/assets/'.length),
    { name: `${name}.woff2`, hash },
  ]),
);

const fontUrls = (...names: string[]): readonly string[] =>
  names.map((name) => `/assets/${[...FONTS].find(([, font]) => font.name === `${name}.woff2`)?.[0]}`);

/**
 * The URLs of the fonts for the top of every page. Pages name them, so that browsers load them before they read the style
 * sheet.
 */
export const FIRST_FONTS = fontUrls('literata-latin-wght-normal', 'source-sans-3-latin-wght-normal');

/**
 * The URLs of fonts that the next pages may need. Browsers load them last, so that no text changes its look after it was drawn.
 */
export const LATER_FONTS = fontUrls('literata-latin-wght-italic', 'source-code-pro-latin-wght-normal');

const DRAWN: ReadonlyMap<string, (awning: string) => Asset> = new Map([
  ['awning-.css', (awning: string) => asset(CSS, awningSheet(awning))],
  ['icon-.svg', (awning: string) => asset(SVG, drawIcon(awning))],
]);

export const assetUrl = (name: keyof typeof SITE): string => `/assets/${names.get(name)}`;

export const awningUrl = (awning: string | null): string | null =>
  awning === null || awning === DEFAULT_AWNING ? null : `/assets/awning-${awning.slice(1)}.css`;

export const iconUrl = (awning: string | null): string =>
  `/assets/icon-${(awning ?? DEFAULT_AWNING).slice(1)}.svg`;

/** The URLs of the files that a page needs when it is read offline. */
export const offlineFiles = (awning: string | null): readonly string[] => [
  ...(['site.css', 'site.js', 'offline-button.js'] as const).map(assetUrl),
  ...[...FONTS.keys()].map((name) => `/assets/${name}`),
  iconUrl(awning),
  ...[awningUrl(awning)].filter((url) => url !== null),
];

/** Sends a style sheet, a script, a font or an icon, else `own`, the stall's file of this name. Refuses an unknown name. */
export async function sendSiteFile(request: Request, name: string, own: Asset | undefined) {
  const found = findAsset(name) ?? own;
  if (found === undefined) throw new ToldRefusal('not-found', (r) => r.request.noFile);
  const isText = files.has(name) && found.type.startsWith('text/');
  const sent = await packedFor(request, found, isText);
  return sendAsset(request, sent, {
    ...(isText ? { Vary: 'Accept-Encoding', ...sent.coding } : {}),
    'Cache-Control': FOR_EVER,
    // Keeps an SVG that is opened by itself from acting as a page of the stall.
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  });
}

/**
 * Returns an asset, compressed with gzip if `mayBePacked` is set and the client accepts that. Do not set it for a text with
 * something of one reader: the compressed length would reveal it (https://www.breachattack.com).
 */
export async function packedFor(
  request: Request,
  text: Asset,
  mayBePacked: boolean,
): Promise<Asset & { readonly coding: Readonly<Record<string, string>> }> {
  if (!mayBePacked || !/\bgzip\b/.test(request.headers.get('accept-encoding') ?? ''))
    return { ...text, coding: {} };
  const body = await packed.getOrInsertComputed(text, pack);
  return { ...text, body, etag: text.etag.replace(/"$/, '-gzip"'), coding: { 'Content-Encoding': 'gzip' } };
}

const packed = new WeakMap<Asset, Promise<Blob>>();

const pack = async ({ body }: Asset): Promise<Blob> =>
  new Blob([Bun.gzipSync(await body.bytes(), { level: 9 })]);

function findAsset(name: string): Asset | null {
  const [, before, colour, after] = /^([a-z]+-)([0-9a-f]{6})(\.[a-z]+)$/.exec(name) ?? [];
  return files.get(name) ?? findFont(name) ?? DRAWN.get(`${before}${after}`)?.(`#${colour}`) ?? null;
}

function findFont(name: string): Asset | null {
  const font = FONTS.get(name);
  return font === undefined
    ? null
    : { type: 'font/woff2', body: Bun.file(fontPath(font.name)), etag: `"${font.hash}"` };
}

function drawIcon(awning: string): string {
  const stripes = [0, 1, 2, 3, 4].map((index) => {
    const left = 1 + index * 6;
    const colour = index % 2 === 0 ? awning : '#fbf8f2';
    return `<path fill="${colour}" d="M${left} 4h6v11a3 3 0 0 1-6 0z"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${stripes.join('')}<path fill="${awning}" d="M4 24h24v4H4z"/></svg>\n`;
}
