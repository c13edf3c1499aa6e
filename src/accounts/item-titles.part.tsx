import type { OfferedItem } from '../catalog/item.rule.ts';
import { ItemTitle } from '../catalog/items.part.tsx';
import { useFormats } from '../platform/site/words.tsx';
import { nameItem } from './items.ts';
import type { Stall } from './stall.ts';

export function ItemTitles({ stall, items }: { stall: Stall; items: readonly OfferedItem[] }) {
  const named = items.map(
    ({ kind, itemKey, slug }) => nameItem(stall, kind, itemKey) ?? { title: slug, language: null },
  );
  const titles = named.map((one) => (
    <b>
      <ItemTitle {...one} />
    </b>
  ));
  return <>{useFormats().listOf(titles)}</>;
}
