import { isFree, type Manifest } from '../../../item/item.ts';
import { formatPrice } from '../../../item/price.ts';
import type { Sell } from '../../../item/sell.ts';
import { checkoutLink } from './checkout.ts';
import { ContactLink } from './contact-link.tsx';
import { ButtonLink } from './form.tsx';

/** The page's view, which knows its visitor. */
type Buyer = {
  readonly stall: { readonly contact: string | null };
  readonly email: string | null;
  readonly afterBuying: (sell: Sell | null) => string | null;
};

type Priced = Pick<Manifest, 'unitAmountCents' | 'currency' | 'checkoutUrl' | 'sell'>;

/** The link to buy a paid item, or the contact to write to. */
export function Buy({ view, manifest }: { readonly view: Buyer; readonly manifest: Manifest }) {
  if (isFree(manifest)) return null;
  if (manifest.unitAmountCents === null) return <p>It has no price yet.</p>;
  if (manifest.checkoutUrl !== null) return <BuyLink view={view} priced={manifest} />;
  const contact = manifest.contact ?? view.stall.contact;
  if (contact === null) return <p>Ask the publisher, {manifest.publisher}, how to buy it.</p>;
  return (
    <p>
      To buy it, write to <ContactLink contact={contact} />.
    </p>
  );
}

/** The link to the checkout of something with a price, and what happens after it. */
export function BuyLink({ view, priced }: { readonly view: Buyer; readonly priced: Priced }) {
  const { checkoutUrl, sell, unitAmountCents, currency } = priced;
  if (checkoutUrl === null) return null;
  const after = view.afterBuying(sell);
  return (
    <>
      <ButtonLink href={checkoutLink(checkoutUrl, sell, view.email)}>
        Buy for {formatPrice(unitAmountCents, currency)}
      </ButtonLink>
      {after !== null && <p class="quiet">{after}</p>}
    </>
  );
}
