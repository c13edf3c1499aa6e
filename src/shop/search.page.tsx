import type { Principal } from '../platform/base/principal.ts';
import type { Edition } from '../catalog/catalog.ts';
import { summaryOf } from '../catalog/manifest.rule.ts';
import { headingPath } from '../reading/contents.ts';
import { findInStorefront } from './storefront.ts';
import { type FoundText, MOST_FOUND, searchTexts } from '../asking/text-search.ts';
import { splitTitle } from '../platform/base/text.ts';
import { redirect } from '../platform/http/answer.ts';
import type { Http } from './stall.ts';
import type { Query } from '../platform/http/http.ts';
import { sendPage } from '../platform/site/page.tsx';
import { addressAt, Empty } from '../platform/site/data-table.tsx';
import { ButtonLink, QuietLink } from '../platform/site/form.tsx';
import { ItemTitle } from '../catalog/items.part.tsx';
import { useWords } from '../platform/site/words.tsx';
import { FoundPlace, showSnippets } from '../asking/found-text.part.tsx';
import { SearchForm } from '../reading/search-form.part.tsx';
import { readStorefrontQuery, storefrontUrl } from './storefront-query.ts';
import { inItsLanguage } from '../platform/base/direction.ts';

const MOST_ITEMS = 6;

export async function searchAll(http: Http, request: Request, visitor: Principal, typed: Query) {
  const query = readStorefrontQuery(typed);
  const { words } = query;
  const isForItems = storefrontUrl({ ...query, words: '' }) !== '/';
  if (isForItems) return redirect(storefrontUrl(query));
  const { stall, viewOf, budgets } = http;
  const { items, count } = await findInStorefront(stall, visitor, { ...query, size: MOST_ITEMS });
  const search = () => searchTexts(stall, visitor, { words, slugs: [], limit: MOST_FOUND }, request.signal);
  const { found } = words === '' ? { found: [] } : await budgets.search(request, visitor, search);
  const snippets = await showSnippets(stall, found, words);
  const view = viewOf(visitor);
  const { search: said } = view.words.shop;
  return sendPage(
    view,
    { title: words === '' ? said.title : said.titleFor({ words }), heading: said.title },
    <>
      <SearchForm words={words} />
      {words !== '' && (
        <Everything
          words={words}
          items={items}
          count={count}
          found={found}
          snippets={snippets}
          isIn={visitor.kind === 'account'}
        />
      )}
    </>,
  );
}

type FoundEverything = {
  readonly words: string;
  readonly items: readonly Edition[];
  readonly count: number;
  readonly found: readonly FoundText[];
  readonly snippets: Awaited<ReturnType<typeof showSnippets>>;
  readonly isIn: boolean;
};

function Everything({ words, items, count, found, snippets, isIn }: FoundEverything) {
  const { search, home } = useWords().shop;
  if (count === 0 && found.length === 0)
    return (
      <Empty action={<ButtonLink href="/">{home.showAll}</ButtonLink>}>{search.nothing({ words })}</Empty>
    );
  return (
    <>
      {count > 0 && (
        <section>
          <h2>{search.titles}</h2>
          <ul class="found">
            {items.map(({ manifest }) => (
              <li>
                <a href={`/${manifest.kind}s/${manifest.slug}`}>
                  <ItemTitle {...manifest} />
                </a>
                <p {...inItsLanguage(manifest)}>{summaryOf(manifest)}</p>
              </li>
            ))}
          </ul>
          {count > items.length && (
            <p>
              <QuietLink href={addressAt('/', { q: words }, 1)}>{search.all({ count })}</QuietLink>
            </p>
          )}
        </section>
      )}
      {found.length > 0 && (
        <section>
          <h2>{search.texts}</h2>
          <ol class="found">
            {found.map(({ edition, passage }, n) => (
              <li {...inItsLanguage(edition.manifest)}>
                <FoundPlace
                  edition={edition}
                  passage={passage}
                  snippet={snippets[n]}
                  place={[splitTitle(edition.manifest.title).name, headingPath(edition, passage)].join(' › ')}
                />
              </li>
            ))}
          </ol>
          {!isIn && (
            <p class="quiet">
              {search.samplesOnly((text) => (
                <a href="/sign-in">{text}</a>
              ))}
            </p>
          )}
        </section>
      )}
    </>
  );
}
