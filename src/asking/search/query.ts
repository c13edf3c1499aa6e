import { definitionAsked } from '../question-words.rule.ts';
import { bestExcerpts } from '../best-quote.rule.ts';
import { searchable } from '../searchable.rule.ts';
import { type Tokenizer, UNSPACED } from '../../reading/sentence.rule.ts';
import { normalForm } from '../../platform/base/text.ts';
import type { Found, FoundPassage } from '../split.rule.ts';
import { type IndexFile, openIndexFile } from './index-file.sql.ts';
import type { Near } from './vectors.ts';
import { type Candidate, findCandidates, rerankScore } from './score.ts';
import { askedTerms, lookUpTerms, type Term, type Terms } from './terms.ts';
import trained from './gate.json';

export const MOST_EXCERPTS = 3;
const QUOTED = 8;
const QUOTED_FOR_DEFINITION = 24;

export function openIndex(file: string) {
  const opened = openIndexFile(file);
  return {
    search: (question: string, limit: number, title?: string, near: Near | null = null) =>
      search(opened, { question, limit, title, near }),
    find: (words: string, limit: number, title?: string, near: Near | null = null) =>
      find(opened, { question: words, limit, title, near }),
    headings: opened.headings,
    close: opened.close,
  };
}

/**
 * An open index. `search` returns at most `limit` passages and MOST_EXCERPTS excerpts for a question to the book with that
 * title. `find` returns at most `limit` passages that contain some words; those with a word only in a heading come last. With
 * `near` both also find passages by their vectors.
 */
export type Index = ReturnType<typeof openIndex>;

type Asked = {
  readonly question: string;
  readonly limit: number;
  readonly title: string | undefined;
  readonly near: Near | null;
};

function find(file: IndexFile, { question, limit, title, near }: Asked): readonly FoundPassage[] {
  const terms = lookUpTerms(file, askedTerms(question, file.tokenizer, title), false);
  const overlap = overlapsIn(file.tokenizer, terms);
  const candidates = findCandidates(file, terms, near).filter(
    ({ features }) => features.bm25 > 0 || features.near >= NEAR,
  );
  const found = rank(file, terms, candidates, limit);
  // Frees memory at once, since a search may read hundreds of books.
  file.shrink();
  const isHeading = ({ passage, plain, isAsked }: (typeof found)[number]): boolean =>
    !isAsked && overlap(plain) === 0 && overlap(passage.heading) > 0;
  const [inText, inHeading] = [found.filter((one) => !isHeading(one)), found.filter(isHeading)];
  const headings = new Map(
    inHeading.map(({ passage }) => [`${passage.path} ${passage.heading}`, { ...passage, isHeading: true }]),
  );
  return [...inText.map(({ passage }) => passage), ...headings.values()];
}

function search(file: IndexFile, { question, limit, title, near }: Asked): Found {
  const terms = lookUpTerms(file, askedTerms(question, file.tokenizer, title));
  const candidates = findCandidates(file, terms, near);
  const needed = neededCoverage(file.total, wayOf(file.tokenizer, question));
  if (candidates.length === 0) return { passages: [], quotes: [], coverage: 0, neededCoverage: needed };
  const isDefinition = definitionAsked(question);
  const most = isDefinition === null ? QUOTED : QUOTED_FOR_DEFINITION;
  const isNamed = namedBy(file.tokenizer, terms);
  const overlap = overlapsIn(file.tokenizer, terms);
  let overlapOfRelated: typeof overlap | null = null;
  const ranked = rank(file, terms, candidates, Math.max(limit, most));
  const related = (sentence: string): number =>
    (overlapOfRelated ??= overlapsIn(file.tokenizer, { ...terms, held: terms.related }))(sentence);
  const quotes = bestExcerpts(ranked.slice(0, most), MOST_EXCERPTS, { overlap, related, isDefinition });
  const isDefined = quotes.some(({ start, text, marked }) =>
    marked.some(([from, to]) => isDefinition?.(text.slice(from - start, to - start))),
  );
  const covers = nearShare(near);
  const told = terms.held.reduce((sum, { weight, isTitle }) => (isTitle ? sum : sum + weight), 0);
  const coverage = coverageOf(candidates, terms) + needed * covers;
  return {
    passages: ranked.slice(0, limit).map(({ passage }) => passage),
    quotes,
    isVague: told < TELLING && !isDefined && covers === 0 && !isNamed(quotes[0]?.passage.heading ?? ''),
    coverage,
    neededCoverage: needed,
    isNear: certaintyOf(candidates) * (coverage / needed) ** 2 >= WORTH_SHOWING,
  };
}

function rank(file: IndexFile, terms: Terms, candidates: readonly Candidate[], most: number) {
  const isNamed = namedBy(file.tokenizer, terms);
  return candidates
    .map(({ passage, features }) => ({
      number: passage,
      score: rerankScore(features),
      isNear: features.near >= NEAR,
    }))
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ number, score, isNear }) => {
      const { plain, isCode, isAsked, ...stored } = file.passage(number);
      const likelier = isNamed(stored.heading) ? NAMED : 0;
      const passage = { ...stored, isCode: isCode === 1, score: score + likelier, order: number };
      return { passage, plain: plain ?? stored.text, isAsked: isAsked === 1, isNear };
    })
    .sort((a, b) => b.passage.score - a.passage.score);
}

/**
 * The minimum certainty, scaled by coverage, of an excerpt beside "not covered": few such excerpts are of another place. Chosen
 * on half of the sets of test/bench/meaning.md.
 */
const WORTH_SHOWING = 0.15;

