import { UNSPACED } from '../reading/sentence.rule.ts';
import { lazySegmenter, normalForm } from '../platform/base/text.ts';

// Matches text in scripts without spaces, whose words ICU finds by dictionary (Unicode UAX #29). Even one such character
// separates the words beside it: letとvar.
const UNSPACED_RUN = new RegExp(`[${UNSPACED}]+`, 'gu');
// Matches combining marks that are separate characters, as in file names of macOS and in texts of some editors.
const DECOMPOSED = /[\u0300-\u036f\u1100-\u11ff\u3099\u309a]/;
// Matches characters beyond Latin letters; a text without them is done after splitting camelCase.
const BEYOND_LATIN = /[\u0300-\uffff]/;
const BEYOND_GREEK = /[\u0590-\u1fff\u2e80-\uffff]/;
const segmenter = lazySegmenter('en', 'word');
// Hindi and related languages decline by vowel signs: without them "लड़का" and "लड़के" are the same word.
const INDIC = /[\u0900-\u0dff]/;
const INDIC_ENDING = /(?<=[\u0900-\u0dff]{2})(?<![\u0900-\u0dff]{2}\p{M})\p{M}+(?![\u0900-\u0dff])/gu;
// Matches Arabic and Hebrew, where articles and short words are joined to the beginning of the next word.
const ARABIC = /[\u0590-\u06ff]/;
const ARABIC_BEGINNING =
  /(?<![\u05d0-\u0652])(?:[وف]?(?:ال|بال|كال|لل)(?=[\u0621-\u064a]{2}))?(?:[وفبلك](?=[\u0621-\u064a]{3})|[והבלמשכ](?=[\u05d0-\u05ea]{3}))?/gu;
// Matches newer emoji, to remove them: SQLite treats them as letters.
const EMOJI = /[\u{1f000}-\u{1ffff}]/gu;
// The camelCase patterns know only ASCII: nearly all identifiers are ASCII, and Unicode classes would double the time to
// index.
const CAMEL = /[a-z][A-Z]|[A-Z]{2}[a-z]/g;
const CAMEL_EDGE = /([a-z0-9])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g;

/**
 * Prepares a text for the index, and a question for the search. Adds the parts of camelCase words (the tokenizer splits
 * snake_case), puts spaces between the words of scripts without spaces, and drops Indic endings, Arabic and Hebrew beginnings,
 * and emoji. Offsets change. Who edits this raises `index` and `sample` of `FORMATS` in catalog/artefact.ts, since indexes hold
 * its results.
 */
export function searchable(text: string): string {
  if (!BEYOND_LATIN.test(text)) return splitCamel(text);
  const parted = splitCamel(DECOMPOSED.test(text) ? normalForm(text, 'NFC') : text);
  if (!BEYOND_GREEK.test(parted)) return parted;
  const bare = INDIC.test(parted) ? parted.replace(INDIC_ENDING, '') : parted;
  const light = ARABIC.test(bare) ? bare.replace(ARABIC_BEGINNING, '') : bare;
  return light.replace(EMOJI, ' ').replace(UNSPACED_RUN, separateWords);
}

/** Reports whether a code unit is an ASCII letter or digit; false for NaN. */
const isAlphanumeric = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);

function splitCamel(text: string): string {
  let parted = '';
  let done = 0;
  CAMEL.lastIndex = 0;
  for (let found = CAMEL.exec(text); found !== null; found = CAMEL.exec(text)) {
    let start = found.index;
    while (start > done && isAlphanumeric(text.charCodeAt(start - 1))) start--;
    let end = found.index + 2;
    while (isAlphanumeric(text.charCodeAt(end))) end++;
    parted += `${text.slice(done, end)} ${text.slice(start, end).replace(CAMEL_EDGE, '$& ')}`;
    done = end;
    CAMEL.lastIndex = end;
  }
  return done === 0 ? text : parted + text.slice(done);
}

const separateWords = (run: string): string =>
  ` ${Array.from(segmenter().segment(run), ({ segment }) => segment).join(' ')} `;

