import type { Edition } from '../../../catalog/edition.ts';
import { isFree } from '../../../item/item.ts';
import { CopyLine } from '../parts/copy-line.tsx';
import { ButtonLink } from '../parts/form.tsx';
import { formatPrice } from '../../../item/price.ts';
import { Tabs } from '../parts/tabs.tsx';
import { When } from '../parts/when.tsx';
import type { View } from '../frame/view.ts';
import { ContactLink } from '../parts/contact-link.tsx';
import { installCommands } from './install-commands.ts';

type SideProps = { readonly view: View; readonly edition: Edition; readonly grantedSince: number | null };

/** The side column of an item's page: its price, and how to get it. */
export function ItemSide({ view, edition, grantedSince }: SideProps) {
  const { unitAmountCents, currency, status } = edition.manifest;
  return (
    <aside class="side" aria-label="How to get it">
      <p class="price">{formatPrice(unitAmountCents, currency)}</p>
      {grantedSince !== null && (
        <p>
          You have owned this since <When at={grantedSince} />.
        </p>
      )}
      {status === 'published' && grantedSince === null && <Buy view={view} edition={edition} />}
      <Download edition={edition} grantedSince={grantedSince} />
      {status !== 'draft' && <Commands view={view} edition={edition} />}
    </aside>
  );
}

/** The link to buy a paid item, or the contact to write to. */
function Buy({ view, edition: { manifest } }: Pick<SideProps, 'view' | 'edition'>) {
  if (isFree(manifest)) return null;
  const { checkoutUrl, unitAmountCents, currency } = manifest;
  const contact = manifest.contact ?? view.stall.contact;
  if (checkoutUrl !== null)
    return <ButtonLink href={checkoutUrl}>Buy for {formatPrice(unitAmountCents, currency)}</ButtonLink>;
  if (contact === null) return <p>Ask the publisher, {manifest.publisher}, how to buy it.</p>;
  return (
    <p>
      To buy it, write to <ContactLink contact={contact} />.
    </p>
  );
}

/** The archive that a browser can download without a key: a session counts for zips only. */
function Download({ edition: { manifest }, grantedSince }: Pick<SideProps, 'edition' | 'grantedSince'>) {
  const isTheirs = manifest.status !== 'draft' && (isFree(manifest) || grantedSince !== null);
  if (!isTheirs) return null;
  if (manifest.kind === 'skill')
    return <ButtonLink href={`/api/skills/${manifest.slug}/download`}>Download as zip</ButtonLink>;
  return isFree(manifest) ? (
    <ButtonLink href={`/api/install/${manifest.slug}`}>Download as tar.gz</ButtonLink>
  ) : null;
}

function Commands({ view, edition }: Pick<SideProps, 'view' | 'edition'>) {
  const tabs = installCommands(edition, view.origin).map(({ name, line, does }) => ({
    name,
    body: (
      <>
        <CopyLine text={line} />
        <p>{does}</p>
      </>
    ),
  }));
  return (
    <>
      <h2>Get it</h2>
      <Tabs id="get" label="Ways to get it" tabs={tabs} />
      <KeyAdvice edition={edition} />
    </>
  );
}

/** Whether the commands above need a key. */
function KeyAdvice({ edition: { manifest, artefacts } }: Pick<SideProps, 'edition'>) {
  if (isFree(manifest) && artefacts.index === undefined) return <p>No key needed.</p>;
  return (
    <p>
      {isFree(manifest)
        ? 'Installing it needs no API key, but asking it does.'
        : 'Each command needs an API key of an account that owns the item.'}{' '}
      Store <a href="/dashboard/api-keys">yours</a> in the environment variable <code>BOOKSTALL_KEY</code>.
    </p>
  );
}
