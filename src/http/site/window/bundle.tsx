import { counted } from '../parts/data-table.tsx';
import { grantedSince } from '../../../service/access.ts';
import type { Principal } from '../../../access/principal.ts';
import { findBundle, type ShownBundle } from '../../../service/window.ts';
import { formatPrice } from '../../../item/price.ts';
import { bundleCover } from './covers.ts';
import { cardOf } from './home.tsx';
import type { Http } from '../../http.ts';
import { previewUrl } from '../frame/assets.ts';
import { pageCacheHeaders, sendPage, type View } from '../frame/page.tsx';
import { BuyLink, ContactLink } from '../parts/buy.tsx';
import { Shelf } from '../parts/shelf.tsx';
import { bundleData } from './sitemap.ts';

/** Items that are sold together, and how much a reader saves. */
export async function showBundle({ stall, viewOf }: Http, visitor: Principal, wanted: string) {
  const shown = findBundle(stall.catalog(), wanted);
  const { bundle, makers, editions } = shown;
  const since = editions.map((edition) => grantedSince(stall, visitor, edition));
  const held = (await Promise.all(since)).map((one) => one !== null);
  const view = viewOf(visitor);
  const { title, slug } = bundle;
  const cards = editions.map((edition, n) => {
    const card = { ...cardOf(edition), summary: null };
    return held[n] === true ? { ...card, price: 'Yours' } : card;
  });
  const head = {
    title,
    heading: null,
    description: describe(shown),
    canonical: `/bundles/${slug}`,
    image: previewUrl(),
  };
  return sendPage(
    view,
    { ...head, headers: pageCacheHeaders(view) },
    <>
      <article class="item">
        <header class="item-head">
          <img class="cover" src={`/covers/${bundleCover(shown).name}`} alt="" width={400} height={600} />
          <div>
            <h1>{title}</h1>
            <p class="by">
              <bdi>{makers}</bdi>
            </p>
          </div>
        </header>
        <BundleSide view={view} shown={shown} held={held} />
        <div class="stack">
          <div class="description">
            {bundle.description.split(/\n\s*\n/).map((paragraph) => (
              <p>{paragraph}</p>
            ))}
          </div>
          <section>
            <h2>In this bundle</h2>
            <Shelf items={cards} level={3} />
          </section>
        </div>
      </article>
      <script
        type="application/ld+json"
        dangerouslySetInnerHTML={{ __html: bundleData(shown, view.origin) }}
      />
    </>,
  );
}

type SideProps = { view: View; shown: ShownBundle; held: readonly boolean[] };

/** What it costs; `held` says whether the visitor has each of its items. */
function BundleSide({ view, shown: { bundle, saved }, held }: SideProps) {
  const { unitAmountCents, currency, checkoutUrl } = bundle;
  const { contact } = view.stall;
  const have = held.filter(Boolean).length;
  return (
    <aside class="side" aria-label="How to get it">
      <p class="price">{formatPrice(unitAmountCents, currency)}</p>
      {saved !== null && <p>You save {formatPrice(saved, currency)} against the single prices.</p>}
      {have === held.length ? (
        <p>You have everything in it.</p>
      ) : (
        have > 0 && <p>You have {counted(have, 'item')} of it already.</p>
      )}
      {have < held.length && checkoutUrl !== null && <BuyLink view={view} priced={bundle} />}
      {have < held.length && checkoutUrl === null && contact !== null && (
        <p>
          To buy it, write to <ContactLink contact={contact} />.
        </p>
      )}
    </aside>
  );
}

function describe({ bundle, editions }: ShownBundle): string {
  const text = bundle.description.replace(/\s+/g, ' ').trim();
  return text === '' ? editions.map(({ manifest }) => manifest.title).join(', ') : text.slice(0, 300);
}
