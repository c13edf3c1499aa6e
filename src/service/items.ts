import { type Catalog, type Edition, findByKey, listFormerSlugs, listPublished } from '../catalog/catalog.ts';
import { isFree, type ItemKind } from '../item/item.ts';
import { Refusal } from '../refusal.ts';
import type { Stall } from './stall.ts';

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
export function listItems(stall: Stall, { after = '', limit }: PageQuery): Page {
  const catalog = stall.catalog();
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

/** The name of an item in a log; `language` is the BCP 47 tag of its title, `isListed` whether anyone may open its page. */
export type ItemName = {
  readonly title: string;
  readonly language: string | null;
  readonly slug: string;
  readonly isListed: boolean;
};

/** Finds an item's name by the key that grants use; null if this stall does not serve it. */
export function nameItem(
  { catalog }: Pick<Stall, 'catalog'>,
  kind: ItemKind,
  itemKey: string,
): ItemName | null {
  const edition = findByKey(catalog(), kind, itemKey);
  if (edition === undefined || edition.manifest.status === 'draft') return null;
  const { title, language, slug, status } = edition.manifest;
  return { title, language, slug, isListed: status === 'published' };
}
