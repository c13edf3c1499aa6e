import { splitTitle } from '../platform/base/text.ts';
import type { Principal } from '../platform/base/principal.ts';
import type { Edition } from '../catalog/catalog.ts';
import { markAddress } from '../catalog/item-links.ts';
import { FORMULA, shownText } from '../reading/shown-text.rule.ts';
import type { FoundPassage } from './split.rule.ts';
import { wordsMatcher } from './question-words.rule.ts';
import { type FoundText, MOST_FOUND, searchBook } from './text-search.ts';
import { pathOfHeadings, titleOf } from '../reading/contents.ts';
import type { VNode } from 'preact';
import type { Slice } from '../reading/markup/rendered.ts';
import type { Stall, Http } from './stall.ts';
import { movedPage, type PageHead, sendPage } from '../platform/site/page.tsx';
import { Empty } from '../platform/site/data-table.tsx';
import { Button, Field, QuietLink } from '../platform/site/form.tsx';
import { inItsLanguage, ItemTitle } from '../catalog/items.part.tsx';
import { useWords } from '../platform/site/words.tsx';
import type { Words } from '../words/words.ts';
import { type PageLook, readLook } from '../platform/site/look.tsx';

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

type FoundPlaceProps = FoundText & { readonly place: string; readonly snippet: VNode | null | undefined };

/** A link to a passage that was found, and its excerpt, if there is one. */
export function FoundPlace({ edition, passage, snippet, place }: FoundPlaceProps) {
  const sha256 = edition.files.find(({ path }) => path === passage.path)?.sha256 ?? '';
  return (
    <>
      <a href={markAddress(edition.manifest, { ...passage, sha256 })}>{place}</a>
      {snippet}
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

/** The part of a passage around the first match, in pieces: formulas, matches, and the prose between them. */
function snippetOf({ text }: FoundPassage, words: string, hasMath: boolean) {
  const plain = shownText(text).replace(/\s+/g, ' ').trim();
  const wanted = wordsMatcher(words);
  const first = wanted === null ? -1 : plain.search(wanted);
  const from = first < SNIPPET / 2 ? 0 : first - SNIPPET / 3;
  const space = from === 0 ? -1 : plain.slice(from, first).indexOf(' ');
  const cutAt = from + space + 1;
  const cut = plain.length - cutAt > SNIPPET ? plain.lastIndexOf(' ', cutAt + SNIPPET) : plain.length;
  const formulas = hasMath ? Array.from(plain.matchAll(FORMULA)) : [];
  const within = (at: number) => formulas.find(({ index, 0: tex }) => index < at && at < index + tex.length);
  // A formula is shown whole.
  const start = within(cutAt)?.index ?? cutAt;
  const rough = cut > cutAt ? cut : cutAt + SNIPPET;
  const last = within(rough);
  const end = last === undefined ? rough : last.index + last[0].length;
  const pieces: Piece[] = [];
  const addProse = (prose: string): void => {
    const parts = wanted === null ? [prose] : prose.split(wanted);
    for (const [n, part] of parts.entries()) pieces.push({ text: part, as: n % 2 === 0 ? 'prose' : 'match' });
  };
  let at = start;
  for (const { index, 0: tex } of formulas.filter((one) => one.index >= start && one.index < end)) {
    addProse(plain.slice(at, index).toWellFormed());
    pieces.push({ text: tex, as: 'formula' });
    at = index + tex.length;
  }
  addProse(plain.slice(at, end).toWellFormed());
  return { pieces, isCutBefore: start > 0, isCutAfter: end < plain.length };
}

type Piece = { readonly text: string; readonly as: 'prose' | 'match' | 'formula' };

/** Shows the excerpt of each found passage, formulas as its book's pages show them; null if only the headings match. */
export const showSnippets = (
  stall: Stall,
  found: readonly FoundText[],
  words: string,
): Promise<readonly (VNode | null)[]> =>
  Promise.all(
    found.map(async ({ edition, passage }) => {
      if (passage.isHeading === true) return null;
      const snippet = snippetOf(passage, words, edition.manifest.math);
      const hasFormula = snippet.pieces.some(({ as }) => as === 'formula');
      return hasFormula ? renderSnippet(stall, edition, snippet) : plainSnippet(snippet);
    }),
  );

type Snippet = ReturnType<typeof snippetOf>;

const plainSnippet = ({ pieces, isCutBefore, isCutAfter }: Snippet): VNode => (
  <p>
    {isCutBefore && '… '}
    {pieces.map(({ text, as }) => (as === 'match' ? <mark>{text}</mark> : text))}
    {isCutAfter && ' …'}
  </p>
);

async function renderSnippet(stall: Stall, { manifest: { language } }: Edition, snippet: Snippet) {
  let markdown = snippet.isCutBefore ? '… ' : '';
  const marked: Slice[] = [];
  for (const { text, as } of snippet.pieces) {
    const start = markdown.length;
    // Prose has lost its marks already: whatever looks like one is a character of the text.
    markdown += as === 'formula' ? text : text.replace(/[!-/:-@[-`{-~]/g, '\\$&');
    if (as === 'match') marked.push({ start, end: markdown.length });
  }
  if (snippet.isCutAfter) markdown += ' …';
  const text = { markdown, language, math: true, level: 3, marked, place: null };
  return <div dangerouslySetInnerHTML={{ __html: await stall.pages.renderText(text) }} />;
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
