import type { Edition } from '../../../catalog/edition.ts';
import { isFree } from '../../../item/item.ts';
import { Buy } from '../parts/buy.tsx';
import { CopyLine } from '../parts/copy-line.tsx';
import { ButtonLink } from '../parts/form.tsx';
import { formatPrice } from '../../../item/price.ts';
import { Tabs } from '../parts/tabs.tsx';
import { When } from '../parts/when.tsx';
import type { View } from '../frame/view.ts';
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
      <Read edition={edition} grantedSince={grantedSince} />
      <Ask edition={edition} grantedSince={grantedSince} />
      {status === 'published' && grantedSince === null && (
        <Buy manifest={edition.manifest} stallContact={view.stall.contact} />
      )}
      <Download edition={edition} grantedSince={grantedSince} />
      {status !== 'draft' && <Commands view={view} edition={edition} />}
    </aside>
  );
}

/** The way into the text: all of it for who may read it, else its sample. */
function Read({ edition: { manifest, files }, grantedSince }: Pick<SideProps, 'edition' | 'grantedSince'>) {
  if (!files.some(({ text }) => text)) return null;
  const isTheirs = isFree(manifest) || grantedSince !== null || manifest.status === 'draft';
  if (!isTheirs && manifest.sample.length === 0) return null;
  return (
    <ButtonLink href={`/${manifest.kind}s/${manifest.slug}/read`} kind={isTheirs ? undefined : 'quiet'}>
      {isTheirs ? 'Read' : 'Read a sample'}
    </ButtonLink>
  );
}

/** The way to ask a book, for those who may: a free one for any account. */
function Ask({
  edition: { manifest, artefacts },
  grantedSince,
}: Pick<SideProps, 'edition' | 'grantedSince'>) {
  const isTheirs = manifest.status !== 'draft' && (isFree(manifest) || grantedSince !== null);
  if (!isTheirs || artefacts.index === undefined) return null;
  return (
    <ButtonLink href={`/books/${manifest.slug}/ask`} kind="quiet">
      Ask
    </ButtonLink>
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
