import type { Field, Report } from './field.ts';
import { line, lines } from './field.ts';
import { quote } from './problem.ts';
import { normalForm } from '../normal-form.ts';

/** Words of readers, in lower case, each with the words that the book uses instead. */
type Aliases = Readonly<Record<string, readonly string[]>>;

const MOST_WORDS = 200;
const MOST_ALIASES = 10;
const LONGEST = 40;
const WORD = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}]*$/u;

/** A mapping of words to lists of words, as in `internet: [network, online]`. */
export const aliases: Field<Aliases> = (value, key, report) => {
  if (!(value instanceof Map)) {
    report(
      'not-a-mapping',
      `Cannot read "${key}" as a mapping`,
      `Write it as in "${key}: {internet: [network, online]}"`,
    );
    return null;
  }
  if (value.size > MOST_WORDS)
    report('too-many', `Cannot use ${value.size} words in "${key}"`, `Write at most ${MOST_WORDS}`);
  const read = new Map<string, readonly string[]>();
  for (const [written, others] of value) {
    const word = readWord(written, key, report);
    const found = lines(200)(others, `${key}.${written}`, report);
    const known = found?.map((one) => readWord(one, `${key}.${written}`, report)) ?? [];
    if (known.length > MOST_ALIASES)
      report(
        'too-many',
        `Cannot use ${known.length} words for ${quote(written)} in "${key}"`,
        `Write at most ${MOST_ALIASES}`,
      );
    if (word !== null && read.has(word))
      report('repeated-entry', `Cannot name ${quote(word)} twice in "${key}"`, 'Keep one of the two');
    if (word !== null)
      read.set(
        word,
        known.filter((one) => one !== null),
      );
  }
  return Object.fromEntries(read);
};

function readWord(text: string, key: string, report: Report): string | null {
  const written = line(LONGEST)(text, key, report);
  const word = written === null ? null : normalForm(written, 'NFC').toLowerCase();
  if (word === null || WORD.test(word)) return word;
  report('not-a-word', `Cannot use ${quote(text)} in "${key}"`, 'Write single words of letters and digits');
  return null;
}
