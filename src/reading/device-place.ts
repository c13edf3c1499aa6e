// Where a reader is in a book: on the pages of this site, or in an e-reader, whose pointers are translated by the map of the
// e-book. The place that was received last counts.
import { type Edition, findByKey } from '../catalog/catalog.ts';
import { itemKey } from '../catalog/item.rule.ts';
import type { ItemKind, KeyPrincipal, Principal } from '../platform/base/principal.ts';
import { listTexts } from './contents.ts';
import { hasBlock, type PointerMap, pointerOf, spotOf } from './ebook/pointer-map.ts';
import type { DevicePlace, Ebook } from './device-place.sql.ts';
import { findBlock, marksOf, type Spot } from './page-block.ts';
import type { ReadingPlace } from './reading-place.ts';
import type { Stall } from './stall.ts';

/** The device that KOReader shows for a place from this site. */
const HERE = { device: 'Bookstall', deviceId: 'bookstall' };

export const keepDevicePlace = (
  { store }: Stall,
  { accountId, keyId }: KeyPrincipal,
  place: DevicePlace,
): Promise<void> => store.write.putDevicePlace({ ...place, accountId, keyId });

/**
 * Finds where an account last read in a document; null if nothing is known. A newer place on the site or in another e-book is
 * returned only if the document surely has it, since KOReader opens the first page for a pointer that leads nowhere.
 */
export async function findDevicePlace(
  stall: Stall,
  accountId: string,
  document: string,
): Promise<DevicePlace | null> {
  const told = stall.store.findDevicePlace(accountId, document);
  return Promise.race([findNewest(stall, accountId, document, told), Bun.sleep(PATIENCE).then(() => told)]);
}

/** How long that newer place is looked for, in milliseconds. KOReader waits two seconds for an answer. */
const PATIENCE = 700;

async function findNewest(stall: Stall, accountId: string, document: string, told: DevicePlace | null) {
  for (const ebook of stall.store.listEbooks(document)) {
    const map = await findMap(stall, ebook);
    const places = map && (await listPlaces(stall, accountId, 'book', ebook.itemKey));
    const newest = places?.[0];
    if (map === null || newest === undefined || newest.receivedAt <= (told?.receivedAt ?? 0)) continue;
    const found = pointerOf(map, newest.spot);
    const { device, deviceId, receivedAt } = newest;
    if (found !== null) return { document, ...found, device, deviceId, receivedAt };
  }
  return told;
}

/**
 * Finds the map of an e-book. If the map is lost, as after a restore, and the e-book is of today's edition, starts making both
 * again for the next time.
 */
async function findMap(stall: Stall, { name, itemKey: key, digest }: Ebook): Promise<PointerMap | null> {
  const map = await stall.epubs.findMap(name);
  const edition = findByKey(stall.catalog(), 'book', key);
  if (map === null && edition?.digest === digest) stall.epubs.openServed(edition).catch(() => {});
  return map;
}

type Placed = Pick<DevicePlace, 'device' | 'deviceId' | 'receivedAt'> & {
  readonly from: 'site' | 'device';
  readonly spot: Spot;
};

/** Lists where an account last was in a book: on this site, and on an e-reader; the newest first. */
async function listPlaces(
  stall: Stall,
  accountId: string,
  kind: ItemKind,
  key: string,
): Promise<readonly Placed[]> {
  const all = await stall.readingPlaces.list(accountId);
  const here = all.find((one) => one.kind === kind && one.itemKey === key);
  const places: Placed[] = [];
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
async function partsOf(
  stall: Stall,
  edition: Edition,
  path: string,
): Promise<readonly (readonly string[])[]> {
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
export type FoundPlace = Pick<Placed, 'from'> & {
  readonly path: string;
  readonly part: number;
  readonly block: number;
};

/** The maximum number of texts that are searched for a place whose own text is gone. */
const MOST_SEARCHED = 200;

/** Finds where a reader last was in an item, in the edition of today: on this site, and on an e-reader; the newest first. */
export async function findPlaces(
  stall: Stall,
  principal: Principal,
  edition: Edition,
): Promise<readonly FoundPlace[]> {
  if (principal.kind !== 'account' || principal.keyId !== null) return [];
  const { kind } = edition.manifest;
  const places = await listPlaces(stall, principal.accountId, kind, itemKey(edition.manifest));
  const found: FoundPlace[] = [];
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
