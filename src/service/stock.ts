import type { Catalog } from '../catalog/catalog.ts';
import { keyOf } from '../catalog/edition.ts';
import { isError } from '../catalog/scan.ts';
import { itemKey, type Manifest } from '../item/item.ts';
import type { Problem } from '../item/problem.ts';
import type { ItemDownloads } from '../store/activity.ts';
import type { Store } from '../store/store.ts';
import { firstDay } from './figures.ts';
import type { Publisher } from './publish.ts';
import type { Report, ReportedItem } from './report.ts';

/** An item's folder as it was last taken up. `edition` is what is served of it, with how often that was handed out; null where nothing is. */
export type StockedItem = {
  readonly kind: string;
  readonly slug: string;
  readonly edition: StockedEdition | null;
  /** Whether the folder has errors, so that what is served is its last good edition. */
  readonly isBroken: boolean;
  readonly problems: readonly Problem[];
};

type StockedEdition = Manifest & {
  readonly digest: string;
  readonly size: number;
  readonly downloads: ItemDownloads;
};

/** A page of items, those with errors first, then by slug; `found` counts all pages. `at` is when they were taken up. */
export type StockPage = {
  readonly items: readonly StockedItem[];
  readonly found: number;
  readonly isLast: boolean;
  readonly count: StockCount;
  /** Why the content directory could not be taken up, or null. */
  readonly fault: string | null;
  readonly at: number;
};

/** How many items there are; `broken` have errors, served or not. */
export type StockCount = { readonly served: number; readonly broken: number; readonly warned: number };

/** Which items: whose kind, slug or title holds `search`, or those with problems alone. */
export type StockFilter = {
  readonly search: string;
  readonly hasProblems: boolean;
  readonly page: number;
};

const PAGE = 50;
const NOTHING: Report = { at: 0, fault: null, items: [] };

/** What came of the content directory, item by item. */
export function createStock(publisher: Publisher, store: Store, now: () => number) {
  const report = (): Report => publisher.report() ?? NOTHING;

  const stocked = async ({ kind, slug, problems }: ReportedItem, catalog: Catalog): Promise<StockedItem> => {
    const edition = catalog.bySlug.get(slug);
    const isBroken = problems.some(isError);
    if (edition === undefined || keyOf(edition) !== `${kind} ${slug}`)
      return { kind, slug, edition: null, isBroken, problems };
    const { manifest, digest, size } = edition;
    const downloads = await store.countItemDownloads(kind, itemKey(manifest), firstDay(now()));
    return { kind, slug, edition: { ...manifest, digest, size, downloads }, isBroken, problems };
  };

  return {
    async list({ search, hasProblems, page }: StockFilter): Promise<StockPage> {
      const { at, fault, items } = report();
      const catalog = publisher.catalog();
      const words = search.trim().toLowerCase();
      const matches = ({ kind, slug, problems }: ReportedItem): boolean =>
        (!hasProblems || problems.length > 0) &&
        `${kind} ${slug}\n${catalog.bySlug.get(slug)?.manifest.title.toLowerCase()}`.includes(words);
      const found = items.filter(matches).toSorted(byTrouble);
      const shown = found.slice((page - 1) * PAGE, page * PAGE);
      return {
        items: await Promise.all(shown.map((item) => stocked(item, catalog))),
        found: found.length,
        isLast: found.length <= page * PAGE,
        count: count(items),
        fault,
        at,
      };
    },
    count: (): StockCount => count(report().items),
    /** Takes the content directory up beside the running catalog; kept when the new one is served. */
    reindex: async (): Promise<void> => void (await publisher.publish()),
  };
}

function count(items: readonly ReportedItem[]): StockCount {
  return {
    served: items.filter(({ digest }) => digest !== null).length,
    broken: items.filter(({ problems }) => problems.some(isError)).length,
    warned: items.filter(({ problems }) => problems.length > 0 && !problems.some(isError)).length,
  };
}

function byTrouble(a: ReportedItem, b: ReportedItem): number {
  const trouble = (item: ReportedItem): number => (item.problems.some(isError) ? 0 : 1);
  return trouble(a) - trouble(b) || (a.slug < b.slug ? -1 : 1);
}
