import type { ChangedFiles, Edition } from '../../catalog/edition.ts';
import { itemKey } from '../../item/item.ts';
import type { Store } from '../../store/store.ts';
import type { DatedEdition } from '../../store/tables/editions.ts';

/** The news of an item: the newest edition of each of its last three versions, and all editions, newest first. */
export type ItemNews = {
  readonly latest: readonly LatestEdition[];
  readonly editions: readonly DatedEdition[];
};

/** `files` is null for those who may not read them all, and for a first edition. */
export type LatestEdition = DatedEdition & {
  readonly notes: string | null;
  readonly files: ChangedFiles | null;
};

/** The versions whose notes are shown. */
const LATEST = 3;

/**
 * Finds what is new in an item that its caller may see; `isOpen` is whether they may read all of it. After a rollback the
 * news begin with the edition that is served, not with the one that was taken back.
 */
export function createItemNews(store: Store) {
  return async ({ manifest, digest }: Edition, isOpen: boolean): Promise<ItemNews> => {
    const { kind } = manifest;
    const key = itemKey(manifest);
    const editions = await store.listDatedEditions(kind, key);
    const served = editions.slice(
      Math.max(
        0,
        editions.findIndex((edition) => edition.digest === digest),
      ),
    );
    const latest = served.filter(isNewestOfVersion).slice(0, LATEST);
    return {
      editions,
      latest: await Promise.all(
        latest.map(async (edition) => {
          const news = await store.findEditionNews(kind, key, edition.digest);
          return { ...edition, notes: news?.notes ?? null, files: isOpen ? parse(news?.changedFiles) : null };
        }),
      ),
    };
  };
}

/** Whether no newer edition has the same version; one without a version counts on its own. */
function isNewestOfVersion({ version }: DatedEdition, at: number, all: readonly DatedEdition[]): boolean {
  return version === null || all.findIndex((other) => other.version === version) === at;
}

function parse(files: string | null | undefined): ChangedFiles | null {
  return files ? (JSON.parse(files) as ChangedFiles) : null;
}
