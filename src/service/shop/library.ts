import type { Edition } from '../../catalog/edition.ts';
import { isFree } from '../../item/item.ts';

/** The account of a list, as the specification names it. */
export type ListedAccount = { readonly email: string; readonly subscriberId: string };

/** The specification's library (2, 4.2) and the contract's further fields. */
export type Library = { readonly account: ListedAccount; readonly items: readonly LibraryItem[] };

export type LibraryItem = {
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
