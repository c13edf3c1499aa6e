// The tree of a book's words, from which short proofs of quotes are made: RFC 9162 §2.1 over salted pieces of the texts.
import { isUtf8 } from 'node:buffer';
import crypto, { createHash, createHmac } from 'node:crypto';
import type { ItemFile } from './item.rule.ts';
import { comparePaths } from './path.rule.ts';
import { LONGEST_PIECE, type QuoteProof } from './quote-proof.rule.ts';

/**
 * A tree as it is stored; its branches are computed from it and the texts. `key`, of the salts, and `root` are in hex. `texts`
 * has the number of pieces of each text, in the order of the tree. `blocks` are the roots of each 256 leaves, joined, in
 * Base64.
 */
export type QuoteTree = {
  readonly key: string;
  readonly root: string;
  readonly leaves: number;
  readonly texts: readonly (readonly [path: string, pieces: number])[];
  readonly blocks: string;
};

type Read<Bytes> = (path: string) => Bytes;

/** The maximum size of a text, in bytes: no quote of a longer file can be proven. */
const LARGEST_TEXT = 4 * 1024 ** 2;
const BLOCK = 256;
const HASH = 32;

/** Computes the tree of an edition's texts, with one text in memory at a time; null if there is no text or all are empty. */
export function growTree(
  files: readonly Pick<ItemFile, 'path' | 'size'>[],
  read: Read<Uint8Array>,
): QuoteTree | null {
  const small = files.filter(({ size }) => size <= LARGEST_TEXT);
  const paths = small.map(({ path }) => path).toSorted(comparePaths);
  const keyHash = createHash('sha256').update('bookstall quotes key 1\n');
  const texts = paths.filter((path) => {
    const bytes = read(path);
    if (!isUtf8(bytes) || bytes.includes(0)) return false;
    const name = Buffer.from(path);
    keyHash.update(bigEndian(name.length, 4)).update(name).update(bigEndian(bytes.length, 8)).update(bytes);
    return true;
  });
  const key = keyHash.digest();
  const counts: (readonly [string, number])[] = [];
  const blocks: Buffer[] = [];
  let block: Buffer[] = [];
  let leaves = 0;
  for (const path of texts) {
    const bytes = read(path);
    const starts = pieceStarts(bytes);
    const leafAt = createLeaves(key, path, bytes, starts);
    for (let n = 0; n < starts.length; n++) {
      block.push(leafAt(n).hash);
      if (block.length === BLOCK) blocks.push(rootOf(block.splice(0)));
    }
    counts.push([path, starts.length]);
    leaves += starts.length;
  }
  if (block.length > 0) blocks.push(rootOf(block));
  if (leaves === 0) return null;
  const root = rootOf(blocks).toString('hex');
  return {
    key: key.toString('hex'),
    root,
    leaves,
    texts: counts,
    blocks: Buffer.concat(blocks).toString('base64'),
  };
}

type Branches = Pick<QuoteProof, 'first' | 'at' | 'pieces'>;

/**
 * Returns the pieces that hold the bytes `from` to `to` of a text, each with its audit path to the root; null if the text is
 * not in the tree. Also reads the texts that have pieces in the same blocks.
 */
export async function branchesOf(
  tree: QuoteTree,
  { path, from, to }: { readonly path: string; readonly from: number; readonly to: number },
  read: Read<Promise<Uint8Array>>,
): Promise<Branches | null> {
  const before = countBefore(tree.texts, path);
  if (before === null) return null;
  const bytes = await read(path);
  const starts = pieceStarts(bytes);
  const first = starts.findLastIndex((start) => start <= from);
  const last = starts.findLastIndex((start) => start < to);
  const roots = levelsOf(splitHashes(Buffer.from(tree.blocks, 'base64')));
  const blocks = new Map<number, ReturnType<typeof levelsOfBlock>>();
  const leafAt = createLeaves(Buffer.from(tree.key, 'hex'), path, bytes, starts);
  const pieces = [];
  for (let n = first; n <= last; n++) {
    const { piece, salt } = leafAt(n);
    const index = before + n;
    const block = Math.floor(index / BLOCK);
    const levels = blocks.getOrInsertComputed(block, () => levelsOfBlock(tree, block, read));
    const audit = [...auditPath(await levels, index % BLOCK), ...auditPath(roots, block)];
    const toHex = (hash: Buffer): string => hash.toString('hex');
    pieces.push({ text: Buffer.from(piece).toString(), salt: toHex(salt), audit: audit.map(toHex) });
  }
  return { first: before + first, at: starts[first] ?? 0, pieces };
}

