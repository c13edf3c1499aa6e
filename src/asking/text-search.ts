import type { AgentPrincipal } from '../platform/base/principal.ts';
import type { IndexKind } from '../catalog/artefact.ts';
import type { Edition } from '../catalog/catalog.ts';
import { markAddress } from '../reading/item-links.ts';
import { wordsMatcher } from './question-words.rule.ts';
import type { FoundPassage } from './split.rule.ts';
import { cutToWords } from '../reading/sentence.rule.ts';
import { Refusal } from '../platform/base/refusal.ts';
import { createTurns } from '../platform/base/turn.ts';
import { checkCredential, may, seenBy } from '../accounts/access.ts';
import { listContents } from '../reading/contents.ts';
import { findSeen } from '../reading/item-texts.ts';
import type { Stall } from './stall.ts';
import { array, object, optional, text, whole } from '../platform/http/shape.ts';

/** The maximum length of an agent's search, in code points. */
export const LONGEST_TEXT_SEARCH = 500;
export const MOST_SEARCHED = 20;
export const MOST_FOUND = 20;
export const USUAL_FOUND = 10;

const WORDS = text('Words that are likely to stand in the text, in its language; synonyms too.', {
  minLength: 1,
  maxLength: LONGEST_TEXT_SEARCH,
});
const SEARCHED = {
  maxItems: MOST_SEARCHED,
  description: 'Slugs of the books to search. Left out: all that you may read, and samples of others.',
};
const LIMIT = whole({
  minimum: 1,
  maximum: MOST_FOUND,
  default: USUAL_FOUND,
  description: 'The most passages.',
});

export const TEXT_SEARCH = object({
  q: WORDS,
  item: optional(array(text(), SEARCHED)),
  limit: optional(LIMIT),
});

/** The maximum number of passages of one book in a search of several, so that it does not hide the others. */
const MOST_OF_BOOK = 3;
const MOST_WORDS = 200;

/** For how long a search of several books uses vectors, in milliseconds; the books after that are searched by words alone. */
const LONGEST_MEANT = 1000;

/** A search in texts. `slugs` are the books to search; if there are none, all that may be read, and the samples of others. */
type TextSearch = { readonly words: string; readonly slugs: readonly string[]; readonly limit: number };

export type FoundText = { readonly edition: Edition; readonly passage: FoundPassage };

type Searched = { readonly edition: Edition; readonly kind: IndexKind };

/**
 * Finds the passages that match some words best, and counts the books searched. Searches a whole book if the principal may read
 * it, else its samples. Refuses a slug that the principal may not see, and a skill, which has no index.
 *
 * Searches each book by itself, in an index without the texts that are closed to the principal: ranks and counts could reveal
 * the words of closed texts.
 */
export async function searchTexts(
  stall: Stall,
  principal: AgentPrincipal,
  { words, slugs, limit }: TextSearch,
  signal: AbortSignal,
): Promise<{ readonly found: readonly FoundText[]; readonly searched: number }> {
  const books =
    slugs.length === 0
      ? await listOpen(stall, principal)
      : [...new Set(slugs.map((slug) => findSeen(stall, principal, slug)))].flatMap((edition) =>
          partsOf(stall, principal, refuseSkill(edition)),
        );
  const search = () => searchEach(stall, books, { words, limit }, signal);
  const asker = principal.kind === 'anonymous' ? '' : principal.accountId;
  const { found, searched } = books.length > 1 ? await stall.searchInTurn(asker, search) : await search();
  // Checks access again, since the search may have waited for long.
  checkCredential(stall, principal);
  const isStillOpen = ({ edition, kind }: Searched): boolean =>
    partsOf(stall, principal, edition).some((part) => part.kind === kind);
  return { found: found.filter(isStillOpen), searched };
}

