import type { Catalog, Edition } from '../catalog/catalog.ts';
import { isFree } from '../item/item.ts';

/** The account of a list, as the specification names it. */
type ListedAccount = { readonly email: string; readonly subscriberId: string };

/** The specification's library (2, 4.2) and the contract's further fields. */
export type Library = { readonly account: ListedAccount; readonly items: readonly LibraryItem[] };

type LibraryItem = {
  readonly kind: string;
  readonly slug: string;
  readonly id?: string;
  readonly title: string;
  readonly description: string;
  /** Never null: only drafts lack a price. */
  readonly unitAmountCents: number | null;
  readonly currency: string;
  readonly isFree: boolean;
  readonly publisher: string;
  readonly version: string | null;
  /** `sha256:` and the item digest. */
  readonly digest: string;
  /** ISO 8601 UTC with milliseconds: when its files or version last changed. */
  readonly updatedAt: string | null;
  /** ISO 8601 UTC with milliseconds: the earliest live grant. */
  readonly grantedAt: string;
};

/** An item that an account holds, as `GET /api/holdings` lists it; `until` is when its last grant ends, null is never. */
type Holding = LibraryItem & {
  readonly status: 'published' | 'archived';
  readonly until: string | null;
  /** Left out if it was never renamed. */
  readonly formerly?: readonly string[];
};

/** A holding with its edition. */
export type HeldItem = { readonly holding: Holding; readonly item: LibraryItem; readonly edition: Edition };

export type Holdings = { readonly account: ListedAccount; readonly items: readonly Holding[] };

/** The holdings of an account, valid from `from` until the next grant begins or ends, and only with this catalog. */
export type Shelf = {
  readonly held: readonly HeldItem[];
  readonly holdings: Holdings;
  readonly library: Library;
  readonly catalog: Catalog;
  readonly from: number;
  readonly until: number;
};

/** Whether an item that an account holds is in its library: free and archived items never are (spec 2). */
export function isInLibrary({ manifest }: Edition): boolean {
  return manifest.status === 'published' && !isFree(manifest);
}

/** An item as the library lists it; times are in milliseconds since 1970. */
export function describeItem(
  { manifest, digest }: Edition,
  { changedAt, grantedAt }: { readonly changedAt: number | null; readonly grantedAt: number },
): LibraryItem {
  const { kind, slug, id, title, description, unitAmountCents, currency, publisher, version } = manifest;
  return {
    ...(id === null ? { kind, slug } : { kind, slug, id }),
    title,
    description,
    unitAmountCents,
    currency,
    isFree: isFree(manifest),
    publisher,
    version,
    digest: `sha256:${digest}`,
    updatedAt: changedAt === null ? null : new Date(changedAt).toISOString(),
    grantedAt: new Date(grantedAt).toISOString(),
  };
}
