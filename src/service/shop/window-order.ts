import { itemKey } from '../../item/item.ts';
import type { Store } from '../../store/store.ts';
import { collationName } from './collation.ts';
import { isIn, type WindowQuery } from './window.ts';
import { rowsByTitle, type WindowIndex, type WindowRow } from './window-index.ts';

type Rows = Promise<readonly WindowRow[]>;

/** The orders of an index beside its own; each is made on first demand and once. */
type Orders = { newest: Rows | null; readonly byLanguage: Map<string, readonly WindowRow[]> };

/**
 * Gives an index's rows in the order that a query asks for: by title, in the collation of the language that is searched
 * for, or the newest first. Items of the same instant, such as those of a first start, are sorted by title.
 */
export function createWindowOrders(listShownItems: Store['listShownItems']) {
  const orders = new WeakMap<WindowIndex, Orders>();

  const byNewest = async ({ rows }: WindowIndex): Rows => {
    const shown = await listShownItems();
    const dates = new Map(
      shown.map(({ kind, itemKey: key, firstShownAt }) => [`${kind} ${key}`, firstShownAt]),
    );
    // An item without a stored date was published just now.
    const dateOf = ({ edition: { manifest } }: WindowRow) =>
      dates.get(`${manifest.kind} ${itemKey(manifest)}`) ?? Number.MAX_SAFE_INTEGER;
    return rows.toSorted((a, b) => dateOf(b) - dateOf(a));
  };
  const inLanguage = (index: WindowIndex, language: string): readonly WindowRow[] =>
    index.rows.filter(({ edition }) => isIn(edition.manifest.language, language)).sort(rowsByTitle(language));

  return async (index: WindowIndex, { order, language }: WindowQuery): Rows => {
    const known = orders.get(index) ?? { newest: null, byLanguage: new Map<string, readonly WindowRow[]>() };
    orders.set(index, known);
    if (order === 'newest') return (known.newest ??= byNewest(index));
    if (language === null || collationName(language) === index.collation) return index.rows;
    // Only languages of the catalog are kept: a stranger may ask for any.
    if (!index.languages.some((one) => isIn(one, language))) return [];
    const rows = known.byLanguage.get(language) ?? inLanguage(index, language);
    known.byLanguage.set(language, rows);
    return rows;
  };
}
