import { grantedSince } from '../../../service/access.ts';
import type { Principal } from '../../../access/principal.ts';
import type { Edition } from '../../../catalog/catalog.ts';
import { findBundle, type ShownBundle } from '../../../service/storefront.ts';
import { openingOf } from '../../../item/manifest.ts';
import { formatPrice } from '../../../item/price.ts';
import { bundleCover, previewImage } from './covers.ts';
import { Cover } from './item.tsx';
import type { Http } from '../../http.ts';
import { pageCacheHeaders, sendPage, type View } from '../frame/page.tsx';
import { BuyLink, BuyNote } from '../parts/buy.tsx';
import { Byline, inLanguage } from '../parts/shelf.tsx';
import { bundleData } from './sitemap.ts';
import { counted } from '../../../text.ts';

/** Items that are sold together, and how much a reader saves. */
export async function showBundle({ stall, viewOf }: Http, visitor: Principal, wanted: string) {
  const shown = findBundle(stall.catalog(), wanted);
  const { bundle, makers, editions } = shown;
  const since = editions.map((edition) => grantedSince(stall, visitor, edition));
  const held = since.map((one) => one !== null);
  const view = viewOf(visitor);
  const { title, slug, description } = bundle;
  const titles = editions.map(({ manifest }) => manifest.title).join(', ');
  const { sentence, rest } = openingOf({ kind: 'book', description: description || titles });
  const html = await stall.pages.renderText({ markdown: rest, level: 3, place: null });
  const image = `/covers/${bundleCover(shown).name}`;
  const head = {
    title,
    heading: null,
    description: sentence.slice(0, 300),
    canonical: `/bundles/${slug}`,
    image: previewImage(...editions),
  };
  return sendPage(
    view,
    { ...head, headers: pageCacheHeaders(view) },
    <>
      <article class="item">
        <header class="item-head">
          <div class="covers">
            {editions.slice(0, MOST_COVERS).map((edition) => (
              <Cover edition={edition} />
            ))}
          </div>
          <div>
            <h1>{title}</h1>
            <p class="by">
              <bdi>{makers}</bdi>
            </p>
          </div>
          <p class="opening short">{sentence}</p>
        </header>
        <BundleSide view={view} shown={shown} held={held} />
        <div class="stack">
          {rest !== '' && (
            <div class="reading description" dir="auto" dangerouslySetInnerHTML={{ __html: html }} />
          )}
          <section>
            <h2>In this bundle</h2>
            <ul class="parts">
              {editions.map((edition, n) => (
                <Part edition={edition} isHeld={held[n] === true} />
              ))}
            </ul>
          </section>
        </div>
      </article>
      <script
        type="application/ld+json"
        dangerouslySetInnerHTML={{ __html: bundleData(shown, view.origin, image) }}
      />
    </>,
  );
}

/** The covers that are shown as one picture. */
const MOST_COVERS = 4;

/** An item of the bundle with its price alone. */
function Part({ edition, isHeld }: { edition: Edition; isHeld: boolean }) {
  const { kind, slug, title, language, unitAmountCents, currency } = edition.manifest;
  const words = inLanguage(language);
  return (
    <li>
      <Cover edition={edition} />
      <div>
        <h3 {...words}>
          <a href={`/${kind}s/${slug}`}>{title}</a>
        </h3>
        <Byline {...edition.manifest} />
        <p {...words}>{openingOf(edition.manifest).sentence}</p>
        <p class="quiet">{isHeld ? 'Yours already' : `${formatPrice(unitAmountCents, currency)} alone`}</p>
      </div>
    </li>
  );
}

type SideProps = { view: View; shown: ShownBundle; held: readonly boolean[] };

/** The bundle's price; `held` says whether the visitor has each of its items. */
function BundleSide({ view, shown: { bundle, editions, makers, saved }, held }: SideProps) {
  const { unitAmountCents, currency } = bundle;
  const have = held.filter(Boolean).length;
  const priced = { ...bundle, publisher: makers };
  return (
    <aside class="side" aria-label="How to get it">
      <p class="price">{formatPrice(unitAmountCents, currency)}</p>
      <ul class="gets">
        <li>{counted(editions.length, 'item')} together</li>
        {saved !== null && (
          <li>
            {formatPrice(unitAmountCents + saved, currency)} one by one: you save{' '}
            {formatPrice(saved, currency)}
          </li>
        )}
        {have > 0 && have < held.length && <li>You have {counted(have, 'item')} of it already.</li>}
      </ul>
      {have === held.length ? (
        <p>You have everything in it.</p>
      ) : (
        <>
          <div class="acts">
            <BuyLink view={view} priced={priced} />
          </div>
          <BuyNote view={view} priced={priced} />
        </>
      )}
    </aside>
  );
}
