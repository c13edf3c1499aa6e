import type { Order } from '../../src/selling/order.rule.ts';

/** A purchase as a provider tells it, in the order it happened, and how it must end. */
export type Story = {
  readonly name: string;
  readonly events: readonly unknown[];
  readonly order: Partial<Order>;
  /** The item and the end of each grant, in milliseconds; null is for good. */
  readonly grants: readonly (readonly [item: string, until: number | null])[];
};

/** Every order of a list. */
export function permutations<T>(list: readonly T[]): readonly (readonly T[])[] {
  if (list.length < 2) return [list];
  return list.flatMap((first, n) => permutations(list.toSpliced(n, 1)).map((others) => [first, ...others]));
}
