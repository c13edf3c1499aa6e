import { searchable } from './searchable.rule.ts';
import { shownText } from '../reading/shown-text.rule.ts';
import { isLonger, normalForm } from '../platform/base/text.ts';
import { type Tokenizer, UNSPACED } from '../reading/sentence.rule.ts';
import stopWords from '../reading/stop-words.json';

// Phrases that make a Japanese or Chinese text a question and say nothing about its subject. They are removed before the text
// is split into words: their parts would be searched for.
const JAPANESE =
  'とは(?:何|なん)(?:ですか|でしょうか|か)|って(?:何|なん)ですか|(?:について|を)?教えてください|' +
  'どう(?:すれば|したら)(?:(?:よい|良い|いい)(?:の|ん)?(?:です|でしょう)?か?)?|どうやって|どのように|どのような|どういう|どんな|' +
  'どうして|なぜ|何故|どれくらい|どのくらい|どこで|どこに|(?:こと[はが])?できますか|(?:よい|良い|いい)ですか|ありますか|' +
  '(?:の|ん)?(?:でしょうか|ですか)|でしたか|ましたか|ますか|ませんか|ください|(?:何|なん)ですか|について|に関して|とは';
const CHINESE =
  '请问|請問|为什么|為什麼|为何|為何|什么是|什麼是|是什么|是什麼|什么样的|什么样|什么时候|什麼時候|什么|什麼|怎么样|怎么办|' +
  '怎么|怎麼|怎样|怎樣|如何|是否|有没有|有沒有|能不能|可不可以|能否|是不是|哪些|哪个|哪個|哪里|哪裡|哪儿|多少|请解释|告诉我|' +
  '吗|嗎|呢';
const PHRASE = new RegExp(`${JAPANESE}|${CHINESE}`, 'gu');
const CJK = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]/u;

/** Removes Japanese and Chinese phrases such as "what is"; returns the question unchanged if neither script is left. */
function withoutQuestionPhrases(question: string): string {
  if (!CJK.test(question)) return question;
  const left = question.replace(PHRASE, ' ');
  return CJK.test(left) ? left : question;
}

/**
 * A word of a question that is worth searching. `at` is its position among all words of the question, from 1; `share` scales
 * its weight; `isName` is true for a capitalised word that is not the first; `isPart` for a part of the word before it: "Java"
 * after "JavaScript".
 */
export type QuestionWord = {
  readonly word: string;
  readonly at: number;
  readonly share: number;
  readonly isName: boolean;
  readonly isPart: boolean;
};

/** The maximum number of code points of a question. */
export const LONGEST_QUESTION = 8000;

export const isTooLong = (question: string): boolean => isLonger(question, LONGEST_QUESTION);

/**
 * The maximum number of words of a question that are searched for. The longest question has about 1,300, but those after the
 * first 512 add little.
 */
const MOST_WORDS = 512;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const NAME = /^\p{Lu}/u;
const CAMEL = /[a-z][A-Z]|[A-Z]{2}[a-z]/;

/** English function words that still help to tell passages apart; they count half. */
const SLIGHT =
  'actually after again all already always any anybody anyone anything because before being both could down each ' +
  'either else ever every everybody everyone everything exactly few from further herself himself if into just many ' +
  'more most much must never no nobody nor not nothing off once only other out over own possible really same some ' +
  'somebody someone something such than theirs them themselves there these they those through too under until up ' +
  'upon where while yet';

/**
 * Words that form the question, such as "explain". They count less: in FairytaleQA's train split, answers have them less often
 * than other text has.
 */
const FRAME =
  'describe described explain feel feeling feels felt happen happened happens hear mean means need needed needs ' +
  'purpose want wanted wants';

const { en, ...others } = stopWords;
const ENGLISH: ReadonlyMap<string, number> = new Map([
  ...FRAME.split(' ').map((word) => [word, 0.3] as const),
  ...SLIGHT.split(' ').map((word) => [word, 0.5] as const),
  ...en.split(' ').map((word) => [word, 0] as const),
]);
/**
 * Stop words of all languages but English. Questions to an English book keep them, except Chinese and Japanese ones, since
 * "war" and "die" mean something in English.
 */
