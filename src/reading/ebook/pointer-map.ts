// Maps places in a book's texts to KOReader's pointers into its e-book, and back. A pointer is a way of elements through the
// document that crengine makes of an EPUB: `DocFragment[n]` is the n-th document of the spine, and `[1]` may be left out.
import { isBlank, type Element, type Node } from './xhtml.ts';
import { isElement, markOf, PLAIN, type Spot, findBlock, marksAt, textOf } from '../page-block.ts';
import { readSlice } from '../../platform/base/file-slice.ts';
import { statSync } from 'node:fs';

/**
 * The places of a chapter. `marks` are the hashes of its blocks. `points` lists each innermost block of the e-book, such as a
 * paragraph or a cell, by its place in the chapter and its way (path of elements) from the body. `size` is how much there is to
 * read.
 */
export type ChapterPoints = ReturnType<typeof mapChapter>;

export type PointerMap = { readonly chapters: readonly (ChapterPoints & { readonly path: string })[] };

/** A block of the site's page, and the nodes of the e-book that were made of it. */
type MadeBlock = { readonly node: Node; readonly made: readonly Node[] };

type Leaf = { readonly way: string; readonly weight: number };

/** The documents of the spine before the first chapter: the cover and the title page. */
const FRONT = 2;

/** The space that a paragraph takes beside its letters, counted in letters. */
const LINE = 60;

const BLOCKS = new Set(
  'p h1 h2 h3 h4 h5 h6 pre ul ol li dl dt dd table caption thead tbody tfoot tr td th blockquote aside section figure figcaption div hr'.split(
    ' ',
  ),
);

const isBlock = (node: Node): node is Element => isElement(node) && BLOCKS.has(node.tag);

/** Maps a chapter. A plain one is a single block on the page: there a paragraph's place is the share of the lines before it. */
export function mapChapter(blocks: readonly MadeBlock[], isPlain: boolean) {
  const tags = new Map<string, number>();
  const elements = blocks.filter(({ node }) => isElement(node));
  const leaves = elements.map(({ made }) =>
    made.filter(isElement).flatMap((one) => leavesOf(one, stepOf(one, tags), isPlain)),
  );
  return {
    marks: isPlain ? PLAIN : elements.map(({ node }) => markOf(node as Element)),
    points: isPlain ? spread(leaves.flat(), 0) : leaves.flatMap(spread),
    size: sizeOf(leaves.flat()),
  };
}

const sizeOf = (leaves: readonly Leaf[]): number => leaves.reduce((sum, { weight }) => sum + weight, 0);

/**
 * Gives each innermost block inside the page's block number `block` its place: that number, and how much of the block is before
 * it as a fraction.
 */
function spread(leaves: readonly Leaf[], block: number): readonly (readonly [number, string])[] {
  const size = sizeOf(leaves);
  let before = 0;
  return leaves.map(({ way, weight }) => {
    const at = Number((block + before / size).toFixed(6));
    before += weight;
    return [at, way] as const;
  });
}

function stepOf({ tag }: Element, tags: Map<string, number>): string {
  const count = (tags.get(tag) ?? 0) + 1;
  tags.set(tag, count);
  return `${tag}[${count}]`;
}

function leavesOf(element: Element, way: string, isPlain: boolean): readonly Leaf[] {
  const tags = new Map<string, number>();
  const inner = element.children
    .filter(isBlock)
    .flatMap((child) => leavesOf(child, `${way}/${stepOf(child, tags)}`, isPlain));
  const own = element.children.filter((child) => !isBlock(child));
  if (inner.length > 0 && own.every(isBlank)) return inner;
  const text = textOf(own);
  return [{ way, weight: isPlain ? text.split('\n').length + 1 : text.length + LINE }, ...inner];
}

/**
 * Returns the pointer to a spot, and how much of the book is before it, from 0 to 1; null if the e-book has neither the spot's
 * text nor its block.
 */
export function pointerOf({ chapters }: PointerMap, spot: Spot) {
  const n = chapters.findIndex(({ path }) => path === spot.path);
  const here = n === -1 ? chapters.findIndex(({ marks }) => hasBlock(marks, spot)) : n;
  const chapter = chapters[here];
  if (chapter === undefined) return null;
  const block = findBlock(chapter.marks, spot) ?? spot.block;
  const point = chapter.points.findLast(([at]) => at <= block) ?? chapter.points[0];
  if (point === undefined) return null;
  const before = sizeOfAll(chapters.slice(0, here)) + (chapter.size * point[0]) / chapter.marks.length;
  return {
    progress: `/body[1]/DocFragment[${here + FRONT + 1}]/body[1]/${point[1]}`,
    percentage: Math.min(1, before / Math.max(1, sizeOfAll(chapters))),
  };
}

const sizeOfAll = (chapters: readonly ChapterPoints[]): number =>
  chapters.reduce((sum, { size }) => sum + size, 0);

/** Whether a text has a spot's own block: this finds a text that was renamed. */
export const hasBlock = (marks: readonly string[], spot: Spot): boolean =>
  spot.marks !== '' && marks.includes(spot.marks.split(' ')[0]!);

const POINTER =
  /^\/body(?:\[1\])?\/DocFragment(?:\[(\d{1,6})\])?(?:\.\d+$|\/|$)(?:body(?:\[1\])?(?:\.\d+$|\/|$))?(.*)$/s;

/** Returns the spot of a pointer: of the innermost known block on its way. Null if it does not lead into a chapter. */
export function spotOf({ chapters }: PointerMap, progress: string): Spot | null {
  const [, fragment, way] = POINTER.exec(progress) ?? [];
  if (way === undefined) return null;
  const n = Number(fragment ?? 1) - FRONT - 1;
  const chapter = chapters[Math.max(0, n)];
  if (chapter === undefined) return null;
  const block = n < 0 ? 0 : blockAt(chapter, way);
  return { path: chapter.path, block, marks: marksAt(chapter.marks, block) };
}

/** Returns the place whose way has the most steps in common with `way`; of several, the first. */
function blockAt({ points }: ChapterPoints, way: string): number {
  const steps = way.replace(/\.\d+$/, '').split('/');
  const named = steps.map((step) => (step.endsWith(']') ? step : `${step}[1]`));
  let [found, most] = [0, 0];
  for (const [at, one] of points) {
    const own = one.split('/');
    const differs = own.findIndex((step, n) => step !== named[n]);
    const shared = differs === -1 ? own.length : differs;
    if (shared > most) [found, most] = [at, shared];
  }
  return found;
}

/** Returns KOReader's hash of a file: the MD5 of twelve samples, more of them near the beginning. */
export function documentOf(file: string): string {
  const { size } = statSync(file);
  const hash = new Bun.CryptoHasher('md5');
  for (const start of [0, ...Array.from({ length: 11 }, (_, n) => 1024 * 4 ** n)])
    if (start < size) hash.update(readSlice(file, start, Math.min(size, start + 1024)));
  return hash.digest('hex');
}
