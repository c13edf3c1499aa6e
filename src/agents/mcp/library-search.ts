import { listHeld } from '../../accounts/access.ts';
import type { AgentPrincipal } from '../../platform/base/principal.ts';
import type { Edition } from '../../catalog/catalog.ts';
import { plainTitle } from '../../catalog/marketplace.rule.ts';
import { isFree, isUnpublished } from '../../catalog/item.rule.ts';
import { questionWords } from '../../asking/question-words.rule.ts';
import { readCursor } from '../../reading/item-texts.ts';
import { compareText, comparable } from '../../platform/base/text.ts';
import { createTurns } from '../../platform/base/turn.ts';
import type { ToolInput, ToolOutput, Whole } from '../shapes.ts';
import type { Stall } from '../stall.ts';
import { rowOf, type StorefrontRow } from '../../catalog/storefront-index.ts';

type Query = ToolInput<'search_library'>;

/** A found item with its score. Results are sorted by score, and equal ones by slug. */
type Ranked = Place & { readonly edition: Edition };

const ITEMS_A_PAGE = 50;
const MOST_WORDS = 16;
const LONGEST_SEARCH = 1_000;

/**
 * Runs the tool `search_library`: searches the free items and the items that a principal has, archived ones too, by
 * title, description, makers, tags and slug. The best matches come first; without words, the principal's own items. Refuses a malformed cursor.
 */
export async function searchLibrary(
  stall: Stall,
  principal: AgentPrincipal,
  query: Query,
): Promise<ToolOutput<'search_library'>> {
  const last = query.cursor === undefined ? null : placeAt(query.cursor);
  const held = listHeld(stall, principal);
  const { rows } = await stall.storefrontIndexes(stall.catalog());
  const own = new Set(held);
  const free = rows.filter(
    ({ edition }) => isFree(edition.manifest) && !isUnpublished(edition.manifest) && !own.has(edition),
  );
  const found = await rankAll([...held.map(rowOf), ...free], query, own);
  const following = found.filter((one) => last === null || compare(last, one) < 0).sort(compare);
  const items = following.slice(0, ITEMS_A_PAGE);
  const end = items.at(-1);
  return {
    items: items.map(toListed),
    nextCursor: following.length > ITEMS_A_PAGE && end !== undefined ? `${end.slug}.${end.rank}` : undefined,
  };
}

const toListed = ({
  edition: { manifest },
}: Ranked): Whole<ToolOutput<'search_library'>['items'][number]> => ({
  slug: manifest.slug,
  kind: manifest.kind,
  title: plainTitle(manifest.title) || manifest.slug,
  description: plainTitle(manifest.description),
  version: manifest.version ?? undefined,
});

async function rankAll(
  rows: readonly StorefrontRow[],
  { query: text = '', kind }: Query,
  own: ReadonlySet<Edition>,
): Promise<readonly Ranked[]> {
  const words = searchWords(text);
  const turn = createTurns();
  const found: Ranked[] = [];
  for (const row of rows) {
    const { edition } = row;
    const rank = words.length === 0 ? Number(own.has(edition)) : rankOf(row, words);
    if ((rank > 0 || words.length === 0) && (kind === undefined || edition.manifest.kind === kind))
      found.push({ rank, slug: edition.manifest.slug, edition });
    await turn();
  }
  return found;
}

/** Splits a search into words, without stop words such as "the" if others remain. Reads only its first 1,000 characters. */
function searchWords(given: string): readonly string[] {
  const text = given.slice(0, LONGEST_SEARCH);
  const worth = questionWords(text).map(({ word }) => comparable(word));
  const words = worth.length > 0 ? worth : comparable(text).split(/\s+/).filter(Boolean);
  return [...new Set(words)].slice(0, MOST_WORDS);
}

/** Counts the words that an item contains; a word in its title counts twice. */
const rankOf = ({ title, text }: StorefrontRow, words: readonly string[]): number =>
  words.reduce((sum, word) => sum + Number(text.includes(word)) + Number(title.includes(word)), 0);

type Place = { readonly rank: number; readonly slug: string };

function placeAt(cursor: string): Place {
  const { slug, at: rank } = readCursor(cursor);
  return { rank, slug };
}

const compare = (a: Place, b: Place): number => b.rank - a.rank || compareText(a.slug, b.slug);
