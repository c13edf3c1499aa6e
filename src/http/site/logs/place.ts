import type { PagePlace } from '../../../service/row-pages.ts';

/** The place in a page's address; null (newest) if missing or malformed. */
export function readPlace(address: URLSearchParams): PagePlace {
  for (const side of ['older', 'newer'] as const) {
    const [, at, row] = /^(\d{1,15})-(\d{1,15})$/.exec(address.get(side) ?? '') ?? [];
    if (at !== undefined) return { beside: { at: Number(at), row: Number(row) }, side };
  }
  return null;
}

/** The address of a page at a place in a list, with the fields of its filter that are not empty. */
export function addressAt(
  path: string,
  fields: Readonly<Record<string, string | null>>,
  place: PagePlace,
): string {
  const address = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value) address.set(name, value);
  if (place !== null) address.set(place.side, `${place.beside.at}-${place.beside.row}`);
  return address.size === 0 ? path : `${path}?${address}`;
}
