import { sha256 } from '../platform/base/runtime.ts';
import { type Element, type Node, parseXhtml } from './ebook/xhtml.ts';
import type { PageFile } from './page-file.ts';

/**
 * A place in a text. `block` counts the blocks of the whole text; its fraction is how much of the block is above the screen.
 * `marks` are the hashes of that block and of the three before it, nearest first, separated by spaces; '' if not known.
 */
export type Spot = { readonly path: string; readonly block: number; readonly marks: string };

/** The number of blocks whose marks are saved with a place. */
const MARKED = 4;
const MARK_LENGTH = 10;

/** Returns the text of nodes, including the alternative text of pictures. */
export const textOf = (nodes: readonly Node[]): string =>
  nodes
    .map((node) =>
      typeof node === 'string' ? node : (node.attributes.get('alt') ?? '') + textOf(node.children),
    )
    .join('');

export const isElement = (node: Node): node is Element => typeof node !== 'string';

/** Hashes the words of a block, so that it is recognised in other editions. */
export const markOf = (block: Element): string =>
  sha256(textOf([block]).replace(/\s+/g, ' ')).slice(0, MARK_LENGTH);

/** A text that is shown as it was written is one block, whose words are not compared. */
export const PLAIN: readonly string[] = [''];

const known = new WeakMap<PageFile, readonly string[]>();

/** Returns the marks of a page's blocks, as the page's script counts them. */
export const marksOf = (page: PageFile): readonly string[] =>
  known.getOrInsertComputed(page, () =>
    page.isPlain ? PLAIN : parseXhtml(Buffer.from(page.html).toString()).filter(isElement).map(markOf),
  );

export const marksAt = (marks: readonly string[], block: number): string =>
  Array.from({ length: MARKED }, (_, n) => marks[Math.floor(block) - n] ?? '')
    .join(' ')
    .trimEnd();

/**
 * Finds a spot among a text's blocks by its marks: where the most of them are, above all the block's own, and of equal ones
 * the nearest. Null if the text has none of its marks.
 */
export function findBlock(marks: readonly string[], { block, marks: wanted }: Spot): number | null {
  const at = Math.floor(block);
  const [own, ...before] = wanted.split(' ');
  let best = { n: -1, score: 0 };
  for (let n = 0; n <= marks.length; n++) {
    let score = marks[n] === own ? 1 << MARKED : 0;
    before.forEach((mark, i) => {
      if (mark !== '' && mark === marks[n - i - 1]) score += 1 << (MARKED - i - 1);
    });
    const isNearer = score === best.score && Math.abs(n - at) < Math.abs(best.n - at);
    if (score > best.score || (score > 0 && isNearer)) best = { n, score };
  }
  if (best.score === 0) return null;
  return marks[best.n] === own ? best.n + (block % 1) : Math.min(best.n, marks.length - 1);
}
