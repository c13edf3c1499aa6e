import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The words that WordNet relates to each other: inside the executable, or in the folder into which `bun run build` writes. */
const FILE = join(
  import.meta.dir,
  Bun.isStandaloneExecutable ? 'related-words.zst' : '../../../dist/related-words.zst',
);

type RelatedWord = { readonly stem: string; readonly weight: number };

const PAIR_END = /(?<=[A-Z])/;
/** The weight of the letter A; B weighs twice as much. */
const STEP = 0.02;
let text: string | null = null;

/**
 * Returns the stems related to the stem of an English word, with weights of at most 0.52. Reads the file at the first call;
 * returns none before the program is built.
 */
export function relatedWords(stem: string): readonly RelatedWord[] {
  text ??= existsSync(FILE) ? Bun.zstdDecompressSync(readFileSync(FILE)).toString('latin1') : '\n';
  const pairs = lineOf(text, stem).split(PAIR_END);
  return pairs.flatMap((pair) =>
    pair === '' ? [] : [{ stem: pair.slice(0, -1), weight: STEP * (pair.charCodeAt(pair.length - 1) - 64) }],
  );
}

/** Returns the pairs of a stem, as one line, by binary search in the sorted lines; '' if it has none. */
function lineOf(lines: string, stem: string): string {
  let [from, to] = [0, lines.length - 1];
  while (from < to) {
    const start = lines.lastIndexOf('\n', (from + to) >> 1) + 1;
    const end = lines.indexOf('\n', start);
    const [word] = lines.slice(start, end).split(' ', 1);
    if (word === stem) return lines.slice(start + stem.length + 1, end);
    if (word! < stem) from = end;
    else to = start - 1;
  }
  return '';
}
