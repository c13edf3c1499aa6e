import { formsOf } from '../passages/question/irregular.ts';
import { type QuestionWord, questionWords } from '../passages/question/question-words.ts';
import type { Tokenizer } from '../passages/text/tokenizer.ts';
import type { AskedTerm } from './occurrence.ts';
import type { Token, Tokens } from './tokens.ts';

/** The number of tokens in a word; a word indexed by trigrams has about six. */
export const UNITS: Readonly<Record<Tokenizer, number>> = { porter: 1, word: 1, trigram: 6 };

const FORMS: Readonly<Record<Tokenizer, (word: string) => readonly string[]>> = {
  porter: formsOf,
  word: (word) => [word],
  // A word of two characters makes a trigram only together with the blank before or after it.
  trigram: (word) => [[...word].length < 3 ? ` ${word} ` : word],
};

/** The terms of a question as an index of this tokenizer spells them; each once, irregular English forms as one. */
export function askedTerms(question: string, tokenizer: Tokenizer, tokens: Tokens): readonly AskedTerm[] {
  const words = questionWords(question);
  const forms = words.map(({ word }) => FORMS[tokenizer](word));
  const cut: Token[][] = forms.flatMap((one) => one.map(() => []));
  for (const token of tokens.cut(forms.flat())) cut[token.text]!.push(token);
  const asked = new Map<string, AskedTerm & { at: number[] }>();
  let next = 0;
  for (const [w, word] of words.entries()) {
    const own = cut.slice(next, (next += forms[w]!.length));
    for (const term of termsOf(word, own, UNITS[tokenizer])) {
      const known = asked.get(term.tokens[0]!);
      if (known === undefined) asked.set(term.tokens[0]!, term);
      else known.at.push(...term.at);
    }
  }
  return [...asked.values()];
}

/** One term for all forms of a word if each form is a single token, else one term for each token of the first form. */
function termsOf(
  { at, share, isName }: QuestionWord,
  forms: readonly (readonly Token[])[],
  unit: number,
): readonly (AskedTerm & { at: number[] })[] {
  const [first = []] = forms;
  if (first.length === 1 && forms.every(({ length }) => length === 1))
    return [{ at: [at * unit], share, isName, tokens: [...new Set(forms.map((one) => one[0]!.token))] }];
  return first.map(({ token, offset }) => ({ at: [at * unit + offset], share, isName, tokens: [token] }));
}