async function searchEach(
  stall: Stall,
  books: readonly Searched[],
  { words, limit }: Pick<TextSearch, 'words' | 'limit'>,
  signal: AbortSignal,
) {
  const most = books.length > 1 ? Math.min(MOST_OF_BOOK, limit) : limit;
  const turn = createTurns();
  const began = performance.now();
  let found: readonly (FoundText & Searched)[] = [];
  let searched = 0;
  for (const { edition, kind } of books) {
    await turn();
    if (signal.aborted) break;
    const byWords = performance.now() - began > LONGEST_MEANT;
    const asked = { words, limit: most, kind, byWords };
    const passages = await stall.indexes.find(edition, asked).catch((error: unknown) => {
      // In a search of several books, leaves out one that is damaged or is being indexed again.
      if (books.length > 1 && error instanceof Refusal) return null;
      throw error;
    });
    if (passages === null) continue;
    searched++;
    found = bestOf([...found, ...passages.map((passage) => ({ edition, kind, passage }))], limit);
  }
  return { found, searched };
}

const bestOf = <Found extends FoundText>(found: readonly Found[], limit: number): readonly Found[] =>
  found.toSorted((a, b) => rankOf(a) - rankOf(b) || b.passage.score - a.passage.score).slice(0, limit);

const rankOf = ({ passage }: FoundText): number => Number(passage.isHeading === true);

async function listOpen(stall: Stall, principal: AgentPrincipal): Promise<readonly Searched[]> {
  const turn = createTurns();
  const open: Searched[] = [];
  for (const edition of stall.catalog().editions) {
    if (edition.artefacts.index === undefined) continue;
    open.push(...partsOf(stall, principal, seenBy(principal, edition)));
    await turn();
  }
  return open;
}

function partsOf(stall: Stall, principal: AgentPrincipal, edition: Edition): readonly Searched[] {
  const isWhole = may(stall, principal, { edition, action: 'read' });
  const kind = isWhole ? 'index' : 'sample';
  const isOpen = isWhole || may(stall, principal, { edition, action: 'look' });
  return isOpen && edition.artefacts[kind] !== undefined ? [{ edition, kind }] : [];
}

function refuseSkill(edition: Edition): Edition {
  const { kind, slug } = edition.manifest;
  if (kind === 'book') return edition;
  throw Refusal.invalid(`Cannot search "${slug}": it is a skill, which is read whole; search books`);
}

export async function searchBook(stall: Stall, principal: AgentPrincipal, slug: string, words: string) {
  const edition = findSeen(stall, principal, slug, 'book');
  const [part] = partsOf(stall, principal, edition);
  const passages =
    words === '' || part === undefined
      ? []
      : await stall.indexes.find(edition, { words, limit: MOST_FOUND, kind: part.kind });
  const isWhole = may(stall, principal, { edition, action: 'read' });
  return { edition, contents: await listContents(stall, edition), passages, isWhole };
}

/**
 * Describes a found passage for programs: word for word, at most 200 words. `start`, `end` and the words in `marked`
 * are UTF-16 offsets into the text at `path`, whose hash is `sha256`.
 */
export function describeFound(stall: Stall, { edition, passage }: FoundText, words: string) {
  const { kind, slug, id, title } = edition.manifest;
  const { path, heading, start } = passage;
  const text = passage.text.slice(0, cutToWords(passage.text, MOST_WORDS));
  const sha256 = edition.files.find((file) => file.path === path)?.sha256 ?? '';
  const end = start + text.length;
  const matcher = wordsMatcher(words);
  const matches = matcher === null ? [] : text.matchAll(new RegExp(matcher, 'giu'));
  const marked = Array.from(matches, ({ index, 0: { length } }) => [start + index, start + index + length]);
  return {
    kind,
    slug,
    ...(id === null ? {} : { id }),
    title,
    path,
    heading,
    start,
    end,
    text,
    marked,
    sha256,
    url: stall.origin() + markAddress(edition.manifest, { path, start, end, sha256 }),
  };
}
