import { formsOf } from '../passages/question/irregular.ts';
import { samePhrases, withoutPhrases } from '../passages/question/phrasal.ts';
import { type QuestionWord, questionWords } from '../passages/question/question-words.ts';
import type { Tokenizer } from '../passages/text/tokenizer.ts';
import { tokenize } from './vocabulary.ts';

/** A word of the question as the index spells it: its places in the question, its share of a full weight, its equivalent tokens. */
export type AskedTerm = {
  readonly at: readonly number[];
  readonly share: number;
  readonly isName: boolean;
  readonly tokens: readonly string[];
};

/** The number of tokens in a word; a word indexed by trigrams has about six. */
export const UNITS: Readonly<Record<Tokenizer, number>> = { porter: 1, word: 1, trigram: 6 };

const FORMS: Readonly<Record<Tokenizer, (word: string) => readonly string[]>> = {
  porter: formsOf,
  word: (word) => [word],
  // A word of two characters makes a trigram only together with the blank before or after it.
  trigram: (word) => [[...word].length < 3 ? ` ${word} ` : word],
};

/** The terms of a question as an index of this tokenizer spells them; each once, irregular English forms as one. */
export function askedTerms(question: string, tokenizer: Tokenizer): readonly AskedTerm[] {
  const asked = new Map<string, AskedTerm & { at: number[] }>();
  for (const word of questionWords(tokenizer === 'porter' ? withoutPhrases(question) : question))
    for (const term of termsOf(word, tokenizer)) {
      const known = asked.get(term.tokens[0]!);
      if (known === undefined) asked.set(term.tokens[0]!, term);
      else known.at.push(...term.at);
    }
  return [...asked.values()];
}

/** One term for all forms of a word if each form is a single token, else one term for each token of the first form. */
function termsOf(
  { word, at, share, isName }: QuestionWord,
  tokenizer: Tokenizer,
): readonly (AskedTerm & { at: number[] })[] {
  const forms = FORMS[tokenizer](word).map((form) => tokenize(form, tokenizer));
  const phrases =
    tokenizer === 'porter' ? samePhrases(word).map((one) => tokenize(one, tokenizer).join(' ')) : [];
  if (phrases.length > 1) return [{ at: [at], share, isName, tokens: [...new Set(phrases)] }];
  const [first = []] = forms;
  const unit = UNITS[tokenizer];
  if (first.length === 1 && forms.every(({ length }) => length === 1))
    return [{ at: [at * unit], share, isName, tokens: [...new Set(forms.flat())] }];
  return first.map((token, offset) => ({ at: [at * unit + offset], share, isName, tokens: [token] }));
}