const NOT_ENGLISH = new Set(Object.values(others).join(' ').split(' '));
const ASCII = /^[\0-\x7f]*$/;

/**
 * Returns the words of a question that are worth searching for, in order: at most MOST_WORDS, in NFKC and lower case. Leaves
 * out question phrases and stop words: English ones for an English book (`porter`) or an ASCII question, those of other
 * languages for other books, Chinese and Japanese ones always.
 */
export function questionWords(question: string, tokenizer: Tokenizer = 'porter'): readonly QuestionWord[] {
  // English stop words are left out of ASCII questions to any book: an agent may ask a Spanish book in English. In "¿Qué es
  // this?" the English word is the subject.
  const isEnglish = tokenizer === 'porter' || ASCII.test(question);
  const words: QuestionWord[] = [];
  let at = 0;
  let before = '';
  let whole = '';
  for (const [written] of searchable(withoutQuestionPhrases(normalForm(question, 'NFKC'))).matchAll(WORD)) {
    const word = written.toLowerCase();
    const isStop =
      (word === 'long' && before === 'how') ||
      ((tokenizer === 'word' || CJK.test(word)) && NOT_ENGLISH.has(word));
    const share = isStop ? 0 : isEnglish ? (ENGLISH.get(word) ?? 1) : 1;
    const isPart = whole.startsWith(word);
    whole = isPart ? whole.slice(word.length) : CAMEL.test(written) ? word : '';
    before = word;
    at++;
    if (share > 0) words.push({ word, at, share, isName: at > 1 && NAME.test(written), isPart });
    if (words.length === MOST_WORDS) break;
  }
  return words;
}

// A form of question such as "What is X?" in one language, with the verbs and articles by which a sentence answers it.
type Form = { readonly question: RegExp; readonly copula: string; readonly articles: string };

const SUBJECT = '(?<subject>[^?？,;:]{2,80}?)';
/** Matches words after the subject that say where it occurs: "What is closure in JavaScript?" asks for "closure" alone. */
const WHERE = / (?:in|en|dans|em|im) .*/i;
// Leaves out sentences that define nothing: "Closures are typically short" and "… are represented by traits".
const EN_COPULA =
  '(?:is|was) (?:(?:\\w+ly|just) )?(?:an?|the|one|any|some|someone|something|what|when|how|where)|(?:are|were)(?! (?:not|also|often|never|always|only|just|very|more|less|most|still|now|\\w+ly|\\w+ed)\\b)|means?|defines?|refers? to|describes?';
/** Matches blanks and punctuation at the end of a question. The lookbehind keeps the time linear. */
const END = /(?<![\s?？.])[\s?？.]+$/;

const DEFINITIONS: readonly Form[] = [
  form(`^(?:what|who)(?:['’]s| is| are| was| were)(?: (?:an?|the))? ${SUBJECT}`, EN_COPULA, 'an?|the'),
  form(`^(?:what (?:does|do) ${SUBJECT} mean)`, EN_COPULA, 'an?|the'),
  form(
    `^(?:was|wer) (?:ist|sind|war|waren)(?: (?:eine?|der|die|das))? ${SUBJECT}`,
    'ist|sind|war|waren|heißt|bezeichnet|bedeutet',
    'eine?|der|die|das',
  ),
  form(
    `^qu['’]est[- ]ce qu(?:e |['’])(?:(?:une?|les?|la) |l['’])?${SUBJECT}`,
    'est|sont|désigne|signifie',
    'une?|les?|la',
  ),
  form(
    `^¿?\\s*qu[ée] (?:es|son)(?: (?:una?|el|la|los|las))? ${SUBJECT}`,
    'es|son|significa',
    'una?|el|la|los|las',
  ),
  form(`^o que (?:é|são)(?: (?:uma?|os?|as?))? ${SUBJECT}`, 'é|são|significa', 'uma?|os?|as?'),
  form(
    `^(?:che )?cos(?:a |['’])(?:è|sono)(?: (?:una?|il|lo|la|i|gli|le))? ${SUBJECT}`,
    'è|sono|significa',
    'una?|il|lo|la',
  ),
  form(`^что такое ${SUBJECT}`, '[—–-]|это|является', 'это'),
  form(`^(?:什么是|什麼是)${SUBJECT}`, '是|指', '这'),
  form(`^${SUBJECT}(?:是什么|是什麼|是什么意思)`, '是|指', '这'),
  form(`^${SUBJECT}とは(?:何|なん|どの).*`, 'とは|は', 'この'),
];

