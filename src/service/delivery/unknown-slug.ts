import { type Catalog, findBySlug } from '../../catalog/catalog.ts';
import { Refusal } from '../../refusal.ts';
import { notFound } from '../access.ts';

/** The refusal of a slug that no item has; that of a bundle names its items, which are installed one by one. */
export function unknownSlug(catalog: Catalog, slug: string): Refusal {
  const bundle = catalog.bundles.find((one) => one.slug === slug);
  const published = bundle?.items.filter(
    (item) => findBySlug(catalog, item)?.manifest.status === 'published',
  );
  if (published === undefined || published.length === 0) return notFound(slug);
  return new Refusal(
    'not-found',
    `Cannot install "${slug}": it is a bundle; install its items: ${published.join(', ')}`,
  );
}
