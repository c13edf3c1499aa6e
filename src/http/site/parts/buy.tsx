import { isFree, type Manifest } from '../../../item/item.ts';
import { formatPrice } from '../../../item/price.ts';
import { ContactLink } from './contact-link.tsx';
import { ButtonLink } from './form.tsx';

/** The link to buy a paid item, or the contact to write to. */
export function Buy({
  manifest,
  stallContact,
}: {
  readonly manifest: Manifest;
  readonly stallContact: string | null;
}) {
  if (isFree(manifest)) return null;
  const { checkoutUrl, unitAmountCents, currency } = manifest;
  if (unitAmountCents === null) return <p>It has no price yet.</p>;
  const contact = manifest.contact ?? stallContact;
  if (checkoutUrl !== null)
    return <ButtonLink href={checkoutUrl}>Buy for {formatPrice(unitAmountCents, currency)}</ButtonLink>;
  if (contact === null) return <p>Ask the publisher, {manifest.publisher}, how to buy it.</p>;
  return (
    <p>
      To buy it, write to <ContactLink contact={contact} />.
    </p>
  );
}
