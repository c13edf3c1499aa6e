import type { OfferedItem } from '../../../sales/offer.ts';
import type { Service } from '../../../service/service.ts';
import { ItemTitle } from './item-title.tsx';
import { nameItem } from '../../../service/items.ts';

/** The titles of items, as a sentence lists them. */
export function ItemTitles({
  service,
  items,
}: {
  readonly service: Pick<Service, 'stall'>;
  readonly items: readonly OfferedItem[];
}) {
  const named = items.map(
    ({ kind, itemKey, slug }) => nameItem(service.stall, kind, itemKey) ?? { title: slug, language: null },
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
