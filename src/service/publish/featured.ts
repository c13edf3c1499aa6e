import type { ItemStatus } from '../../item/item.ts';
import { type Problem, quote, warning } from '../../item/problem.ts';
import { didYouMean } from '../../item/spelling.ts';

/** An item that stall.yaml may feature; `status` is null if it has an error. */
export type FeaturableItem = { readonly slug: string; readonly status: ItemStatus | null };

/** Warns of the slugs that stall.yaml features and the window cannot show. */
export function findUnknownFeatured(
  featured: readonly string[],
  items: readonly FeaturableItem[],
): readonly Problem[] {
  const statuses = new Map(items.map(({ slug, status }) => [slug, status]));
  return featured.flatMap((slug) => {
    const status = statuses.get(slug);
    if (status === undefined) {
      const remedy = didYouMean(
        slug,
        [...statuses.keys()],
        'Name the folder of a book or skill, or remove it',
      );
      return [
        warning(
          'unknown-featured',
          'stall.yaml',
          `Cannot feature ${quote(slug)}: no item has this slug`,
          remedy,
        ),
      ];
    }
    if (status === null || status === 'published') return [];
    const sentence = `Cannot feature ${quote(slug)}: it is ${status === 'draft' ? 'a draft' : 'archived'}`;
    return [warning('hidden-featured', 'stall.yaml', sentence, 'Publish it, or remove it from "featured"')];
  });
}
