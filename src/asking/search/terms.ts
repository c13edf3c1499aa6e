import { type QuestionWord, questionWords } from '../question-words.rule.ts';
import { formsOf, samePhrases, searchable, withoutPhrases } from '../searchable.rule.ts';
import type { Tokenizer } from '../../reading/sentence.rule.ts';
import { type IndexFile, PASSAGE } from './index-file.sql.ts';
import { relatedWords } from './related-words.ts';
import { soughtTokens, tokenize } from './tokens.sql.ts';

export type Term = AskedTerm & { readonly weight: number; readonly places: readonly number[] };

/** A related word that the book has; `of` is the first token of the question's own word, even if the book lacks it. */
export type RelatedTerm = Pick<Term, 'tokens' | 'weight' | 'places'> & { readonly of: string };

/**
 * The result of looking up a question's terms in a book. `held` are the terms that occur in the book, `related` are words that
 * count in place of terms, `weight` is the weight of the held and the missing terms together, and `lackingNames` that of the
 * missing proper names.
 */
export type Terms = {
  readonly held: readonly Term[];
  readonly related: readonly RelatedTerm[];
  readonly weight: number;
  readonly lackingNames: number;
};

/** The maximum number of terms that are read: a question of 8,000 characters has 1,300, of which the rarest tell most. */
export const MOST_TERMS = 64;
/** How many places are read of all terms together: a word in every sentence of a 32 MB book blocked the server for 130 ms. */
const MOST_PLACES = 60_000;
/** A word in a greater share of the passages is ignored beside rarer words. The share is less where stop words are unknown. */
const MOST_SHARE: Readonly<Record<Tokenizer, number>> = { porter: 1 / 2, word: 1 / 3 };
/** If more words than this contain a word, none of them is searched for as its compound. */
const MOST_COMPOUNDS = 20;
/** "Java" of "JavaScript" is searched for only if this many times as many passages contain the part as the whole word. */
const PART = 1.1;
// Computes weights as if every book had this many passages more: in a book of five, the frequency of a word says nothing.
const PRIOR_PASSAGES = 100;

type Counted = { readonly term: AskedTerm; readonly count: number; readonly places: number };

/**
 * Looks up the terms of a question. Reads the 64 rarest in the book, fewer if they have many places, and weighs up to 64 that
 * the book lacks. Unless `withRelated` is false, also looks up related words in an English book, if there is room.
 */
export function lookUpTerms(file: IndexFile, asked: readonly AskedTerm[], withRelated = true): Terms {
  const { total } = file;
  let whole = 0;
  const counted = asked
    // Only the first terms get compounds: looking for these reads the whole vocabulary.
    .map((term, n) => countTerm(file, term, n < MOST_TERMS))
    .filter(({ term, count }) => {
      if (!term.isPart) whole = count;
      return !term.isPart || count === 0 || count > PART * whole;
    });
  const found = rarest(
    counted.filter(({ count }) => count > 0),
    file,
  );
  const lacking = counted.filter(({ count }) => count === 0).slice(0, MOST_TERMS);
  const unheld = (counts: readonly Counted[]): number =>
    counts.reduce((sum, { term }) => sum + weightOf(term, total, 0), 0);
  const held = found.map((one) => readTerm(file, one));
  return {
    held,
    related: withRelated && file.tokenizer === 'porter' ? findRelated(file, [...lacking, ...found]) : [],
    weight: held.reduce((sum, { weight }) => sum + weight, unheld(lacking)),
    lackingNames: unheld(lacking.filter(({ term }) => term.isName && !term.isTitle)),
  };
}

/** How many related words are counted for one term and for all terms, and how many of those that the book has are read. */
const MOST_RELATED = { ofTerm: 16, ofAll: 48, read: 16 };

/**
 * Finds the words of an English book that are related to a question's words, but not to names, nor to words that only form the
 * question. A related word weighs a share of the lesser of two weights: its own, and that of the question's word.
 */
