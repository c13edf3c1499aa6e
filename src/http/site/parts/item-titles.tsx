import type { OfferedItem } from '../../../sales/offer.ts';
import type { Stall } from '../../../service/stall.ts';
import { ItemTitle } from './item-title.tsx';
import { nameItem } from '../../../service/items.ts';

/** The titles of items, as a sentence lists them. */
export function ItemTitles({
  stall,
  items,
}: {
  readonly stall: Stall;
  readonly items: readonly OfferedItem[];
}) {
  const named = items.map(
    ({ kind, itemKey, slug }) => nameItem(stall, kind, itemKey) ?? { title: slug, language: null },
  );
  return (
    <>
      {named.map(({ title, language }, n) => (
        <>
          {n === 0 ? '' : n === named.length - 1 ? ' and ' : ', '}
          <b>
            <ItemTitle title={title} language={language} />
          </b>
        </>
      ))}
    </>
  );
}
