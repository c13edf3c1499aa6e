import type { ItemKind } from '../../../item/item.ts';
import { formatPrice } from '../../../item/price.ts';
import type { WindowOrder, WindowPage, WindowQuery } from '../../../service/window.ts';
import type { ShownBundle } from '../../../service/bundles.ts';
import { bundleCover } from '../cover/bundle-cover.ts';
import { coverUrl } from '../cover/cover-name.ts';
import type { View } from '../frame/view.ts';
import { Empty } from '../parts/empty.tsx';
import { ButtonLink } from '../parts/form.tsx';
import { PageHeading } from '../parts/heading.tsx';
import { inLanguage } from '../parts/in-language.ts';
import { Pager } from '../parts/pager.tsx';
import { Shelf, type ShelfItem } from '../parts/shelf.tsx';
import { Filters } from './filters.tsx';
import { summaryOf } from '../../../item/description.ts';
import { windowUrl } from './window-query.ts';

type WindowProps = {
  readonly view: View;
  readonly query: WindowQuery;
  readonly page: WindowPage;
  /** The bundles that were looked for; the first page shows them. */
  readonly bundles: readonly ShownBundle[];
  /** The stall's introduction as HTML that passed the allow-list; null on pages without one. */
  readonly intro: string | null;
};

/** The shop window: the publisher's choice, and the items that were looked for. */
export function Window({ view, query, page, bundles, intro }: WindowProps) {
  const firstPage = windowUrl({ ...query, page: 1 });
  const isEverything = firstPage === '/';
  const count = page.count + bundles.length;
  if (isEverything && page.count === 0) return <NothingYet view={view} />;
  return (
    <>
      <div class="window-name unseen">
        <PageHeading title={view.stall.name} language={view.stall.language ?? undefined} />
      </div>
      {intro !== null && (
        <div
          class="reading"
          {...inLanguage(view.stall.language)}
          dangerouslySetInnerHTML={{ __html: intro }}
        />
      )}
      <Filters query={query} page={page} />
      <div class="shelf-head">
        <p class="quiet" role="status">
          {isEverything ? counted(count) : `${counted(count)} found`}
          {!isEverything && (
            <>
              {' · '}
              <a href="/">Show everything</a>
            </>
          )}
          {page.page > 1 && bundles.length > 0 && (
            <>
              {' · '}
              <a href={firstPage}>{bundles.length === 1 ? '1 bundle' : `${bundles.length} bundles`}</a>
            </>
          )}
        </p>
        {page.count > 1 && <Orders query={query} />}
      </div>
      {count === 0 ? (
        <Empty action={<ButtonLink href="/">Show everything</ButtonLink>}>
          No items match. Try fewer or different words.
        </Empty>
      ) : (
        <Shelves page={page} bundles={page.page === 1 ? bundles : []} />
      )}
      <Pages query={query} page={page} />
    </>
  );
}

const ORDERS: readonly (readonly [order: WindowOrder, name: string])[] = [
  ['title', 'A to Z'],
  ['newest', 'Newest first'],
];

/** The choice of an order, which begins at the first page again. */
function Orders({ query }: { query: WindowQuery }) {
  return (
    <ul class="orders" aria-label="Order">
      {ORDERS.map(([order, name]) => (
        <li key={order}>
          <a
            href={windowUrl({ ...query, order, page: 1 })}
            aria-current={order === query.order ? 'true' : undefined}
          >
            {name}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The publisher's choice, books and skills: on shelves of their own if there are several of them. */
function Shelves({ page: { featured, items }, bundles }: Pick<WindowProps, 'page' | 'bundles'>) {
  const ofKind = (kind: ItemKind) => items.filter(({ manifest }) => manifest.kind === kind);
  const shelves = [
    ['Featured', featured.map(cardOf)],
    ['Bundles', bundles.map(bundleCard)],
    ['Books', ofKind('book').map(cardOf)],
    ['Skills', ofKind('skill').map(cardOf)],
  ] as const;
  const filled = shelves.filter(([, cards]) => cards.length > 0);
  if (filled.length === 1) return <Shelf items={filled.flatMap(([, cards]) => cards)} />;
  return filled.map(([name, cards]) => (
    <section key={name}>
      <h2>{name}</h2>
      <Shelf items={cards} level={3} />
    </section>
  ));
}

function NothingYet({ view: { stall, visitor } }: { view: View }) {
  return (
    <>
      <PageHeading title={stall.name} language={stall.language ?? undefined} />
      {visitor === 'owner' ? (
        <Empty action={<ButtonLink href="/admin">Open the office</ButtonLink>}>
          This stall is still empty. Add a book or a skill to the content directory, then reload content.
        </Empty>
      ) : (
        <Empty>No books or skills yet.</Empty>
      )}
    </>
  );
}

const BY_TITLE = ['Previous', 'Next'] as const;

function Pages({ query, page: { page, pages } }: { query: WindowQuery; page: WindowPage }) {
  const to = (number: number): string | null =>
    number < 1 || number > pages ? null : windowUrl({ ...query, page: number });
  return <Pager newer={to(page - 1)} older={to(page + 1)} names={BY_TITLE} />;
}

function cardOf(edition: WindowPage['items'][number]): ShelfItem {
  const { kind, slug, title, publisher, unitAmountCents, currency, language } = edition.manifest;
  const isSkill = kind === 'skill';
  return {
    href: `/${kind}s/${slug}`,
    title,
    publisher,
    price: formatPrice(unitAmountCents, currency),
    cover: coverUrl(edition),
    isSquare: isSkill,
    language,
    // A book's cover says what it is; a skill's square does not.
    summary: isSkill ? summaryOf(edition.manifest) : null,
  };
}

function bundleCard(shown: ShownBundle): ShelfItem {
  const { bundle, makers, editions } = shown;
  return {
    href: `/bundles/${bundle.slug}`,
    title: bundle.title,
    publisher: makers,
    price: formatPrice(bundle.unitAmountCents, bundle.currency),
    cover: `/covers/${bundleCover(shown).name}`,
    isSquare: false,
    summary: editions.map(({ manifest }) => manifest.title).join(' · '),
  };
}

function counted(count: number): string {
  return count === 1 ? '1 item' : `${count} items`;
}
