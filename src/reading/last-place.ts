// Where a reader is in a book: on the pages of this site, or in an e-reader, whose pointers are translated by the map of the
// e-book. The place that was received last counts.
import { type Edition, findByKey } from '../catalog/catalog.ts';
import { itemKey } from '../catalog/item.rule.ts';
import type { ItemKind, Principal } from '../platform/base/principal.ts';
import { listTexts } from './contents.ts';
import { hasBlock, spotOf } from './ebook/pointer-map.ts';
import type { DevicePlace } from './device-place.sql.ts';
import { findBlock, marksOf, type Spot } from './page-block.ts';
import type { ReadingPlace } from './reading-place.ts';
import type { Stall } from './stall.ts';

/** The device that KOReader shows for a place from this site. */
const HERE = { device: 'Bookstall', deviceId: 'bookstall' };

type LastSpot = Pick<DevicePlace, 'device' | 'deviceId' | 'receivedAt'> & {
  readonly from: 'site' | 'device';
  readonly spot: Spot;
};

/** Returns where an account last was in an item, in any edition: on this site, and on an e-reader; the newest first. */
export async function lastSpots(stall: Stall, accountId: string, kind: ItemKind, key: string) {
  const all = await stall.readingPlaces.listOnSite(accountId);
  const here = all.find((one) => one.kind === kind && one.itemKey === key);
  const places: LastSpot[] = [];
  if (here !== undefined) {
    const spot = await spotOnSite(stall, here, findByKey(stall.catalog(), kind, key));
    places.push({ ...HERE, from: 'site', receivedAt: here.readAt, spot });
  }
  const onDevices = kind === 'book' ? stall.store.listBookPlaces(accountId, key) : [];
  for (const { name, progress, ...told } of onDevices) {
    const map = await stall.epubs.findMap(name);
    const spot = map && spotOf(map, progress);
    if (spot === null) continue;
    places.push({ ...told, from: 'device', spot });
    break;
  }
  return places.sort((one, other) => other.receivedAt - one.receivedAt);
}

/** Turns a place on the site into a spot: its block is counted through all parts of a long text. */
async function spotOnSite(stall: Stall, place: ReadingPlace, edition: Edition | undefined): Promise<Spot> {
  const { path, part, block, marks } = place;
  const parts = part === 1 || edition === undefined ? [] : await partsOf(stall, edition, path);
  // The text may have fewer parts than when the place was saved.
  if (part > 1 && part > parts.length) return { path, block: 0, marks };
  const before = parts.slice(0, part - 1).reduce((sum, { length }) => sum + length, 0);
  return { path, block: before + (block ?? 0), marks };
}

/** Returns the marks of the blocks of each part of a text; no part if it cannot be read. */
async function partsOf(stall: Stall, edition: Edition, path: string) {
  const parts: (readonly string[])[] = [];
  const file = edition.files.find((one) => one.path === path);
  for (let number = 1; file !== undefined; number++) {
    const page = await stall.pages.open(edition, file, { number });
    if (page === null) break;
    parts.push(marksOf(page.page));
  }
  return parts;
}

/** A place in an edition's texts as its pages count it. `from` says where it was reached: on this site or on an e-reader. */
export type LastPlace = Pick<LastSpot, 'from'> & {
  readonly path: string;
  readonly part: number;
  readonly block: number;
};

/** The maximum number of texts that are searched for a place whose own text is gone. */
const MOST_SEARCHED = 200;

/** Returns where a reader last was in an item, in today's edition: on this site, and on an e-reader; the newest first. */
export async function lastPlaces(stall: Stall, principal: Principal, edition: Edition) {
  if (principal.kind !== 'account' || principal.keyId !== null) return [];
  const { kind } = edition.manifest;
  const places = await lastSpots(stall, principal.accountId, kind, itemKey(edition.manifest));
  const found: LastPlace[] = [];
  for (const { from, spot } of places) {
    const place = await findSpot(stall, edition, spot);
    if (place !== null) found.push({ from, ...place });
  }
  return found;
}

/** Finds a spot in its own text; if that text is gone, in the first text that has the spot's block. */
async function findSpot(stall: Stall, edition: Edition, spot: Spot) {
  const isThere = edition.files.some(({ path }) => path === spot.path);
  const paths = isThere ? [spot.path] : listTexts(edition).map(({ path }) => path);
  for (const path of paths.slice(0, MOST_SEARCHED)) {
    const parts = await partsOf(stall, edition, path);
    const marks = parts.flat();
    if (marks.length === 0 || (!isThere && !hasBlock(marks, spot))) continue;
    let block = findBlock(marks, spot) ?? spot.block;
    let part = 0;
    while (block >= parts[part]!.length && part < parts.length - 1) block -= parts[part++]!.length;
    return { path, part: part + 1, block: Number(block.toFixed(6)) };
  }
  return null;
}