function form(question: string, copula: string, articles: string): Form {
  return { question: new RegExp(`${question}$`, 'iu'), copula, articles };
}

const SPECIAL = /[\\^$.*+?()[\]{}|/]/g;
const MARKS = '[*_`"“”«»「」]{0,3}';

export function definitionAsked(question: string): ((sentence: string) => boolean) | null {
  const asked = question.trim().replace(END, '').replace(/\s+/g, ' ');
  for (const { question: asks, copula, articles } of DEFINITIONS) {
    const subject = asks.exec(asked)?.groups?.['subject']?.trim().replace(WHERE, '');
    if (subject === undefined || subject.split(/\s+/).length > 4) continue;
    const word = subject.replace(SPECIAL, '\\$&').replace(/s$/i, 's?').replace(/\s+/g, '\\s+');
    // Matches a sentence with the subject at its beginning or after a comma, perhaps between an article and a short aside, and
    // then a verb of the form.
    const defines = new RegExp(
      `^(?:[^,.]{3,80}, )?[\\s>*+•\\d.-]{0,6}${MARKS}(?:(?:${articles}|\\p{L}+['’]s)\\s+)?${MARKS}${word}s?${MARKS}\\s{0,2}(?:\\([^)]{0,60}\\)\\s?)?(?:,[^,]{1,40},\\s)?(?:${copula})(?![\\p{Script=Latin}\\p{Script=Cyrillic}])`,
      'iu',
    );
    // Matches a sentence that names the subject at its end: "Its sign is the halo, a ring of light." or "Every state that was
    // served is an edition."
    const names = new RegExp(
      `(?:is|was|called) (?:the |an? )?${word}, an? |(?:is|are|called|(?:is|are) known as) (?:an? |the )?${MARKS}${word}s?${MARKS}[.:;]?$`,
      'iu',
    );
    const mentions = new RegExp(word, 'iu');
    return (sentence) => {
      if (!mentions.test(sentence)) return false;
      const shown = shownText(sentence).replace(/\s+/g, ' ');
      return defines.test(shown) || names.test(shown);
    };
  }
  return null;
}

const UNSPACED_SIGN = new RegExp(`[${UNSPACED}]`, 'u');

/**
 * Returns a pattern whose group matches any important word of a search, also with another ending; any word at all if none is
 * important, null without words.
 */
export function wordsMatcher(words: string): RegExp | null {
  const worth = questionWords(words, 'word').map(({ word }) => word);
  const found = (worth.length > 0 ? worth.join(' ') : words).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const stems = [...new Set(found)].map((word) =>
    UNSPACED_SIGN.test(word) ? word : word.replace(/(?<=.{4})ing$|(?<=.{4})..$|(?<=.{3})s$/iu, ''),
  );
  // In scripts without spaces, a word may begin and end anywhere in a run of letters.
  const anywhere = stems.filter((stem) => UNSPACED_SIGN.test(stem));
  const spaced = `(?<![\\p{L}\\p{N}])(?:${stems.join('|')})[\\p{L}\\p{M}]{0,4}(?![\\p{L}\\p{M}\\p{N}])`;
  return stems.length === 0 ? null : new RegExp(`(${[...anywhere, spaced].join('|')})`, 'iu');
}
