// English forms that no stemmer joins: a group for each word, the dictionary form first.
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

/** The word and its irregular forms, the dictionary form first: "steal", "stole" and "stolen" for each of the three. */
export function formsOf(word: string): readonly string[] {
  return FAMILIES.get(word) ?? [word];
}