/** Returns how probable the best passage is among the candidates, 0 to 1: low if many match as well. */
function certaintyOf(candidates: readonly Candidate[]): number {
  const scores = candidates.map(({ features }) => rerankScore(features));
  const best = Math.max(...scores);
  return 1 / scores.reduce((sum, score) => sum + Math.exp(score - best), 0);
}

// These values were chosen on FairytaleQA's train split and SQuAD, each question also asked of another book: test/bench/qa.md.
const PHRASE = 0.3;
const RICHNESS = 0.3;
const RICH = 40;
/**
 * The minimum weight of a question: without it, one that only names a book's hero, who is in all passages, would weigh nothing.
 */
const POOR = 5;

/**
 * Returns how well the best passage matches the question, 0 to 1: normalised BM25 with pairs of words. A proper name that the
 * book lacks counts double. A question of few or common words needs a better match than one of many rare words.
 */
function coverageOf(candidates: readonly Candidate[], { weight, lackingNames }: Terms): number {
  if (candidates.length === 0) return 0;
  const best = Math.max(...candidates.map(({ features: { wide, phrase } }) => wide + PHRASE * phrase));
  const held = (best * weight) / (weight + lackingNames);
  return Math.min(1, held * (Math.max(POOR, weight) / RICH) ** RICHNESS);
}

/**
 * Returns the coverage below which a book with so many passages does not seem to answer: in a longer book, some passage matches
 * any question better. `bun run train:gate` trains the values. This detects questions about other subjects, not gaps in the
 * book.
 */
export function neededCoverage(passages: number, way: keyof typeof trained): number {
  const { base, from, exponent, most } = trained[way];
  return base * (Math.max(from, Math.min(passages, most)) / from) ** exponent;
}

/**
 * A question is vague if its words, without those in the book's title, weigh less. In FairytaleQA's train split, the best three
 * passages answer 59 % of such questions, and 92 % of the others (whose coverage is not weak).
 */
const TELLING = 6;
/** The bonus in log-odds for a passage whose last heading the question names: test/bench/natural.md */
const NAMED = 1.4;

/** A passage is near from this nearness on: the best passage comes so near to only one in ten questions about other things. */
const NEAR = 1;

// These values were chosen on half of the questions of test/bench/meaning.md with a small model: at most half a point fewer
// questions about other things are refused than by words alone.
const COVERING = 3.5;
const COVERS = 3;

/** Returns the share of the needed coverage that the nearest passage gives: 0 up to a nearness of 3.5, 1 at 6.5, 2 from 9.5. */
const nearShare = (near: Near | null): number =>
  near === null ? 0 : Math.max(0, Math.min(2, (near.nearness[near.best[0]! - 1]! - COVERING) / COVERS));

const IS_UNSPACED = new RegExp(`[${UNSPACED}]`, 'u');

/**
 * Returns which trained threshold of coverage applies to a question. Scripts without spaces have their own, since their words
 * of one or two characters match more often.
 */
export const wayOf = (tokenizer: Tokenizer, question: string): keyof typeof trained =>
  tokenizer === 'word' && IS_UNSPACED.test(question) ? 'unspaced' : tokenizer;

const LATIN_MARKS = /(?<=[a-z])[\u0300-\u036f]+/g;

/**
 * Returns a test of whether a text, in lower case without diacritics, contains a term: in English a word that begins
 * with the term's stem; otherwise, and in scripts without spaces, the term's letters anywhere.
 */
function testOf({ tokens }: Pick<Term, 'tokens'>, tokenizer: Tokenizer): RegExp {
  const forms = tokens.map((token) => token.replace('*', '').replaceAll(' ', '\\s+'));
  if (tokenizer === 'word' || IS_UNSPACED.test(forms[0]!)) return new RegExp(forms.join('|'), 'u');
  // A stem may differ from a word's beginning: "key" has the stem "kei", "possibility" "possibl", "organizations" "organ".
  const stems = forms.map((form) => form.replace(/i$/, '[iy]').replace(/(?<=...)(?:e|(?<=b)l)$/, ''));
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${stems.join('|')})\\p{L}{0,10}(?![\\p{L}\\p{N}])`, 'u');
}

/**
 * Returns a test of whether a question contains all words of the last heading of a path, and not only words of the book's
 * title: "How do I install Rust?" names "Installation".
 */
function namedBy(tokenizer: Tokenizer, { held }: Terms): (headings: string) => boolean {
  const tokensOf = (terms: readonly Term[]) => new Set(terms.flatMap(({ tokens }) => tokens));
  const asked = tokensOf(held);
  const telling = tokensOf(held.filter(({ isTitle }) => !isTitle));
  return (headings) => {
    const words = askedTerms(headings.split(' › ').at(-1)!, tokenizer).map(({ tokens }) => new Set(tokens));
    return (
      words.every((word) => !word.isDisjointFrom(asked)) &&
      words.some((word) => !word.isDisjointFrom(telling))
    );
  };
}

function overlapsIn(
  tokenizer: Tokenizer,
  { held, weight }: { readonly held: readonly Pick<Term, 'tokens' | 'weight'>[]; readonly weight: number },
): (sentence: string) => number {
  const tests = held.map((term) => ({ share: term.weight / weight, test: testOf(term, tokenizer) }));
  return (sentence) => {
    // Splits identifiers, whose parts count as words too.
    const words = tokenizer === 'porter' ? searchable(sentence) : sentence;
    const bare = normalForm(words.toLowerCase(), 'NFD').replace(LATIN_MARKS, '');
    const text = normalForm(bare, 'NFC').replaceAll('ς', 'σ');
    return tests.reduce((sum, { share, test }) => (test.test(text) ? sum + share : sum), 0);
  };
}
