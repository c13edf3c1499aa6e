import { type Catalog, type Edition, findByKey, keyOf } from '../catalog/catalog.ts';
import { isError } from './scan.ts';
import { itemKey, type Manifest } from '../catalog/item.rule.ts';
import { DAY } from '../platform/base/duration.ts';
import { dayStarts, FIGURE_DAYS } from '../catalog/figures.ts';
import type { PublishReport, ReportedItem } from './publication.ts';
import type { Stall } from './stall.ts';
import type { ItemDownloads } from '../catalog/item-day.rule.ts';

export type AdminItemFilter = {
  readonly search: string;
  readonly hasProblems: boolean;
  readonly page: number;
};

const ITEMS_A_PAGE = 50;
const NOTHING: PublishReport = { at: 0, fault: null, files: [], items: [] };

/**
 * Lists a page of the items of the last publish: those with errors first, then by slug. `found` counts the items of all
 * pages, `at` is when the publish began, `fault` says why a root directory could not be read, else null, and `files` are
 * stall.yaml and mails with errors.
 */
export function listAdminItems(stall: Stall, { search, hasProblems, page }: AdminItemFilter) {
  const { report, entries, count } = indexed(stall);
  const catalog = stall.catalog();
  const words = search.trim().toLowerCase();
  const found = entries.filter(
    ({ item, text }) => (!hasProblems || item.problems.length > 0) && text.includes(words),
  );
  const shown = found.slice((page - 1) * ITEMS_A_PAGE, page * ITEMS_A_PAGE);
  return {
    items: shown.map(({ item }) => describe(stall, item, catalog)),
    found: found.length,
    isLast: found.length <= page * ITEMS_A_PAGE,
    count,
    fault: report.fault,
    files: report.files,
    at: report.at,
  };
}

export const countAdminItems = (stall: Stall) => indexed(stall).count;

function describe(
  { store, now }: Stall,
  { kind, slug, problems }: ReportedItem,
  catalog: Catalog,
): AdminItem {
  const edition = catalog.bySlug.get(slug);
  const isBroken = problems.some(isError);
  if (edition === undefined || keyOf(edition) !== `${kind} ${slug}`)
    return { kind, slug, edition: null, isBroken, problems };
  const { manifest, digest, size, isPushed = false } = edition.draft ?? edition;
  const since = dayStarts(now(), FIGURE_DAYS)[0]! / DAY;
  const downloads = store.countItemDownloads(kind, itemKey(manifest), since);
  const months = store.countItemViews({ kind, itemKey: itemKey(manifest), since, by: 'month' });
  const views = months.reduce((sum, { count }) => sum + count, 0);
  const editions = store.listDatedEditions(kind, itemKey(manifest));
  const firstServedAt = editions.find((one) => one.digest === digest)?.firstServedAt ?? null;
  return {
    kind,
    slug,
    edition: { ...manifest, firstServedAt, size, downloads, views, isPushed },
    isBroken,
    problems,
  };
}

/**
 * An item of the last publish. `edition` is that of its folder with downloads and views, null if none is served;
 * `firstServedAt` is null if readers never got it. `isBroken`: the folder has errors, and its last good edition, if any, is
 * served.
 */
export type AdminItem = Pick<ReportedItem, 'kind' | 'slug' | 'problems'> & {
  readonly edition:
    | (Manifest &
        Pick<Edition, 'size' | 'isPushed'> & {
          readonly firstServedAt: number | null;
          readonly downloads: ItemDownloads;
          readonly views: number;
        })
    | null;
  readonly isBroken: boolean;
};

export function listFormerItems({ catalog, store }: Stall, search: string) {
  const current = catalog();
  const words = search.trim().toLowerCase();
  const items = store.listKnownItems(Number.MAX_SAFE_INTEGER);
  return items.filter(
    ({ kind, itemKey: key, slug }) => slug.includes(words) && findByKey(current, kind, key) === undefined,
  );
}

const indexes = new WeakMap<PublishReport, ReturnType<typeof indexReport>>();

function indexed({ report, catalog }: Stall) {
  const last = report() ?? NOTHING;
  return indexes.getOrInsertComputed(last, () => indexReport(last, catalog()));
}

function indexReport(report: PublishReport, { bySlug }: Catalog) {
  const broken = report.items.filter(({ problems }) => problems.some(isError));
  const isBroken = new Set(broken);
  const drafts = report.items.filter(({ slug }) => bySlug.get(slug)?.manifest.status === 'draft');
  const sound = report.items.filter((item) => !isBroken.has(item));
  const textOf = ({ kind, slug }: ReportedItem): string =>
    `${kind} ${slug}\n${bySlug.get(slug)?.manifest.title.toLowerCase()}`;
  return {
    report,
    entries: [broken, sound].flatMap((items) =>
      items.toSorted((a, b) => (a.slug < b.slug ? -1 : 1)).map((item) => ({ item, text: textOf(item) })),
    ),
    count: {
      served: report.items.filter(({ digest }) => digest !== null).length - drafts.length,
      drafts: drafts.length,
      broken: broken.length,
      warned: sound.filter(({ problems }) => problems.length > 0).length,
    },
  };
}
