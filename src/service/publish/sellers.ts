import { listItemFolders, scanItem } from '../../catalog/scan.ts';
import { readStall } from '../../catalog/stall-edition.ts';
import type { Limits } from '../../item/limit.ts';
import type { Sell } from '../../item/sell.ts';

/** An item or bundle that names ids at payment providers, with its price in minor units. */
export type Selling = {
  readonly slug: string;
  readonly title: string;
  readonly file: string;
  readonly unitAmountCents: number;
  readonly currency: string;
  readonly checkoutUrl: string | null;
  readonly sell: Sell;
};

/**
 * The products of a content directory. Items with errors are left out, since they sell nothing. Reads item.yaml files
 * alone.
 */
export function listSellings(content: string, limits: Limits): readonly Selling[] {
  const { stall } = readStall(content);
  const items = (listItemFolders(content) ?? []).flatMap((folder) => {
    const { manifest } = scanItem({ ...folder, defaults: stall.defaults }, limits);
    return manifest === null ? [] : [{ ...manifest, file: `${folder.kind}s/${folder.slug}/item.yaml` }];
  });
  const bundles = stall.bundles.map((bundle) => ({ ...bundle, file: 'stall.yaml' }));
  return [...items, ...bundles].flatMap(
    ({ slug, title, file, unitAmountCents, currency, checkoutUrl, sell }) =>
      sell === null || unitAmountCents === null
        ? []
        : [{ slug, title, file, unitAmountCents, currency, checkoutUrl, sell }],
  );
}
