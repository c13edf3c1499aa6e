// Questions such as "What is X?" in the languages whose answers have frames, and the sentences that answer them.
type Form = { readonly question: RegExp; readonly copula: string; readonly articles: string };

const SUBJECT = '(?<subject>[^?？,;:]{2,40}?)';
// "Closures are typically short" and "… are represented by traits" define nothing.
const EN_COPULA =
  '(?:is|was) (?:an?|the|one|any|some|what|how|where)|(?:are|were)(?! (?:not|also|often|never|always|only|just|very|more|less|most|still|now|\\w+ly|\\w+ed)\\b)|means?|refers? to|describes?';
/** What may follow the question. The lookbehind lets each run be tried once. */
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

/** A test for sentences that define what a question asks for; null if it does not ask for a definition. */
export function definitionAsked(question: string): ((sentence: string) => boolean) | null {
  const asked = question.trim().replace(END, '').replace(/\s+/g, ' ');
  for (const { question: asks, copula, articles } of DEFINITIONS) {
    const subject = asks.exec(asked)?.groups?.['subject']?.trim();
    if (subject === undefined || subject.split(/\s+/).length > 4) continue;
    const word = subject.replace(SPECIAL, '\\$&').replace(/s$/i, 's?').replace(/\s+/g, '\\s+');
    // The subject begins the sentence, perhaps behind an article; a short aside may follow it.
    const defines = new RegExp(
      `^[\\s>*+•-]{0,6}${MARKS}(?:(?:${articles}|\\p{L}+['’]s)\\s+)?${MARKS}${word}s?${MARKS}\\s{0,2}(?:\\([^)]{0,60}\\)\\s?)?(?:,[^,]{1,40},\\s)?(?:${copula})(?![\\p{Script=Latin}\\p{Script=Cyrillic}])`,
      'iu',
    );
    // "Its sign is the halo, a ring of light." and "Every state that was served is an edition."
    const names = new RegExp(
      `(?:is|was|called) (?:the |an? )?${word}, an? |(?:is|are|is called|are called|(?:is|are) known as) (?:an? |the )?${MARKS}${word}s?${MARKS}[.:;]?$`,
      'iu',
    );
    return (sentence) => defines.test(sentence) || names.test(sentence);
  }
  return null;
}