// Irregular English forms that no stemmer joins: a group for each word, with the dictionary form first.
const FORMS = `
arise arose arisen|awake awoke awoken|bear bore borne born|beat beaten|become became|befall befell befallen|begin began begun
behold beheld|bend bent|bind bound|bite bit bitten|bleed bled|blow blew blown|break broke broken|breed bred|bring brought
build built|burn burnt|buy bought|catch caught|choose chose chosen|cling clung|come came|creep crept|dare durst|deal dealt
dig dug|draw drew drawn|dream dreamt|drink drank drunk|drive drove driven|dwell dwelt|eat ate eaten|fall fell fallen|feed fed
feel felt|fight fought|find found|flee fled|fling flung|fly flew flown|forbid forbade forbidden|forget forgot forgotten
forgive forgave forgiven|forsake forsook forsaken|freeze froze frozen|give gave given|go went gone|grind ground|grow grew grown
hang hung|hear heard|hide hid hidden|hold held|keep kept|kneel knelt|know knew known|lay laid|lead led|lean leant|leap leapt
learn learnt|leave left|lend lent|lie lay lain|light lit|lose lost|make made|mean meant|meet met|pay paid|ride rode ridden
ring rang rung|rise rose risen|run ran|say said|see saw seen|seek sought|sell sold|send sent|sew sewn|shake shook shaken
shear shorn|shine shone|shoot shot|show shown|shrink shrank shrunk|sing sang sung|sink sank sunk|sit sat|slay slew slain
sleep slept|slide slid|smell smelt|sow sown|speak spoke spoken|spell spelt|spend spent|spill spilt|spin spun|spit spat
spoil spoilt|spring sprang sprung|stand stood|steal stole stolen|stick stuck|sting stung|strike struck stricken|strive strove
swear swore sworn|sweep swept|swell swollen|swim swam swum|swing swung|take took taken|teach taught|tear tore torn
tell told|think thought|throw threw thrown|tread trod trodden|understand understood|wake woke woken|wear wore worn
weave wove woven|weep wept|win won|wind wound|wring wrung|write wrote written
calf calves|child children|foot feet|goose geese|half halves|knife knives|leaf leaves|life lives|loaf loaves|man men
mouse mice|ox oxen|shelf shelves|thief thieves|tooth teeth|wife wives|wolf wolves|woman women
bad worse worst|good better best
`;

const FAMILIES: ReadonlyMap<string, readonly string[]> = new Map(
  FORMS.trim()
    .split(/[|\n]/)
    .map((line) => line.split(' '))
    .flatMap((family) => family.map((form) => [form, family] as const)),
);

export const formsOf = (word: string): readonly string[] => FAMILIES.get(word) ?? [word];

// Verbs with a particle, such as "log in": each group has the word to search for, and then others that mean the same in nearly
// every book. With "go back" and "return", or "give up" and "abandon", FairytaleQA lost 0.2 points of recall@5.
const GROUPS = `
login: log in, log on, sign in, sign on, signin
logout: log out, log off, sign out, sign off, signout
signup: sign up, register
backup: back up
shutdown: shut down
lookup: look up
origin: come from, originate, derive
disable: turn off, switch off
enable: turn on, switch on
`;

type Group = readonly [string, ...string[]];

const FOUND: ReadonlyMap<string, Group> = new Map(
  GROUPS.trim()
    .split('\n')
    .map((line) => line.split(/: |, /) as [string, ...string[]])
    .flatMap((group) => group.filter((one) => one.includes(' ')).map((phrase) => [phrase, group] as const)),
);
const WORDS: ReadonlyMap<string, Group> = new Map([...FOUND.values()].map((group) => [group[0], group]));
const PHRASE = /(?<!\p{L})(\p{L}+) (in|on|out|off|up|down|from)(?:to)?(?![\p{L}\p{N}'’-])/giu;
const ENDING = /(?:([bdgmnprt])\1(?:ed|ing)|ed|ing|es|s)$/;

export const withoutPhrases = (question: string): string =>
  question.replace(PHRASE, (written, verb: string, particle: string) => {
    const found = stemsOf(verb.toLowerCase()).flatMap(
      (stem) => FOUND.get(`${stem} ${particle.toLowerCase()}`) ?? [],
    );
    return found[0] ?? written;
  });

export const samePhrases = (word: string): readonly string[] => WORDS.get(word) ?? [word];

function stemsOf(verb: string): readonly string[] {
  const bare = verb.replace(ENDING, '$1');
  return [formsOf(verb)[0]!, verb, bare, `${bare}e`];
}
