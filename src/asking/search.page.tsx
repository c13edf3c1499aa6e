import { splitTitle } from '../platform/base/text.ts';
import type { Principal } from '../platform/base/principal.ts';
import type { Edition } from '../catalog/catalog.ts';
import { MOST_FOUND, searchBook } from './text-search.ts';
import { FoundPlace, showSnippets } from './found-text.part.tsx';
import { pathOfHeadings, titleOf } from '../reading/contents.ts';
import { LONGEST_SEARCH, SearchForm } from '../reading/search-form.part.tsx';
import type { Http } from './stall.ts';
import { type PageHead, sendPage } from '../platform/site/page.tsx';
import { Empty } from '../platform/site/data-table.tsx';
import { QuietLink } from '../platform/site/form.tsx';
import { ItemTitle } from '../catalog/items.part.tsx';
import type { Words } from '../words/words.ts';
import { type PageLook, readLook } from '../platform/site/look.tsx';
import { inItsLanguage } from '../platform/base/direction.ts';
import { movedPage } from '../reading/moved-page.ts';

/** Shows the passages of a book that contain the words of a search. Never logs the words. */
export async function showSearch(
  { stall, viewOf }: Http,
  request: Request,
  {
    principal,
    slug,
    typed,
  }: { readonly principal: Principal; readonly slug: string; readonly typed: string },
): Promise<Response> {
  const words = typed.trim();
  const isSearch = words !== '' && [...words].length <= LONGEST_SEARCH;
  const wanted = isSearch ? words : '';
  const { edition, contents, passages, isWhole } = await searchBook(stall, principal, slug, wanted);
  const away = movedPage(request, edition, slug);
  if (away !== null) return away;
  const { manifest } = edition;
  const view = viewOf(principal);
  const { reading } = view.words;
  const found = passages.map((passage) => ({ edition, passage }));
  const snippets = await showSnippets(stall, found, words);
  return sendPage(
    view,
    headInBook(reading, 'find', edition, readLook(request)),
    <>
      <SearchForm slug={slug} words={words.slice(0, 2 * LONGEST_SEARCH)} />
      {isSearch && passages.length === 0 && (
        <Empty action={<QuietLink href={`/books/${slug}#contents`}>{reading.lookThrough}</QuietLink>}>
          {reading.find.none({ words, isWhole })}
        </Empty>
      )}
      {passages.length > 0 && (
        <p class="place">
          {reading.find.found({ count: passages.length, isAll: passages.length < MOST_FOUND, isWhole })}
        </p>
      )}
      <ol class="found" {...inItsLanguage(manifest)}>
        {passages.map((passage, n) => (
          <li>
            <FoundPlace
              edition={edition}
              passage={passage}
              snippet={snippets[n]}
              place={pathOfHeadings(titleOf(contents, passage.path), passage.heading)}
            />
          </li>
        ))}
      </ol>
    </>,
  );
}

export const headInBook = (
  reading: Words['reading'],
  act: 'find' | 'answer',
  { manifest }: Edition,
  look: PageLook,
): PageHead => ({
  title: reading[act].title({ title: manifest.title }),
  look,
  heading: reading[act].heading({
    title: <ItemTitle {...manifest} title={splitTitle(manifest.title).name} />,
  }),
  lead: <a href={`/books/${manifest.slug}`}>{reading.back}</a>,
});
