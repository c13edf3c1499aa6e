import { quote } from './problem.ts';
import type { YamlValue } from './strict-yaml.ts';

/** Receives a problem of one value. */
export type Report = (code: string, sentence: string, remedy: string) => void;

/** Reads the value of a YAML key, or reports its problem and returns null. */
export type Field<T> = (value: YamlValue, key: string, report: Report) => T | null;

// Cc is every control character; U+2028 and U+2029 break lines too.
const controlInLine = /[\p{Cc}\u2028\u2029]/u;
const controlInParagraph = /(?![\t\n])[\p{Cc}]/u;

const textField =
  (maxLength: number, forbidden: RegExp, form: string): Field<string> =>
  (value, key, report) => {
    if (typeof value !== 'string')
      report('not-a-text', `Cannot read "${key}": it is a ${shape(value)}`, `Give "${key}" one text`);
    else if (value.trim() === '')
      report('blank-value', `Cannot use a blank "${key}"`, 'Give it a value, or remove the key');
    else if (forbidden.test(value) || !value.isWellFormed())
      report('control-character', `Cannot use ${quote(value)} as "${key}": ${form}`, 'Remove the character');
    else if ([...value].length > maxLength)
      report(
        'too-long',
        `Cannot use ${[...value].length} characters as "${key}"`,
        `Write at most ${maxLength}`,
      );
    else return value;
    return null;
  };

const shape = (value: YamlValue): string =>
  typeof value === 'string' ? 'text' : Array.isArray(value) ? 'list' : 'mapping';

/** A text without line breaks or control characters, at most `maxLength` code points, unchanged. */
export const line = (maxLength: number): Field<string> =>
  textField(maxLength, controlInLine, 'it must be one line without control characters');

/** A text without control characters other than line breaks and tabs, unchanged. */
export const paragraph = (maxLength: number): Field<string> =>
  textField(maxLength, controlInParagraph, 'it must not hold control characters');

/** A field whose text is read further by `read`; if that gives null, `code` is reported. */
export const refine =
  <T>(field: Field<string>, code: string, remedy: string, read: (text: string) => T | null): Field<T> =>
  (value, key, report) => {
    const text = field(value, key, report);
    const refined = text === null ? null : read(text);
    if (text !== null && refined === null) report(code, `Cannot use ${quote(text)} as "${key}"`, remedy);
    return refined;
  };

/** One of the given words. */
export const oneOf =
  <T extends string>(words: readonly T[]): Field<T> =>
  (value, key, report) => {
    const text = line(200)(value, key, report);
    const word = words.find((candidate) => candidate === text) ?? null;
    const remedy = `Write one of ${words.map((candidate) => `"${candidate}"`).join(', ')}`;
    if (text !== null && word === null)
      report('bad-choice', `Cannot use ${quote(text)} as "${key}"`, didYouMean(text, words, remedy));
    return word;
  };

/** A list, read entry by entry; null if an entry is refused or repeated. An entry whose name is null may be. */
export const list =
  <T>(entry: Field<T>, nameOf: (read: T) => string | null): Field<readonly T[]> =>
  (value, key, report) => {
    if (!Array.isArray(value)) {
      report(
        'not-a-list',
        `Cannot read "${key}": it is a ${shape(value)}`,
        `Write a list, as in "${key}: [one, two]"`,
      );
      return null;
    }
    const read = value.map((item: YamlValue) => entry(item, key, report)).filter((item) => item !== null);
    const names = read.map(nameOf);
    const seen = new Set<string>();
    const repeated = names
      .filter((name) => name !== null)
      .filter((name) => seen.size === seen.add(name).size);
    for (const name of new Set(repeated))
      report('repeated-entry', `Cannot name ${quote(name)} twice in "${key}"`, 'Keep one of the two');
    return read.length === value.length && repeated.length === 0 ? read : null;
  };

/** A list of one-line texts. */
export const lines = (maxLength: number): Field<readonly string[]> => list(line(maxLength), (text) => text);

const plain = (word: string): string => word.toLowerCase().replace(/[^a-z0-9]/g, '');

/** "Did you mean …" with a known word at most two edits away (ignoring case and punctuation), else `otherwise`. */
export function didYouMean(word: string, known: readonly string[], otherwise: string): string {
  if (word.length > 40) return otherwise;
  const distances = known.map((candidate) => editDistance(plain(word), plain(candidate)));
  const best = Math.min(...distances);
  const candidate = known[distances.indexOf(best)];
  return candidate !== undefined && best <= 2 && best < plain(candidate).length / 2
    ? `Did you mean "${candidate}"?`
    : otherwise;
}

/** Levenshtein's distance, one row at a time. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
