import type { ItemKind } from '../platform/base/principal.ts';

/** Functions of areas such as selling, which writes of accounts call within the same transaction. */
export type AccountFollowers = {
  readonly verified: (accountId: string, at: number) => void;
  readonly moving: (change: {
    readonly accountId: string;
    readonly from: string;
    readonly to: string;
    readonly at: number;
  }) => void;
  /** Revokes the item in the order that gave the grant with this `source`; false if no order gave it. */
  readonly revokeOrder: (source: string, item: RevokedItem, at: number) => boolean;
};

type RevokedItem = {
  readonly kind: ItemKind;
  readonly itemKey: string;
  readonly slug: string;
};
