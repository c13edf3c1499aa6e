import type { DatedEdition } from '../store/tables/editions.ts';
import { type ChangedFiles, type Edition, listPublished, nameOf } from '../catalog/catalog.ts';
import { itemKey } from '../item/item.ts';
import type { Store } from '../store/store.ts';
import type { Records, Stall } from './stall.ts';

/** How many versions are shown with their notes. */
const LATEST = 3;

/**
 * Finds the news of an item that its caller may see; `isOpen` is whether they may read all of it. After a
 * rollback the news begin with the served edition, not with the one that was taken back.
 */
export function findNews({ store }: Records, { manifest, digest }: Edition, isOpen: boolean): ItemNews {
  const { kind, status } = manifest;
  if (status === 'announced') return { editions: [], latest: [] };
  const key = itemKey(manifest);
  const editions = store.listDatedEditions(kind, key);
  const from = editions.findIndex((edition) => edition.digest === digest);
  const latest = editions.slice(Math.max(0, from)).filter(isNewestOfVersion).slice(0, LATEST);
  return {
    editions,
    latest: latest.map((edition) => {
      const news = store.findEditionNews(kind, key, edition.digest);
      return { ...edition, notes: news?.notes ?? null, files: isOpen ? parse(news?.changedFiles) : null };
    }),
  };
}

/** The news of an item: the newest edition of each of its last three versions, and all editions, newest first. */
export type ItemNews = {
  readonly editions: readonly DatedEdition[];
  readonly latest: readonly LatestEdition[];
};

/** An edition with its notes. `files` are the changed ones; null for a reader who may not read all, and a first edition. */
export type LatestEdition = DatedEdition & {
  readonly notes: string | null;
  readonly files: ChangedFiles | null;
};

/** Whether no newer edition has the same version. An edition without a version counts on its own. */
const isNewestOfVersion = ({ version }: DatedEdition, at: number, all: readonly DatedEdition[]): boolean =>
  version === null || all.findIndex((other) => other.version === version) === at;

const parse = (files: string | null | undefined): ChangedFiles | null =>
  files ? (JSON.parse(files) as ChangedFiles) : null;

/** Lists the published items, the last changed first; an item whose dates are not stored yet is left out. */
export function listPublishedItems({ store, catalog }: Stall) {
  const editions = listPublished(catalog());
  const dates = new Map(store.listShownItems().map((one) => [`${one.kind} ${one.itemKey}`, one]));
  return editions
    .flatMap((edition) => {
      const found = dates.get(nameOf(edition));
      return found === undefined ? [] : [{ ...found, edition }];
    })
    .sort((a, b) => b.changedAt - a.changedAt);
}

/** A published item, when it was first published, and when it last changed; in milliseconds since 1970. */
type PublishedItem = Awaited<ReturnType<typeof listPublishedItems>>[number];

/** Lists the newest editions of published items, the last changed first; withdrawn ones are left out. */
export function listNews(stall: Stall, count: number): readonly StallNews[] {
  // No edition is newer than the last change of its item, so these items have the newest editions.
  const items = listPublishedItems(stall).slice(0, count);
  const news = items.map((item) => newsOf(stall.store, item, count));
  return news
    .flat()
    .sort((a, b) => b.changedAt - a.changedAt)
    .slice(0, count);
}

function newsOf(store: Store, published: PublishedItem, count: number): readonly StallNews[] {
  const { edition, firstShownAt, changedAt } = published;
  const { kind, version } = edition.manifest;
  const all = store.listNotedEditions(kind, itemKey(edition.manifest), count);
  const servedAt = all.find(({ digest }) => digest === edition.digest)?.firstServedAt ?? firstShownAt;
  const earlier = all
    .filter(({ digest }) => digest !== edition.digest)
    .map(({ digest, version: name, notes, firstServedAt: at }) => ({
      item: edition,
      digest,
      version: name,
      notes,
      servedAt: at,
      changedAt: at,
    }));
  const { digest, notes = null } = edition;
  return [{ item: edition, digest, version, notes, servedAt, changedAt }, ...earlier];
}

/**
 * An edition of a published item as news; times are in milliseconds since 1970. `item`: the item as it is
 * served now. `changedAt`: when it was first served, or for the served edition when it last changed.
 */
export type StallNews = {
  readonly item: Edition;
  readonly digest: string;
  readonly version: string | null;
  readonly notes: string | null;
  readonly servedAt: number;
  readonly changedAt: number;
};
