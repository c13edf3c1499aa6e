import { type Catalog, listPublished } from '../../catalog/catalog.ts';
import type { Edition } from '../../catalog/edition.ts';
import { isFree } from '../../item/item.ts';
import { Refusal } from '../../refusal.ts';

const MOST = 1000;

/** One page of the published items; pass `next` as `after` for the next page, null on the last. */
export function listItems(
  catalog: Catalog,
  page: { readonly after: string | undefined; readonly limit: string | undefined },
) {
  const limit = readLimit(page.limit);
  const after = page.after ?? '';
  const following = listPublished(catalog).filter(({ manifest }) => manifest.slug > after);
  const items = following.slice(0, limit);
  return {
    items: items.map(describe),
    next: following.length > limit ? (items.at(-1)?.manifest.slug ?? null) : null,
  };
}

function describe({ manifest, digest, size }: Edition) {
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
