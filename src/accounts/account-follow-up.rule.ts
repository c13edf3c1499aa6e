import type { ItemKind } from '../platform/base/principal.ts';

/** The acts of areas above in the transaction of a write of accounts. */
export type AccountFollowers = {
  readonly verified: (accountId: string, at: number) => void;
  readonly moving: (change: {
    readonly accountId: string;
    readonly from: string;
    readonly to: string;
    readonly at: number;
  }) => void;
  /** Revokes the order that gave a grant; false if none did. The item is named as a sale names it. */
  readonly revokeOrder: (source: string, item: RevokedItem, at: number) => boolean;
};

type RevokedItem = {
  readonly kind: ItemKind;
  readonly itemKey: string;
  readonly slug: string;
};
