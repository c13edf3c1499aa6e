import { type SellId, idsOf } from '../../catalog/offers.ts';
import { error, type Problem, quote } from '../../item/problem.ts';
import type { Sell } from '../../item/sell.ts';
import { PROVIDER_NAMES } from '../../payment-provider.ts';

/** An item or a bundle with its ids at the providers; `place` says in which file they are. */
export type Seller = { readonly place: string; readonly sell: Sell | null };

/** The sellers that name an id another one names too, each with its problem: one id sells one item or bundle. */
export function findSellConflicts<T extends Seller>(sellers: readonly T[]): ReadonlyMap<T, Problem> {
  const claims = sellers.flatMap((seller) => idsOf(seller.sell).map((id) => ({ id, seller })));
  const byId = Map.groupBy(claims, ({ id }) => `${id.provider} ${id.product}`);
  const conflicts = claims.flatMap(({ id, seller }) => {
    const sharers = byId.get(`${id.provider} ${id.product}`) ?? [];
    return sharers.length < 2
      ? []
      : [
          [
            seller,
            conflict(
              id,
              seller,
              sharers.map((one) => one.seller),
            ),
          ] as const,
        ];
  });
  return new Map(conflicts);
}

function conflict({ provider, product }: SellId, seller: Seller, sharers: readonly Seller[]): Problem {
  const others = sharers.filter((other) => other !== seller).map(({ place }) => place);
  return error(
    'sell-clash',
    'item.yaml',
    `Cannot sell by the ${PROVIDER_NAMES[provider]} id ${quote(product)}: ${others.join(', ')} names it too`,
    'Leave it in one of them: an id sells one item or bundle',
  );
}