function countBefore(texts: QuoteTree['texts'], path: string): number | null {
  let before = 0;
  for (const [name, pieces] of texts) {
    if (name === path) return before;
    before += pieces;
  }
  return null;
}

/**
 * Returns where the pieces of a text begin, in bytes. A full piece ends after a space or line feed, else after a code point.
 */
export function pieceStarts(bytes: Uint8Array): number[] {
  const starts: number[] = [];
  for (let at = 0; at < bytes.length; at = pieceEnd(bytes, at)) starts.push(at);
  return starts;
}

function pieceEnd(bytes: Uint8Array, start: number): number {
  const full = start + LONGEST_PIECE;
  if (full >= bytes.length) return bytes.length;
  for (let at = full - 1; at >= start; at--) if (bytes[at] === 0x20 || bytes[at] === 0x0a) return at + 1;
  let end = full;
  while ((bytes[end]! & 0xc0) === 0x80) end--;
  return end;
}

/** Creates a function that computes the leaf of a text's n-th piece, and the salt in it. */
function createLeaves(key: Buffer, path: string, bytes: Uint8Array, starts: readonly number[]) {
  const place = Buffer.concat([Buffer.from(`${path}\0`), Buffer.alloc(8)]);
  // One buffer for all leaves of the text, since a book has tens of thousands of them.
  const leaf = Buffer.alloc(1 + SALT + place.length + LONGEST_PIECE);
  return (n: number) => {
    const piece = bytes.subarray(starts[n], starts[n + 1] ?? bytes.length);
    place.writeUIntBE(starts[n]!, place.length - 6, 6);
    const salt = createHmac('sha256', key).update(place).digest().subarray(0, SALT);
    leaf.set(salt, 1);
    leaf.set(place, 1 + SALT);
    leaf.set(piece, 1 + SALT + place.length);
    return { piece, salt, hash: sha256(leaf.subarray(0, 1 + SALT + place.length + piece.length)) };
  };
}

/** Computes the levels of a block, which may hold pieces of several texts. */
async function levelsOfBlock({ key, texts }: QuoteTree, block: number, read: Read<Promise<Uint8Array>>) {
  const [from, to] = [block * BLOCK, (block + 1) * BLOCK];
  const leaves: Buffer[] = [];
  let at = 0;
  for (const [path, pieces] of texts) {
    if (at < to && at + pieces > from) {
      const bytes = await read(path);
      const leafAt = createLeaves(Buffer.from(key, 'hex'), path, bytes, pieceStarts(bytes));
      for (let n = Math.max(0, from - at); n < Math.min(pieces, to - at); n++) leaves.push(leafAt(n).hash);
    }
    at += pieces;
  }
  return levelsOf(leaves);
}

const SALT = 16;
const NODE = Buffer.of(1);

// `crypto.hash` takes a third of the time, but Node has it only since 20.12.
const sha256: (bytes: Uint8Array) => Buffer =
  'hash' in crypto
    ? (bytes) => crypto.hash('sha256', bytes, 'buffer')
    : (bytes) => createHash('sha256').update(bytes).digest();

/** Computes the levels of a tree, from its leaves to its root. The last hash of an odd number goes up as it is (RFC 9162). */
function levelsOf(leaves: readonly Buffer[]): readonly (readonly Buffer[])[] {
  const levels = [leaves];
  for (let level = leaves; level.length > 1; levels.push(level))
    level = Array.from({ length: Math.ceil(level.length / 2) }, (_, n) => {
      const [left, right] = [level[2 * n]!, level[2 * n + 1]];
      return right === undefined ? left : sha256(Buffer.concat([NODE, left, right]));
    });
  return levels;
}

const rootOf = (hashes: readonly Buffer[]): Buffer => levelsOf(hashes).at(-1)![0]!;

const auditPath = (levels: ReturnType<typeof levelsOf>, index: number): readonly Buffer[] =>
  levels.flatMap((level, n) => level[(index >> n) ^ 1] ?? []);

const splitHashes = (bytes: Buffer): Buffer[] =>
  Array.from({ length: bytes.length / HASH }, (_, n) => bytes.subarray(n * HASH, (n + 1) * HASH));

function bigEndian(number: number, length: 4 | 8): Buffer {
  const bytes = Buffer.alloc(length);
  bytes.writeUIntBE(number, length - Math.min(length, 6), Math.min(length, 6));
  return bytes;
}
