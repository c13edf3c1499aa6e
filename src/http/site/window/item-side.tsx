import type { Edition } from '../../../catalog/edition.ts';
import { isFree, type Manifest } from '../../../item/item.ts';
import { formatPrice } from '../../../item/price.ts';
import type { View } from '../frame/view.ts';
import { Buy } from '../parts/buy.tsx';
import { ButtonLink } from '../parts/form.tsx';
import { When } from '../parts/when.tsx';
import { FormatLinks } from './item-formats.tsx';

type SideProps = {
  readonly view: View;
  readonly edition: Edition;
  readonly grantedSince: number | null;
  readonly isOpen: boolean;
};

/** The visitor's next step with the item: `isTheirs` if they may take it, `isOpen` if they may read the whole of it here. */
type Offer = { readonly edition: Edition; readonly isTheirs: boolean; readonly isOpen: boolean };

/** The box of an item's page: its price, or since when it is the reader's, and the one button that fits who looks. */
export function ItemSide({ view, edition, grantedSince, isOpen }: SideProps) {
  const { manifest } = edition;
  const isTheirs = isFree(manifest) || grantedSince !== null;
  const offer = { edition, isTheirs, isOpen };
  return (
    <aside class="side" aria-label="How to get it">
      {grantedSince === null ? (
        <p class="price">{formatPrice(manifest.unitAmountCents, manifest.currency)}</p>
      ) : (
        <p>
          You have owned this since <When at={grantedSince} />.
        </p>
      )}
      {manifest.status === 'published' && !isTheirs && <Buy view={view} manifest={manifest} />}
      {manifest.kind === 'skill' && <Download {...offer} kind={undefined} />}
      <Read {...offer} />
      <Ask {...offer} />
      {isTheirs && manifest.status !== 'draft' && <FormatLinks edition={edition} />}
      {manifest.kind === 'book' && <Download {...offer} kind="quiet" />}
      {manifest.status === 'published' && !isTheirs && view.visitor !== 'owner' && (
        <Bought view={view} manifest={manifest} />
      )}
    </aside>
  );
}

/** The ways of those who bought an item, and see it as others do. */
function Bought({ view, manifest: { kind, slug } }: { readonly view: View; readonly manifest: Manifest }) {
  return (
    <p class="quiet">
      Bought it already?{' '}
      {view.email === null && (
        <>
          <a href={`/sign-in?next=/${kind}s/${slug}`}>Sign in</a>,{' '}
        </>
      )}
      <a href="/claim">find your purchase</a> or <a href="/redeem">redeem a code</a>.
    </p>
  );
}

/** The way into the text: all of it for readers who may, else its sample. */
function Read({ edition: { manifest, files }, isTheirs, isOpen }: Offer) {
  const { kind, slug, status, sample, checkoutUrl } = manifest;
  if (!files.some(({ text }) => text)) return null;
  if (!isOpen && sample.length === 0) return null;
  // One button is the first: to buy, if that is what is left to do.
  const isFirst = kind === 'book' && (isTheirs || status === 'draft' || checkoutUrl === null);
  return (
    <ButtonLink href={`/${kind}s/${slug}/read`} kind={isFirst ? undefined : 'quiet'}>
      {isOpen ? 'Read' : 'Read a sample'}
    </ButtonLink>
  );
}

/** The way to ask a book, for those who may: a free one for any account. */
function Ask({ edition: { manifest, artefacts }, isOpen }: Offer) {
  if (!isOpen || artefacts.index === undefined) return null;
  return (
    <ButtonLink href={`/books/${manifest.slug}/ask`} kind="quiet">
      Ask
    </ButtonLink>
  );
}

/** The archive that a browser can download without a key: a session counts for zips only. */
function Download({ edition: { manifest }, isTheirs, kind }: Offer & { kind: 'quiet' | undefined }) {
  if (manifest.status === 'draft' || !isTheirs) return null;
  const isSkill = manifest.kind === 'skill';
  if (!isSkill && !isFree(manifest)) return null;
  return (
    <ButtonLink
      href={isSkill ? `/api/skills/${manifest.slug}/download` : `/api/install/${manifest.slug}`}
      kind={kind}
    >
      {isSkill ? (isFree(manifest) ? 'Get it free' : 'Download as zip') : 'Download as tar.gz'}
    </ButtonLink>
  );
}
