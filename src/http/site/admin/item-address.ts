import type { Span } from '../../../service/figures.ts';
import type { PagePlace } from '../../../service/row-pages.ts';
import { addressAt } from '../logs/place.ts';

/**
 * The query of an item's page in the office: the span of its figures, and a page of its holders; `isLive` hides ended
 * grants.
 */
export type ItemView = {
  readonly slug: string;
  readonly span: Span;
  readonly isLive: boolean;
  readonly place: PagePlace;
};

export const ITEMS = '/admin/items';

/** Reads the view in the page's address; anything malformed means the first choice. */
export function readItemView(slug: string, address: URLSearchParams, place: PagePlace): ItemView {
  return {
    slug,
    span: address.get('span') === 'months' ? 'months' : 'days',
    isLive: address.get('grants') !== 'all',
    place,
  };
}

/** The address of an item's page, or of another view of it. */
export function itemPath({
  slug,
  span = 'days',
  isLive = true,
  place = null,
}: Pick<ItemView, 'slug'> & Partial<ItemView>): string {
  const fields = { span: span === 'months' ? span : null, grants: isLive ? null : 'all' };
  return addressAt(`${ITEMS}/${slug}`, fields, place);
}

/** The address of the file with an item's holders. */
export function holdersPath({ slug, isLive }: Pick<ItemView, 'slug' | 'isLive'>): string {
  return `${ITEMS}/${slug}/holders.csv${isLive ? '' : '?grants=all'}`;
}
