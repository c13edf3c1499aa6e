/** The limits of an install token within the rights of its account. */
export type TokenAction = 'take' | 'read' | 'ask';

/** One item as a grant names it: a book by its id, a skill by its slug. */
export type ScopedItem = { readonly kind: 'book' | 'skill'; readonly itemKey: string };

/** The most an install token opens; `items` null is every item. */
export type TokenScope = {
  readonly items: readonly ScopedItem[] | null;
  readonly may: readonly TokenAction[];
};

/** Whether a scope names an item. */
export function isInScope({ items }: TokenScope, { kind, itemKey }: ScopedItem): boolean {
  return items === null || items.some((item) => item.kind === kind && item.itemKey === itemKey);
}
