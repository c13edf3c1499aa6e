import type { OfferedItem } from '../../../sales/offer.ts';
import type { Stall } from '../../../service/stall.ts';
import { nameItem } from '../../../service/items.ts';
import { directionOf } from '../../../markup/direction.ts';

/** An item's title among other words: in its own language and direction, and without an effect on theirs. */
export function ItemTitle({ title, language }: { title: string; language: string | null }) {
  return <bdi {...inLanguage(language)}>{title}</bdi>;
}

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

/** The attributes of an element with words in a language, a BCP 47 tag; if it is unknown, the words decide their direction. */
export function inLanguage(language: string | null): { lang?: string; dir: 'ltr' | 'rtl' | 'auto' } {
  return language === null ? { dir: 'auto' } : { lang: language, dir: directionOf(language) };
}

/** Marks a text that everyone may read. */
export function SampleBadge() {
  return (
    <span class="badge" lang="en">
      Sample
    </span>
  );
}
