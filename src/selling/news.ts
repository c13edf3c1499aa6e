import { type ChangedFiles, type Edition, listPublished, nameOf } from '../catalog/catalog.ts';
import { itemKey } from '../catalog/item.rule.ts';
import type { Store, Records, Stall } from './stall.ts';
import type { DatedEdition } from '../catalog/edition.rule.ts';

const LATEST = 3;

/**
 * Finds the news of an item. `isOpen` says whether the caller may read all of it, and so sees the changed files. After a
 * rollback, `latest` leaves out editions newer than the served one.
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

/**
 * An edition with its notes. `files` are the changed files; null for a first edition, and for a reader who may not read
 * the whole item.
 */
export type LatestEdition = DatedEdition & {
  readonly notes: string | null;
  readonly files: ChangedFiles | null;
};

/** Whether the edition at the index `at` is the newest with its version. An edition without a version always is. */
const isNewestOfVersion = ({ version }: DatedEdition, at: number, all: readonly DatedEdition[]): boolean =>
  version === null || all.findIndex((other) => other.version === version) === at;

const parse = (files: string | null | undefined): ChangedFiles | null =>
  files ? (JSON.parse(files) as ChangedFiles) : null;

/** Lists the published items, the last changed first. Leaves out items whose dates are not stored yet. */
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

type PublishedItem = Awaited<ReturnType<typeof listPublishedItems>>[number];

/** Lists the newest editions of published items, the last changed first. Leaves out withdrawn editions. */
export function listNews(stall: Stall, count: number): readonly StallNews[] {
  // The newest `count` editions all belong to these items, since no edition is newer than the last change of its item.
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
 * An edition of a published item as news, with times in milliseconds since 1970. `item` is the item's served edition.
 * `changedAt` is when the edition was first served; for the served edition, when the item last changed.
 */
export type StallNews = {
  readonly item: Edition;
  readonly digest: string;
  readonly version: string | null;
  readonly notes: string | null;
  readonly servedAt: number;
  readonly changedAt: number;
};
