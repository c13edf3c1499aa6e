import type { ItemKind } from '../platform/base/principal.ts';

/** An item that was published from this data directory at least once, so that a grant may name it. */
export type KnownItem = { readonly kind: ItemKind; readonly itemKey: string; readonly slug: string };

/** The beginning of `edition` for an item that only its holders may see. An item counts as new once everyone may see it. */
export const HOLDERS_ONLY = 'private ';

/** The `edition` of an item that is only announced: nobody can read it yet. */
export const ANNOUNCED = `${HOLDERS_ONLY}announced`;

/** A slug that an item had in the past and that no item has now; `isDeclared` if the item's item.yaml lists it. */
export type FormerSlug = KnownItem & { readonly isDeclared: boolean };
