import { grantedSince } from '../accounts/access.ts';
import type { Principal } from '../platform/base/principal.ts';
import type { Edition } from '../catalog/catalog.ts';
import { openingOf } from '../catalog/manifest.rule.ts';
import type { Http } from './stall.ts';
import { pageCacheHeaders, sendPage, type View } from '../platform/site/page.tsx';
import { BuyLink, BuyNote } from '../selling/buy.part.tsx';
import { Byline } from '../catalog/items.part.tsx';
import { bundleData } from './structured-data.ts';
import { useWords } from '../platform/site/words.tsx';
import { findBundle, type ShownBundle } from '../catalog/bundle.ts';
import { bundleCover, previewImage } from '../catalog/cover.ts';
import { Cover } from '../catalog/cover.part.tsx';
import { inLanguage } from '../platform/base/direction.ts';
import { priceIn } from '../catalog/item-words.ts';

export async function showBundle({ stall, viewOf }: Http, visitor: Principal, wanted: string) {
  const shown = findBundle(stall.catalog(), wanted);
  const { bundle, makers, editions } = shown;
  const since = editions.map((edition) => grantedSince(stall, visitor, edition));
  const held = since.map((one) => one !== null);
  const view = viewOf(visitor);
  const { title, slug, description } = bundle;
  const titles = editions.map(({ manifest }) => manifest.title).join(', ');
  const { sentence, rest } = openingOf({ kind: 'book', description: description || titles });
  const html = await stall.pages.renderText({
    markdown: rest,
    language: view.manifest.language,
    level: 3,
    place: null,
  });
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
            <h2>{view.words.shop.bundle.parts}</h2>
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

const MOST_COVERS = 4;

function Part({ edition, isHeld }: { edition: Edition; isHeld: boolean }) {
  const words = useWords();
  const { bundle } = words.shop;
  const { kind, slug, title, language } = edition.manifest;
  const own = inLanguage(language);
  return (
    <li>
      <Cover edition={edition} />
      <div>
        <h3 {...own}>
          <a href={`/${kind}s/${slug}`}>{title}</a>
        </h3>
        <Byline {...edition.manifest} />
        <p {...own}>{openingOf(edition.manifest).sentence}</p>
        <p class="quiet">
          {isHeld ? bundle.held : bundle.alone({ price: priceIn(words, edition.manifest) })}
        </p>
      </div>
    </li>
  );
}

type SideProps = { view: View; shown: ShownBundle; held: readonly boolean[] };

function BundleSide({ view, shown: { bundle, editions, makers, saved }, held }: SideProps) {
  const { words } = view;
  const { bundle: said, item } = words.shop;
  const { unitAmountCents, currency } = bundle;
  const inAll = (cents: number): string => priceIn(words, { unitAmountCents: cents, currency });
  const have = held.filter(Boolean).length;
  const priced = { ...bundle, publisher: makers };
  return (
    <aside class="side" aria-label={item.side}>
      <p class="price">{inAll(unitAmountCents)}</p>
      <ul class="gets">
        <li>{said.together({ count: editions.length })}</li>
        {saved !== null && (
          <li>{said.saved({ price: inAll(unitAmountCents + saved), saved: inAll(saved) })}</li>
        )}
        {have > 0 && have < held.length && <li>{said.some({ count: have })}</li>}
      </ul>
      {have === held.length ? (
        <p>{said.all}</p>
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
