import type { ItemKind } from '../../../item/item.ts';

/** A file of an item as a resource names it. */
type ResourcePlace = { readonly kind: ItemKind; readonly slug: string; readonly path: string };

const URI = /^(book|skill):\/\/([a-z0-9-]+)\/(.+)$/s;

/** The address of a file: each part of its path escaped, so that it has one spelling. */
export function resourceUri({ kind, slug, path }: ResourcePlace): string {
  return `${kind}://${slug}/${path.split('/').map(encodeURIComponent).join('/')}`;
}

/** The place that an address names, its escapes undone; null if this stall has no such place. */
export function readResourceUri(uri: string): ResourcePlace | null {
  const [, kind, slug, path] = URI.exec(uri) ?? [];
  if ((kind !== 'book' && kind !== 'skill') || slug === undefined || path === undefined) return null;
  try {
    return { kind, slug, path: decodeURIComponent(path) };
  } catch {
    return null;
  }
}
