import { type Block, blocksOf } from './block.ts';
import type { Passage } from './passage.ts';
import { type Range, sentencesOf, trim } from './sentence.ts';
import { countWords, cutToWords } from './words.ts';

// 150-200 words without overlap keep most of a gold span within 1,000 words read (shared research, "Passage size").
const ENOUGH = 150;
const MOST = 200;
const MOST_FENCED = 400;

/**
 * The passages of a Markdown or plain text, in order and without overlap: paragraphs gathered to 150-200 words, never
 * across a heading. A longer paragraph is cut at sentence ends, a longer sentence at words; a fenced code block stays
 * whole up to 400 words. Headings, front matter and a BOM lie in none. Linear in the length of the text.
 */
export function splitPassages(text: string): readonly Passage[] {
  const passages = Array.from(gather(text), ({ heading, start, end }) => ({
    heading,
    ...trim(text, start, end),
  }));
  return passages.filter(({ start, end }) => start < end);
}

function* gather(text: string): Generator<Passage> {
  let open: Block | null = null;
  for (const block of blocksOf(text)) {
    if (open !== null && fits(open, block)) {
      open = join(open, block);
      continue;
    }
    if (open !== null) yield* whole(text, open);
    open = block;
  }
  if (open !== null) yield* whole(text, open);
}

function* whole(text: string, block: Block): Generator<Passage> {
  const { heading, start, end } = block;
  if (block.words <= (block.fenced ? MOST_FENCED : MOST)) yield { heading, start, end };
  else for (const range of cut(text, block)) yield { heading, ...range };
}

function fits(open: Block, next: Block): boolean {
  return open.section === next.section && open.words < ENOUGH && open.words + next.words <= MOST;
}

function join(open: Block, next: Block): Block {
  return { ...open, end: next.end, words: open.words + next.words };
}

function* cut(text: string, block: Range): Generator<Range> {
  let { start, end } = block;
  let words = 0;
  for (const piece of pieces(text, block)) {
    const more = countWords(text.slice(piece.start, piece.end));
    if (words > 0 && words + more > MOST) {
      yield { start, end };
      start = piece.start;
      words = 0;
    }
    end = piece.end;
    words += more;
  }
  if (words > 0) yield { start, end };
}

function* pieces(text: string, block: Range): Generator<Range> {
  for (const { start, end } of sentencesOf(text, block.start, block.end)) {
    for (let from = start; from < end;) {
      const to = cutToWords(text, MOST, from, end);
      yield { start: from, end: to };
      from = to;
    }
  }
}
