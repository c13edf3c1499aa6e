import type { Principal } from '../../../access/principal.ts';
import { markAddress } from '../../../catalog/item-links.ts';
import { directionOf } from '../../../markup/rendered.ts';
import { shownText } from '../../../passages/shown-text.ts';
import type { FoundPassage } from '../../../passages/split.ts';
import { movedPage, PageHeading, sendPage } from '../frame/page.tsx';
import type { Http } from '../../http.ts';
import { Empty } from '../parts/data-table.tsx';
import { ItemTitle } from '../parts/shelf.tsx';
import { titleOf } from './chapter.tsx';
import { searchBook } from '../../../service/agent-texts.ts';
import { Button, Field } from '../parts/form.tsx';

/** Of a passage that much is shown, in characters. */
const SNIPPET = 300;

/** The passages of a book that hold some words. The words are never logged. */
export async function showSearch(
  { stall, viewOf, sender }: Http,
  request: Request,
  principal: Principal,
  slug: string,
  typed: string,
): Promise<Response> {
  const words = typed.trim();
  const isSearch = words !== '' && [...words].length <= LONGEST_SEARCH;
  // A search in a long book takes tens of milliseconds.
  if (isSearch) await sender.turn(request);
  const { edition, contents, passages } = await searchBook(stall, principal, slug, isSearch ? words : '');
  const away = movedPage(request, edition, slug);
  if (away !== null) return away;
  const { manifest } = edition;
  const hashes = new Map(edition.files.map(({ path, sha256 }) => [path, sha256]));
  return sendPage(
    viewOf(principal),
    { title: `Search ${manifest.title}` },
    <>
      <PageHeading
        title={
          <>
            Search <ItemTitle {...manifest} />
          </>
        }
        lead={<a href={`/books/${slug}`}>Back to the book</a>}
      />
      <SearchForm slug={slug} words={words.slice(0, 2 * LONGEST_SEARCH)} />
      {isSearch && passages.length === 0 && <Empty>No passage that you may read holds these words.</Empty>}
      <ol class="found" lang={manifest.language ?? undefined} dir={directionOf(manifest.language)}>
        {passages.map((passage) => (
          <li key={`${passage.path} ${passage.start}`}>
            <a href={markAddress(manifest, { ...passage, sha256: hashes.get(passage.path) ?? '' })}>
              {titleOf(contents, passage.path)}
            </a>
            {passage.heading !== '' && <p class="place">{shownText(passage.heading)}</p>}
            <p>{snippetOf(passage)}</p>
          </li>
        ))}
      </ol>
    </>,
  );
}

function snippetOf({ text }: FoundPassage): string {
  const plain = shownText(text).replace(/\s+/g, ' ').trim();
  const characters = [...plain];
  return characters.length > SNIPPET ? `${characters.slice(0, SNIPPET).join('').trimEnd()}…` : plain;
}

/** The longest search in a book, in code points. */
const LONGEST_SEARCH = 200;

/** The form that searches one book. */
export function SearchForm({ slug, words }: { readonly slug: string; readonly words: string }) {
  return (
    <form class="search" action={`/books/${slug}/search`} role="search">
      <Field
        label="Search in this book"
        name="q"
        type="search"
        value={words}
        maxLength={LONGEST_SEARCH}
        required
      />
      <Button kind="quiet">Search</Button>
    </form>
  );
}
