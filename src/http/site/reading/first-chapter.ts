import type { Principal } from '../../../access/principal.ts';
import { readingAddress } from '../../../catalog/reading/item-links.ts';
import type { ItemKind } from '../../../item/item.ts';
import { redirect } from '../../origin.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { findFirstText } from '../../../service/reading.ts';

/** Where to read an item on, or to begin. */
export async function sendToText(
  { stall }: RouteDeps,
  principal: Principal,
  kind: ItemKind,
  slug: string,
): Promise<Response> {
  const { edition, path } = await findFirstText(stall, principal, kind, slug);
  return redirect(readingAddress(edition.manifest, path));
}
