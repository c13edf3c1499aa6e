import type { Edition } from '../../catalog/edition.ts';
import { itemKey } from '../../item/item.ts';
import type { Store } from '../../store/store.ts';
import type { NotedEdition } from '../../store/tables/editions.ts';
import type { PublishedItem } from './published-items.ts';

/** An edition of a published item as news; times are in milliseconds since 1970. */
export type StallNews = Pick<NotedEdition, 'digest' | 'version' | 'notes'> & {
  /** The item as it is served now. */
  readonly item: Edition;
  readonly servedAt: number;
  /** When it was first served, or last changed if it is the edition that is served now. */
  readonly changedAt: number;
};

/** Lists the newest editions of published items, the last changed first; withdrawn ones are left out. */
export function createStallNews(store: Store, listPublished: () => Promise<readonly PublishedItem[]>) {
  return async (count: number): Promise<readonly StallNews[]> => {
    // No edition is newer than the last change of its item, so these items have the newest editions.
    const items = (await listPublished()).slice(0, count);
    const news = await Promise.all(items.map((item) => newsOf(store, item, count)));
    return news
      .flat()
      .sort((a, b) => b.changedAt - a.changedAt)
      .slice(0, count);
  };
}

async function newsOf(store: Store, published: PublishedItem, count: number): Promise<readonly StallNews[]> {
  const { edition, firstShownAt, changedAt } = published;
  const { kind, version } = edition.manifest;
  const all = await store.listNotedEditions(kind, itemKey(edition.manifest), count);
  const servedAt = all.find(({ digest }) => digest === edition.digest)?.firstServedAt ?? firstShownAt;
  const { digest, notes } = edition;
  return [
    { item: edition, digest, version, notes: notes ?? null, servedAt, changedAt },
    ...all
      .filter((one) => one.digest !== digest)
      .map((one) => ({
        item: edition,
        digest: one.digest,
        version: one.version,
        notes: one.notes,
        servedAt: one.firstServedAt,
        changedAt: one.firstServedAt,
      })),
  ];
}
