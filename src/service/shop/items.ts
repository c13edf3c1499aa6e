import { type Catalog, listFormerSlugs, listPublished } from '../../catalog/catalog.ts';
import type { Edition } from '../../catalog/edition.ts';
import { isFree } from '../../item/item.ts';
import { Refusal } from '../../refusal.ts';

const MOST = 1000;

/** The most pages kept for a catalog: those that clients ask for first. */
const KEPT = 16;

type Page = ReturnType<typeof readPage>;
type PageQuery = { readonly after: string | undefined; readonly limit: string | undefined };

const pages = new WeakMap<Catalog, Map<string, Page>>();

/**
 * One page of the published items; pass `next` as `after` for the next page, null on the last. The same object for the same
 * page of a catalog while it is kept, so that it is rendered once.
 */
export function listItems(catalog: Catalog, { after = '', limit }: PageQuery): Page {
  const most = readLimit(limit);
  const key = `${most} ${after}`;
  const kept = pages.get(catalog) ?? new Map<string, Page>();
  const page = kept.get(key) ?? readPage(catalog, after, most);
  if (kept.size >= KEPT && !kept.has(key)) kept.clear();
  pages.set(catalog, kept.set(key, page));
  return page;
}

function readPage(catalog: Catalog, after: string, limit: number) {
  const following = listPublished(catalog).filter(({ manifest }) => manifest.slug > after);
  const items = following.slice(0, limit);
  return {
    items: items.map((edition) => describe(edition, listFormerSlugs(catalog, edition.manifest.slug))),
    next: following.length > limit ? (items.at(-1)?.manifest.slug ?? null) : null,
  };
}

function describe({ manifest, digest, size }: Edition, formerly: readonly string[]) {
  const { kind, id, slug, title, description, publisher, unitAmountCents, currency, version } = manifest;
  return {
    kind,
    id,
    slug,
    title,
    description,
    publisher,
    unitAmountCents,
    currency,
    isFree: isFree(manifest),
    version,
    digest: `sha256:${digest}`,
    size,
    ...(formerly.length === 0 ? {} : { formerly }),
  };
}

function readLimit(text: string | undefined): number {
  if (text === undefined) return 100;
  const limit = Number(text);
  if (/^[1-9][0-9]{0,3}$/.test(text) && limit <= MOST) return limit;
  throw new Refusal(
    'invalid-request',
    `Cannot list items with limit "${text.slice(0, 20)}": give a number from 1 to ${MOST}`,
  );
}
