// Ways in which a model may change a sentence of a book: changes that make it a lie, and changes that do not
// matter.

/** A number from 0 to below 1; seeded, so that two runs measure the same cases. */
export type Random = () => number;

/** A sentence with the names (capitalised words within sentences) of its book; null where the change does not apply. */
export type Change = (sentence: string, random: Random, names: readonly string[]) => string | null;

const NUMBERS =
  'one two three four five six seven eight nine ten eleven twelve thirteen twenty thirty forty fifty hundred thousand first second third fourth fifth'.split(
    ' ',
  );
const OPPOSITES = new Map(
  (
    'before/after always/never all/some more/less up/down good/bad left/right inside/outside first/last old/young ' +
    'big/small great/little long/short high/low open/closed came/went rich/poor true/false dead/alive brother/sister ' +
    'son/daughter mother/father king/queen husband/wife man/woman boy/girl he/she his/her increased/decreased won/lost ' +
    'early/late many/few day/night north/south east/west above/below begin/end with/without most/least black/white'
  )
    .split(' ')
    .flatMap((pair) => {
      const [one = '', other = ''] = pair.split('/');
      return [
        [one, other],
        [other, one],
      ] as const;
    }),
);
const AUXILIARY =
  /\b(?:was|were|is|are|am|had|has|have|will|would|could|can|should|may|might|must|shall|did|does|do)\b(?! not|n['’]t)/g;
const NEGATION = /\b(?:not|never|no|neither|nor|nothing|none|without) |n['’]t\b/gi;
const NUMBER = new RegExp(`\\d+|\\b(?:${NUMBERS.join('|')})\\b`, 'gi');
const NAME = /(?<=[a-z,;] )\p{Lu}\p{Ll}{2,}\b/gu;
const OPPOSITE = new RegExp(`\\b(?:${[...OPPOSITES.keys()].join('|')})\\b`, 'g');

/** Each turns a sentence into one that the book does not say. */
export const FLIPS: Readonly<Record<string, Change>> = {
  'negation put in': (sentence, random) => replaceOne(sentence, AUXILIARY, random, (word) => `${word} not`),
  'negation taken out': (sentence, random) => {
    const flipped = replaceOne(sentence, NEGATION, random, () => '');
    return flipped === null ? null : likeInitial(flipped, sentence);
  },
  'number changed': (sentence, random) =>
    replaceOne(sentence, NUMBER, random, (number) =>
      /\d/.test(number) ? otherDigits(number, random) : otherOf(NUMBERS, number, random),
    ),
  'name swapped': (sentence, random, names) =>
    names.length < 2 ? null : replaceOne(sentence, NAME, random, (name) => otherOf(names, name, random)),
  'opposite word': (sentence, random) =>
    replaceOne(sentence, OPPOSITE, random, (word) => OPPOSITES.get(word) ?? word),
};

/** The book's negation left out under an ellipsis, with up to two words on either side. */
export const hideNegation: Change = (sentence, random) =>
  replaceOne(
    sentence,
    /(?<=(?:\S+ ){3})(?:\S+ ){0,2}(?:\b(?:not|never|no)\b|\S+n['’]t\b)(?: \S+){0,2}(?= (?:\S+ ){2}\S)/gi,
    random,
    () => '…',
  );

/** The capitalised words within sentences of a text. */
export function namesIn(text: string): readonly string[] {
  return [...new Set(text.match(NAME) ?? [])];
}

/** Each leaves what a sentence says as it is. */
export const VARIANTS: Readonly<Record<string, Change>> = {
  'white space': (sentence, random) =>
    replaceSome(sentence, / /g, random, () =>
      pick(['  ', '\n', '\r\n', '\t', '\u00a0', '\u202f', ' \u200b'], random),
    ),
  'quotation marks, curly or straight': (sentence) =>
    changed(sentence, swapMarks(sentence, { '"': ['“', '”'], "'": ['‘', '’'] })),
  'quotation marks, other kinds': (sentence, random) =>
    changed(
      sentence,
      swapMarks(sentence, {
        '"': pick(
          [
            ["'", "'"],
            ['„', '“'],
            ['«', '»'],
            ['「', '」'],
          ],
          random,
        ),
      }),
    ),
  dashes: (sentence, random) =>
    replaceSome(sentence, /(?<=\S)(?:--+|[—–]| [-–—] )(?=\S)/g, random, () =>
      pick(['—', ' — ', ' – ', '--', ' -- ', '―', '---', '–'], random),
    ),
  hyphens: (sentence, random) =>
    replaceSome(sentence, /(?<=\p{L})-(?=\p{L})/gu, random, () => pick(['‐', '‑', '–'], random)),
  'hyphenation at line ends': (sentence, random) =>
    replaceSome(
      sentence,
      /(?<=\p{L}{3})(?=\p{L}{3})/gu,
      () => random() * 6,
      () => pick(['-\n', '-\r\n  ', '\u00ad', '‐\n'], random),
    ),
  emphasis: (sentence, random) =>
    aroundWords(sentence, random, () => pick(['*', '**', '_', '__', '***'], random)),
  'code ticks': (sentence, random) => aroundWords(sentence, random, () => '`'),
  link: (sentence, random) =>
    replaceOne(
      sentence,
      /(?<=^| )[\p{L}]+(?: [\p{L}]+)?(?= )/gu,
      random,
      (words) => `[${words}](https://book.example/a_b-c.html#d)`,
    ),
  blocks: (sentence, random) => {
    const mark = pick(['> ', '- ', '* ', '## ', '> > '], random);
    return mark + (mark.startsWith('>') ? wrap(sentence).replaceAll('\n', `\n${mark}`) : sentence);
  },
  'initial case': (sentence) =>
    changed(
      sentence,
      sentence.replace(/\p{L}/u, (letter) =>
        letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
      ),
    ),
  'ellipsis at the ends': (sentence, random) => {
    const mark = pick(['…', '...', '. . .', '[…]', '[...]'], random);
    return pick([`${mark} ${sentence}`, `${sentence} ${mark}`, `${mark}${sentence}${mark}`], random);
  },
  'all that apply, at once': (sentence, random, names) => {
    const kinds = [
      'initial case',
      'quotation marks, curly or straight',
      'dashes',
      'hyphens',
      'emphasis',
      'white space',
    ];
    return kinds.reduce((text, kind) => VARIANTS[kind]?.(text, random, names) ?? text, sentence);
  },
};

/** Two to eight words without a negation left out of the middle of a sentence. */
export const leaveOut: Change = (sentence, random) => {
  const words = sentence.split(' ');
  const skip = 2 + Math.floor(random() * 7);
  const room = words.length - 8 - skip;
  if (room < 0) return null;
  const from = 4 + Math.floor(random() * (room + 1));
  const left = words.slice(from, from + skip).join(' ');
  if (
    /\b(?:not|no|never|nor|neither|none|nothing|nobody|nowhere|cannot|without|hardly|scarcely|barely|nay|non|sans)\b|n['’]t\b/i.test(
      left,
    )
  )
    return null;
  const mark = pick([' … ', '…', ' ... ', ' [...] ', '... ', ' . . . '], random);
  return words.slice(0, from).join(' ') + mark + words.slice(from + skip).join(' ');
};

/** A member of a list. */
export function pick<T>(list: readonly T[], random: Random): T {
  return list[Math.floor(random() * list.length)]!;
}

function replaceOne(
  text: string,
  pattern: RegExp,
  random: Random,
  by: (match: string) => string,
): string | null {
  const found = [...text.matchAll(pattern)];
  if (found.length === 0) return null;
  const { 0: match, index } = pick(found, random);
  return changed(text, text.slice(0, index) + by(match) + text.slice(index + match.length));
}

function replaceSome(text: string, pattern: RegExp, random: Random, by: () => string): string | null {
  return changed(
    text,
    text.replace(pattern, (match) => (random() < 0.5 ? by() : match)),
  );
}

function aroundWords(sentence: string, random: Random, mark: () => string): string | null {
  return replaceOne(sentence, /(?<=^| )[\p{L}]+(?: [\p{L}]+){0,3}(?=[ .,;!?])/gu, random, (words) => {
    const around = mark();
    return around + words + around;
  });
}

function swapMarks(sentence: string, kinds: Readonly<Record<string, readonly string[]>>): string {
  return sentence.replace(/["']/g, (mark, offset: number) => {
    const isOpening = offset === 0 || /[\s([\-—"']/.test(sentence[offset - 1]!);
    return kinds[mark]?.[isOpening ? 0 : 1] ?? mark;
  });
}

function wrap(sentence: string): string {
  return sentence.replace(/\S+(?: \S+){7} /g, (line) => `${line.trimEnd()}\n`);
}

function changed(before: string, after: string): string | null {
  return before === after ? null : after;
}

function likeInitial(text: string, like: string): string {
  return like[0] === like[0]?.toUpperCase() ? text.replace(/\p{L}/u, (letter) => letter.toUpperCase()) : text;
}

function otherDigits(number: string, random: Random): string {
  const at = Math.floor(random() * number.length);
  const digit = (Number(number[at]) + 1 + Math.floor(random() * 9)) % 10;
  return number.slice(0, at) + digit + number.slice(at + 1);
}

function otherOf(list: readonly string[], word: string, random: Random): string {
  return pick(
    list.filter((one) => one !== word.toLowerCase() && one !== word),
    random,
  );
}