function findRelated(file: IndexFile, asked: readonly Counted[]): readonly RelatedTerm[] {
  const own = new Set(asked.flatMap(({ term }) => term.tokens));
  const known = asked
    .filter(({ term }) => !term.isName && !term.isTitle && !term.isPart && term.share === 1)
    .flatMap(({ term, count }) => {
      const weight = weightOf(term, file.total, count);
      const related = term.tokens.flatMap(relatedWords).filter(({ stem }) => !own.has(stem));
      return related
        .sort((a, b) => b.weight - a.weight)
        .slice(0, MOST_RELATED.ofTerm)
        .map((one) => ({ stem: one.stem, of: term.tokens[0]!, share: one.weight, weight }));
    })
    .sort((a, b) => b.share * b.weight - a.share * a.weight)
    .slice(0, MOST_RELATED.ofAll);
  const found = new Map<string, RelatedTerm>();
  for (const { stem, of, share, weight } of known) {
    const { passages, places } = file.count(stem);
    if (passages === 0 || places > MOST_PLACES / MOST_TERMS) continue;
    const least = share * Math.min(weight, weigh(file.total, passages));
    if (least > (found.get(stem)?.weight ?? 0))
      found.set(stem, { tokens: [stem], of, weight: least, places: [] });
  }
  return [...found.values()]
    .sort((a, b) => b.weight - a.weight)
    .slice(0, Math.min(MOST_RELATED.read, MOST_TERMS - asked.filter(({ count }) => count > 0).length))
    .map((one) => ({ ...one, places: file.places(one.tokens[0]!, MOST_PLACES) }));
}

function rarest(found: readonly Counted[], { total, tokenizer }: IndexFile): readonly Counted[] {
  const most = (total + PRIOR_PASSAGES) * MOST_SHARE[tokenizer];
  let read = 0;
  return found
    .toSorted((a, b) => a.count - b.count)
    .slice(0, MOST_TERMS)
    .filter(({ count, places }, i) => {
      read += places;
      return i === 0 || (count <= most && read <= MOST_PLACES);
    });
}

/**
 * Counts the passages that contain a term, and the places where it occurs. Also counts the publisher's aliases of the term and,
 * with `withCompounds`, compound words that contain it. A passage with several of these words counts several times.
 */
function countTerm(file: IndexFile, asked: AskedTerm, withCompounds: boolean): Counted {
  const aliases = asked.tokens.flatMap((token) => file.aliases.get(token) ?? []);
  const compounds = withCompounds && file.tokenizer === 'word' ? compoundsOf(asked.word, file) : [];
  const tokens = [...new Set([...asked.tokens, ...aliases, ...compounds])];
  const counts = tokens.map((token) => countToken(file, token));
  return {
    term: { ...asked, tokens },
    count: counts.reduce((sum, { passages }) => sum + passages, 0),
    places: counts.reduce((sum, { places }) => sum + places, 0),
  };
}

// Fewer than four letters before a word are mostly the beginning of another word; in Hebrew, one letter may be a word of its
// own.
const JOINED = /^[\p{scx=Latin}\p{scx=Cyrillic}\p{scx=Greek}\p{scx=Hebrew}]{5,}$/u;
const HEBREW = /\p{scx=Hebrew}/u;

/**
 * Returns a book's words that contain a word after other letters, as "Warndreieck" does "Dreieck"; none if there are too many.
 */
function compoundsOf(word: string, { vocabulary }: IndexFile): readonly string[] {
  const [token = ''] = tokenize(word, 'word');
  if (!JOINED.test(token)) return [];
  const least = HEBREW.test(token) ? 1 : 4;
  const all = vocabulary();
  const found: string[] = [];
  for (let at = all.indexOf(token); at >= 0; at = all.indexOf(token, at + 1)) {
    const start = all.lastIndexOf('\n', at) + 1;
    if (at - start >= least && found.push(all.slice(start, all.indexOf('\n', at))) > MOST_COMPOUNDS)
      return [];
  }
  return found;
}

