import type { FoundPassage, FoundQuote } from '../text/passage.ts';
import { QUOTE_WORDS } from './quote.ts';
import { cutToWords } from '../text/words.ts';
import type { Sentence } from './quotable-sentence.ts';

/** A passage, its sentences, and each one's share (0 to 1) of the question's weight. */
export type ScoredPassage = {
  readonly passage: FoundPassage;
  readonly sentences: readonly Sentence[];
  readonly overlaps: readonly number[];
};

type Chance = Sentence & { readonly chance: number };
type Stretch = { readonly from: number; readonly to: number; readonly chance: number };
type Choice = Stretch & { readonly passage: FoundPassage; readonly sentences: (Chance | null)[] };

const MOST_SENTENCES = 3;
// The weights of a sentence's overlap with the question, of its neighbours' overlap, and of its length. They were chosen on
// SQuAD and XQuAD in English; half or twice these values hardly change the results.
const OVERLAP = 6;
const BESIDE = 0.3;
const LENGTH = 0.5;
// A sentence less likely than this share of the best one beside it would only lengthen the quote.
const LEAST = 0.1;
const PARTED = /\S|\n\s*\n/;

/**
 * The quotes most likely to hold the answer: at most `most`, each of one to three sentences and at most 60 words, without
 * overlap. A passage's score is its log-odds. A passage without any of the question's terms gives none.
 */
export function bestQuotes(scored: readonly ScoredPassage[], most: number): readonly FoundQuote[] {
  const matching = scored.filter(({ overlaps }) => overlaps.some((overlap) => overlap > 0));
  const top = Math.max(...matching.map(({ passage }) => passage.score));
  const left = matching.map((one) => ({
    passage: one.passage,
    sentences: chancesOf(one, Math.exp(one.passage.score - top)) as (Chance | null)[],
  }));
  const quotes: FoundQuote[] = [];
  while (quotes.length < most) {
    const best = bestChoice(left);
    if (best === null) break;
    quotes.push(quoteOf(best));
    best.sentences.fill(null, best.from, best.to + 1);
  }
  return quotes;
}

function chancesOf({ sentences, overlaps }: ScoredPassage, chance: number): readonly Chance[] {
  const odds = sentences.map(({ words }, i) => {
    const beside = (overlaps[i - 1] ?? 0) + (overlaps[i + 1] ?? 0);
    return Math.exp(OVERLAP * (overlaps[i]! + BESIDE * beside)) * words ** LENGTH;
  });
  const all = odds.reduce((sum, one) => sum + one, 0);
  return sentences.map((sentence, i) => ({ ...sentence, chance: (chance * odds[i]!) / all }));
}

function bestChoice(left: readonly Pick<Choice, 'passage' | 'sentences'>[]): Choice | null {
  let best: Choice | null = null;
  for (const one of left)
    for (const stretch of stretchesOf(one))
      if (best === null || stretch.chance > best.chance) best = { ...one, ...stretch };
  return best;
}

function* stretchesOf({ passage, sentences }: Pick<Choice, 'passage' | 'sentences'>): Generator<Stretch> {
  for (let from = 0; from < sentences.length; from++) {
    let words = 0;
    let chances: readonly number[] = [];
    for (let to = from; to < Math.min(from + MOST_SENTENCES, sentences.length); to++) {
      const sentence = sentences[to];
      if (!sentence || (to > from && isParted(passage.text, sentences[to - 1]!, sentence))) break;
      if ((words += sentence.words) > QUOTE_WORDS) break;
      chances = [...chances, sentence.chance];
      if (Math.min(...chances) < LEAST * Math.max(...chances)) continue;
      yield { from, to, chance: chances.reduce((sum, one) => sum + one, 0) };
    }
  }
}

/** Whether two sentences are in different paragraphs or have text between them that may not be quoted. */
function isParted(text: string, before: Chance, sentence: Chance): boolean {
  return PARTED.test(text.slice(before.end, sentence.start));
}

function quoteOf({ passage, sentences, from, to }: Choice): FoundQuote {
  const { start } = sentences[from]!;
  // The blanks between sentences may add words.
  const end = cutToWords(passage.text, QUOTE_WORDS, start, sentences[to]!.end);
  const text = passage.text.slice(start, end);
  return { passage, start: passage.start + start, end: passage.start + end, text };
}
