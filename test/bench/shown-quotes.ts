// The quotes a reader sees when a model bends the book: each lie is a whole answer, read by the engines' parsers.
import { citationParser } from '../../src/asking/engines/anthropic.ts';
import { quoteParser } from '../../src/asking/engines/compat.ts';
import type { PromptSource } from '../../src/asking/prompt.rule.ts';
import { FLIPS, pick, type Random } from './quote-cases.ts';

/** A book's text and its sentences in order. */
export type LiedAbout = {
  readonly text: string;
  readonly names: readonly string[];
  readonly sentences: readonly string[];
};

/** An answer of a model about the sentence at `i`; null if the lie does not apply to it. `isPointed` has a valid pointer. */
type Lie = (
  book: LiedAbout,
  i: number,
  random: Random,
) => { readonly said: string; readonly isPointed?: true } | null;

const HIDDEN = /\s(?:refused|if|would|almost|said|but|nearly|could|perhaps|unless|hardly)\s/i;
const BEHIND = /\b(?:if|not|that|unless|few|would|almost|said|without|never) /gi;
/** Characters on each side of a sentence that the model was shown. */
const SHOWN = 3000;

const cited = (quote: string) => ({ said: `It is so: “${quote}” [1].` });
const words = (sentence: string): readonly string[] => sentence.split(/\s+/);

const splice =
  (distance: number): Lie =>
  ({ sentences }, i) => {
    const [subject, predicate] = [words(sentences[i] ?? ''), words(sentences[i + distance] ?? '')];
    if (subject.length < 6 || predicate.length < 6) return null;
    return cited(`${subject.slice(0, 3).join(' ')} … ${predicate.slice(-4).join(' ')}`);
  };

/** The kinds of lies that the review of answers found accepted. */
export const LIES: Readonly<Record<string, Lie>> = {
  'an ellipsis over the end of a sentence': splice(1),
  'an ellipsis over two ends': splice(2),
  'four pieces of three words': ({ sentences }, i, random) => {
    const all = sentences.slice(i, i + 3).flatMap(words);
    if (all.length < 30) return null;
    const starts = [0, 1, 2, 3].map((n) => n * 7 + Math.floor(random() * 3));
    return cited(starts.map((at) => all.slice(at, at + 3).join(' ')).join(' … '));
  },
  'if, would, almost, refused hidden by an ellipsis': ({ sentences }, i) => {
    const sentence = sentences[i]!;
    const at = sentence.search(HIDDEN);
    if (at < 0) return null;
    const [before, after] = [words(sentence.slice(0, at)), words(sentence.slice(at + 1)).slice(1)];
    return before.length < 3 || after.length < 3 ? null : cited(`${before.join(' ')} … ${after.join(' ')}`);
  },
  'a slice begun behind if, not, unless, few': ({ sentences }, i, random) => {
    const sentence = sentences[i]!;
    const places = [...sentence.matchAll(BEHIND)].map(({ index, 0: word }) => index + word.length);
    if (places.length === 0) return null;
    const rest = sentence.slice(pick(places, random));
    return words(rest).length < 4 ? null : cited(rest);
  },
  'a quotation without a number': ({ sentences, names }, i, random) => {
    const flipped = flip(sentences[i]!, random, names);
    return flipped === null ? null : { said: `They say: “${flipped}” and so on.` };
  },
  'other quotation marks': ({ sentences, names }, i, random) => {
    const flipped = flip(sentences[i]!, random, names);
    const [open, close] = pick(
      [
        ['„', '“'],
        ['«', '»'],
        ['»', '«'],
        ['「', '」'],
        ['‘', '’'],
        ['"', '"'],
        ['‹', '›'],
      ],
      random,
    );
    return flipped === null ? null : { said: `They say: ${open}${flipped}${close} [1].` };
  },
  'a quotation beside a valid pointer': ({ sentences, names }, i, random) => {
    const flipped = flip(sentences[i]!, random, names);
    return flipped === null ? null : { said: `They say: “${flipped}”.`, isPointed: true };
  },
  'markers, flush and nested': ({ sentences }, i, random) => {
    const marker = pick(
      ['[1]', '[[1]1]', '【1】', '[1][2]', ' [1, 2]', '[\u200b1]', '［１］', '[“1”]', '[1 and 2]', '⁽¹⁾'],
      random,
    );
    const said = words(sentences[i]!).join(`${marker} `);
    return {
      said: `${said}${marker} “${sentences[i]}” [1]`,
      ...(random() < 0.5 ? { isPointed: true as const } : {}),
    };
  },
};

/** Whether any text in quotation marks differs from the book, or a marker is not ours; null if the lie does not apply. */
export function isBent(lie: Lie, book: LiedAbout, i: number, random: Random): boolean | null {
  const answer = lie(book, i, random);
  if (answer === null) return null;
  const at = Math.max(0, book.text.indexOf(book.sentences[i]!));
  const [start, end] = [Math.max(0, at - SHOWN), Math.min(book.text.length, at + SHOWN)];
  const source: PromptSource = { path: 'a.md', heading: '', start, end, text: book.text.slice(start, end) };
  const parser = (answer.isPointed ? citationParser : quoteParser)([source], false);
  const pieces = [...parser.text(answer.said)];
  if (answer.isPointed) parser.location({ source: 0, start: 0, end: 1 });
  pieces.push(...parser.blockEnd(), ...parser.end());
  // A NUL in place of each marker of ours.
  const shown = pieces.map((piece) => (piece.type === 'text' ? piece.text : '\0')).join('');
  const quoted = [...shown.matchAll(/[“„«»「‘"‹](.*?)[”“»«」’"›](?!\p{L})/gsu)].map(
    ([, inner = '']) => inner,
  );
  const isQuoted = quoted.every((one) => book.text.includes(one.replace(/^…|…$/g, '')));
  const outside = shown.replace(/“.*?”(?=[\s.,;:!?]*\0)/gs, '');
  return !isQuoted || /[[【［]\s*\p{Nd}{1,2}(?: and \p{Nd})?\s*[\]】］]|⁽¹⁾/u.test(outside);
}

function flip(sentence: string, random: Random, names: readonly string[]): string | null {
  return pick(Object.values(FLIPS), random)(sentence, random, names);
}
