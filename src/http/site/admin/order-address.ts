import type { PagePlace } from '../../../service/row-pages.ts';
import { ANY_ORDER, type OrderQuery } from '../../../service/orders.ts';
import { isOrderState } from '../../../sales/order.ts';
import { addressAt } from '../logs/place.ts';

/** The filter in an address of the list of orders; a malformed value means any. */
export function readOrderQuery(address: URLSearchParams): OrderQuery {
  const state = address.get('state') ?? '';
  return {
    ...ANY_ORDER,
    state: isOrderState(state) ? state : null,
    email: address.get('email')?.trim() || null,
  };
}

/** The address of a list, or of its file, with this filter. */
export function orderAddress(path: string, { state, email }: OrderQuery, place: PagePlace = null): string {
  return addressAt(path, { state, email }, place);
}
