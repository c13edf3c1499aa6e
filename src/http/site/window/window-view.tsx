import type { ItemKind } from '../../../item/item.ts';
import { formatPrice } from '../../../item/price.ts';
import type { WindowOrder, WindowPage, WindowQuery } from '../../../service/shop/window.ts';
import { coverUrl } from '../cover/cover-name.ts';
import type { View } from '../frame/view.ts';
import { Empty } from '../parts/empty.tsx';
import { ButtonLink } from '../parts/form.tsx';
import { PageHeading } from '../parts/heading.tsx';
import { inLanguage } from '../parts/in-language.ts';
import { Pager } from '../parts/pager.tsx';
import { Shelf } from '../parts/shelf.tsx';
import { Filters } from './filters.tsx';
import { summaryOf } from './item-summary.ts';
import { windowUrl } from './window-query.ts';

type WindowProps = {
  readonly view: View;
  readonly query: WindowQuery;
  readonly page: WindowPage;
  /** The stall's introduction as HTML that passed the allow-list; null on pages without one. */
  readonly intro: string | null;
};

/** The shop window: the publisher's choice, and the items that were looked for. */
export function Window({ view, query, page, intro }: WindowProps) {
  const isEverything = windowUrl({ ...query, page: 1 }) === '/';
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
          {isEverything ? counted(page.count) : `${counted(page.count)} found`}
          {!isEverything && (
            <>
              {' · '}
              <a href="/">Show everything</a>
            </>
          )}
        </p>
        {page.count > 1 && <Orders query={query} />}
      </div>
      {page.count === 0 ? (
        <Empty action={<ButtonLink href="/">Show everything</ButtonLink>}>
          No items match. Try fewer or different words.
        </Empty>
      ) : (
        <Shelves page={page} />
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
function Shelves({ page: { featured, items } }: Pick<WindowProps, 'page'>) {
  const ofKind = (kind: ItemKind) => items.filter(({ manifest }) => manifest.kind === kind);
  const shelves = [
    ['Featured', featured],
    ['Books', ofKind('book')],
    ['Skills', ofKind('skill')],
  ] as const;
  const filled = shelves.filter(([, editions]) => editions.length > 0);
  if (filled.length === 1) return <Shelf items={[...featured, ...items].map(cardOf)} />;
  return filled.map(([name, editions]) => (
    <section key={name}>
      <h2>{name}</h2>
      <Shelf items={editions.map(cardOf)} level={3} />
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

function cardOf(edition: WindowPage['items'][number]) {
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

function counted(count: number): string {
  return count === 1 ? '1 item' : `${count} items`;
}
