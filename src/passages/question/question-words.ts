import { CJK_STOP, withoutQuestionPhrases } from './question-phrase.ts';
import { searchable } from './searchable.ts';
import { normalForm } from '../../normal-form.ts';

/**
 * A word of a question worth searching. `at` is its position among all words of the question; `share` scales its weight;
 * a name is a capitalised word that is not the first.
 */
export type QuestionWord = {
  readonly word: string;
  readonly at: number;
  readonly share: number;
  readonly isName: boolean;
};

/** A question holds at most this many code points. */
export const LONGEST_QUESTION = 8000;

/** Whether a question is longer; a code point is at most two units, so most questions need no count. */
export function isTooLong(question: string): boolean {
  return question.length > LONGEST_QUESTION && [...question].length > LONGEST_QUESTION;
}

/** An 8,000-character question has about 1,300 words; those after the first 512 worth searching add little. */
const MOST_WORDS = 512;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const NAME = /^\p{Lu}/u;

/** Words that say nothing about the subject of a question. */
const STOP =
  'a about also am an and are aren as at be been but by can couldn d did didn do does doesn doing don done during for ' +
  'get got had hadn has hasn have haven having he her here hers him his how however i in is isn it its itself let ll m ' +
  'may me might mine my myself neither now of on one or our ours please re s shall she should shouldn so t tell that ' +
  'the their then this though to us ve very was wasn we were weren what whatever when whether which who whom whose why ' +
  'will with would wouldn yes you your yours';

/** Function words that still distinguish passages. */
const SLIGHT =
  'after again all any because before being both could down each either else ever every few from further herself ' +
  'himself if into just many more most much must no nor not off once only other out over own same some such than theirs ' +
  'them themselves there these they those through too under until up upon where while yet';

/** Words of the question's form: in FairytaleQA's train split, passages that answer hold them less often than others. */
const FRAME =
  'describe described explain feel feeling feels felt happen happened happens hear mean means need needed needs ' +
  'purpose want wanted wants';

const SHARES: ReadonlyMap<string, number> = new Map([
  ...FRAME.split(' ').map((word) => [word, 0.3] as const),
  ...SLIGHT.split(' ').map((word) => [word, 0.5] as const),
  ...`${STOP} ${CJK_STOP}`.split(' ').map((word) => [word, 0] as const),
]);

/**
 * The words of a question that are worth searching, in order: NFKC, lower case, without stop words and phrases that only ask. Characters
 * other than letters and numbers (operators, NUL, control characters) only separate words.
 */
export function questionWords(question: string): readonly QuestionWord[] {
  const words: QuestionWord[] = [];
  let at = 0;
  let before = '';
  for (const [written] of searchable(withoutQuestionPhrases(normalForm(question, 'NFKC'))).matchAll(WORD)) {
    const word = written.toLowerCase();
    const share = word === 'long' && before === 'how' ? 0 : (SHARES.get(word) ?? 1);
    before = word;
    at++;
    if (share > 0) words.push({ word, at, share, isName: at > 1 && NAME.test(written) });
    if (words.length === MOST_WORDS) break;
  }
  return words;
}