function countToken(file: IndexFile, token: string): ReturnType<IndexFile['count']> {
  if (!token.includes(' ')) return file.count(token);
  const places = placesOf(file, token);
  return { passages: passagesOf(places), places: places.length };
}

function passagesOf(places: readonly number[]): number {
  let count = 0;
  let last = 0;
  for (const place of places) {
    const passage = Math.floor(place / PASSAGE);
    if (passage !== last) count++;
    last = passage;
  }
  return count;
}

/** Returns the places of a token, sorted; for a phrase, those of its first token that the others follow. */
function placesOf(file: IndexFile, token: string): readonly number[] {
  const [first, ...others] = token.split(' ').map((one) => file.places(one, MOST_PLACES));
  return others.reduce((found, next, i) => {
    const before = new Set(next.map((place) => place - i - 1));
    return found.filter((place) => before.has(place));
  }, first!);
}

function readTerm(file: IndexFile, { term: asked, count }: Counted): Term {
  const [first = [], ...others] = asked.tokens.map((token) => placesOf(file, token));
  const places =
    others.length === 0 && !asked.tokens[0]!.endsWith('*')
      ? first
      : [...first, ...others.flat()].sort((a, b) => a - b);
  const passages = places.length < MOST_PLACES ? passagesOf(places) : Math.min(count, file.total);
  return { ...asked, places, weight: weightOf(asked, file.total, passages) };
}

/** Returns the weight of a term. A word of the title counts as if every passage had it, since every passage is about it. */
const weightOf = ({ share, isTitle }: AskedTerm, total: number, count: number): number =>
  share * weigh(total, isTitle ? total : count);

const weigh = (total: number, count: number): number =>
  Math.log(1 + (total + PRIOR_PASSAGES - count + 0.5) / (count + 0.5));

/**
 * A word of the question as the index spells it, with its positions in the question, its share of the full weight, and the
 * tokens that stand for it. `isTitle` says that the book's title contains the word; false if it contains all words of the
 * question.
 */
type AskedTerm = Omit<QuestionWord, 'at'> & {
  readonly at: readonly number[];
  readonly isTitle: boolean;
  readonly tokens: readonly string[];
};

/**
 * Returns the terms of a question to a book with this title, as an index with this tokenizer spells them. Each term occurs
 * once; irregular English forms of a word are one term.
 */
export function askedTerms(question: string, tokenizer: Tokenizer, title = ''): readonly AskedTerm[] {
  const asked = new Map<string, NewTerm>();
  for (const word of questionWords(tokenizer === 'porter' ? withoutPhrases(question) : question, tokenizer))
    for (const term of termsOf(word, tokenizer)) {
      const known = asked.get(term.tokens[0]!);
      if (known === undefined) asked.set(term.tokens[0]!, term);
      else known.at.push(...term.at);
    }
  const named = new Set(soughtTokens(searchable(title).toLowerCase(), tokenizer));
  const terms = [...asked.values()];
  const others = terms.filter(({ tokens }) => !tokens.some((token) => named.has(token)));
  return terms.map((term) => ({ ...term, isTitle: others.length > 0 && !others.includes(term) }));
}

type NewTerm = Omit<AskedTerm, 'at' | 'isTitle'> & { readonly at: number[] };

function termsOf({ at, ...asked }: QuestionWord, tokenizer: Tokenizer): readonly NewTerm[] {
  const { word } = asked;
  const isEnglish = tokenizer === 'porter';
  const phrases = isEnglish ? samePhrases(word).map((one) => tokenize(one, tokenizer).join(' ')) : [];
  if (phrases.length > 1) return [{ ...asked, at: [at], tokens: [...new Set(phrases)] }];
  const forms = (isEnglish ? formsOf(word) : [word]).map((form) => soughtTokens(form, tokenizer));
  const [first = []] = forms;
  if (first.length === 1 && forms.every(({ length }) => length === 1))
    return [{ ...asked, at: [at], tokens: [...new Set(forms.flat())] }];
  return first.map((token, offset) => ({ ...asked, at: [at + offset], tokens: [token] }));
}
