import { splitTitle } from '../../../text.ts';
import type { Principal } from '../../../access/principal.ts';
import type { Edition } from '../../../catalog/catalog.ts';
import { markAddress } from '../../../catalog/item-links.ts';
import { shownText } from '../../../passages/shown-text.ts';
import type { FoundPassage } from '../../../passages/split.ts';
import { wordsMatcher } from '../../../passages/question-words.ts';
import { type FoundText, MOST_FOUND, searchBook } from '../../../service/text-search.ts';
import { pathOfHeadings, titleOf } from '../../../service/contents.ts';
import type { Http } from '../../http.ts';
import { movedPage, type PageHead, sendPage } from '../frame/page.tsx';
import { Empty } from '../parts/data-table.tsx';
import { Button, Field, QuietLink } from '../parts/form.tsx';
import { inItsLanguage, ItemTitle } from '../parts/items.tsx';
import { useWords } from '../parts/words.tsx';
import type { Words } from '../../../words/words.ts';
import { type PageLook, readLook } from '../frame/look.tsx';

/** The length of the part of a passage that is shown, in characters. */
const SNIPPET = 300;

/** Shows the passages of a book that contain the words of a search. The words are never logged. */
export async function showSearch(
  { stall, viewOf }: Http,
  request: Request,
  principal: Principal,
  slug: string,
  typed: string,
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
        {passages.map((passage) => (
          <li>
            <FoundPlace
              edition={edition}
              passage={passage}
              words={words}
              place={pathOfHeadings(titleOf(contents, passage.path), passage.heading)}
            />
          </li>
        ))}
      </ol>
    </>,
  );
}

/** A link to a passage that was found, with an excerpt of it. The excerpt is left out if only the headings match. */
export function FoundPlace({
  edition,
  passage,
  words,
  place,
}: FoundText & { readonly words: string; readonly place: string }) {
  const sha256 = edition.files.find(({ path }) => path === passage.path)?.sha256 ?? '';
  return (
    <>
      <a href={markAddress(edition.manifest, { ...passage, sha256 })}>{place}</a>
      {passage.isHeading !== true && <p>{snippetOf(passage, words)}</p>}
    </>
  );
}

/** Returns the title and other properties of the pages that search or ask a book. */
export const headInBook = (
  reading: Words['reading'],
  act: 'find' | 'answer',
  { manifest }: Edition,
  look: PageLook,
): PageHead => ({
  title: reading[act].title({ title: manifest.title }),
  look,
  heading: reading[act].heading({ title: <ItemTitle {...manifest} title={splitTitle(manifest.title)[0]} /> }),
  lead: <a href={`/books/${manifest.slug}`}>{reading.back}</a>,
});

/** Cuts an excerpt of a passage around the first match, and highlights every match. */
function snippetOf({ text }: FoundPassage, words: string) {
  const plain = shownText(text).replace(/\s+/g, ' ').trim();
  const wanted = wordsMatcher(words);
  const first = wanted === null ? -1 : plain.search(wanted);
  const from = first < SNIPPET / 2 ? 0 : first - SNIPPET / 3;
  const space = from === 0 ? -1 : plain.slice(from, first).indexOf(' ');
  const start = from + space + 1;
  const cut = plain.length - start > SNIPPET ? plain.lastIndexOf(' ', start + SNIPPET) : plain.length;
  const end = cut > start ? cut : start + SNIPPET;
  const shown = plain.slice(start, end).toWellFormed();
  const parts = wanted === null ? [shown] : shown.split(wanted);
  return (
    <>
      {start > 0 && '… '}
      {parts.map((part, n) => (n % 2 === 0 ? part : <mark>{part}</mark>))}
      {end < plain.length && ' …'}
    </>
  );
}

/** The longest search in a book, in code points. */
const LONGEST_SEARCH = 200;

/** The search form of one book, or of the whole stall if there is no slug. */
export function SearchForm({ slug, words }: { readonly slug?: string; readonly words: string }) {
  const { reading } = useWords();
  return (
    <form class="search" action={slug === undefined ? '/search' : `/books/${slug}/search`} role="search">
      <Field
        label={slug === undefined ? reading.find.everywhere : reading.find.inBook}
        name="q"
        type="search"
        value={words}
        maxLength={LONGEST_SEARCH}
        required
      />
      <Button kind="quiet">{reading.search}</Button>
    </form>
  );
}
