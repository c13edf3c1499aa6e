// Words that negate their neighbours, in common languages. They only decide how much of a sentence a quote shows. Words that mean something else in another of these languages
// are left out (Spanish "sin", Italian and German "mai", French "personne").
const WORDS =
  'no not never none nobody nothing nowhere neither nor cannot without hardly scarcely barely nay ' +
  "[a-z]*n['’]t nicht nichts nie niemals niemand kein keine keinen keinem keiner keines weder ohne ne pas jamais aucun " +
  'aucune rien ni sans non nunca jamás nada nadie ningún ninguno ninguna não nem sem niente nessuno nessuna senza niet ' +
  'geen nooit niets zonder inte ikke aldrig aldri ingen не ни нет никогда ничего без нельзя ні немає δεν μην ποτέ değil ' +
  'hiç لا لم لن ليس غير בלי לא אין नहीं मत';
const CHARACTERS = '[不没沒無无未非勿莫别別]|ない|ません|なか|なく|ไม่|มิได้';
const NEGATION = `(?<![\\p{L}\\p{N}])(?:${WORDS.replaceAll(' ', '|')})(?![\\p{L}\\p{N}\\p{M}])|${CHARACTERS}`;
const REACH = 40;
// A negation may be separated from its clause by markup and one line break, but not by punctuation or a paragraph's end.
const APART = '[ \\t\\u00a0*_`\\u00ad]*(?:\\r?\\n[ \\t>]*)?[*_`\\u00ad]*';

const LAST = new RegExp(`(?:${NEGATION})${APART}$`, 'iu');
const FIRST = new RegExp(`^${APART}(?:${NEGATION})`, 'iu');
const OPEN_END = /[\p{L}\p{N}\p{M}*_`]$/u;

/** Whether there is a negation right before `start`: "[Not] a soul was there". */
export function isAfterNegation(text: string, start: number): boolean {
  return LAST.test(text.slice(Math.max(0, start - REACH), start));
}

/** Whether there is a negation right after `start..end`: "I know him [not]". */
export function isBeforeNegation(text: string, start: number, end: number): boolean {
  return OPEN_END.test(text.slice(start, end)) && FIRST.test(text.slice(end, end + REACH));
}
