import { describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { checkProof, LONGEST_PIECE, type QuoteProof } from '../../src/catalog/quote-proof.rule.ts';
import { growTree, pieceStarts } from '../../src/catalog/quote-tree.rule.ts';
import { verifySshSignature } from '../../src/catalog/ssh-signature.rule.ts';
import { createRandom, FORGERIES, proveRandom, randomBook, signBook } from './proof-cases.ts';
import { createSigner } from './signing.ts';

const moe = createSigner('ssh-ed25519');
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
const check = (proof: QuoteProof) =>
  checkProof(JSON.stringify(proof), { sha256, verify: verifySshSignature });
const random = createRandom(7);
const books = Array.from({ length: 10 }, (_, n) => randomBook(`book-${n}`, random));
const signed = books.map((book) => signBook(book, moe));
const cases = await Promise.all(
  Array.from({ length: 200 }, (_, n) => proveRandom(books[n % 10]!, signed[n % 10]!, random)),
);

test('a proof shows its quote, the edition and the key', async () => {
  for (const { book, proof, quote } of cases)
    expect(await check(proof)).toMatchObject({
      slug: book.slug,
      version: '1.2.0',
      path: proof.path,
      key: moe.fingerprint,
      quote,
      signed: '2026-11-29T10:00:00Z',
    });
});

test('a proof discloses whole pieces: fewer than two beside its quote', async () => {
  for (const { proof, quote } of cases) {
    const bytes = Buffer.byteLength(proof.pieces.map(({ text }) => text).join(''));
    expect(bytes - Buffer.byteLength(quote)).toBeLessThan(2 * LONGEST_PIECE);
  }
});

describe('a proof is refused after a change of', () => {
  test.each(Object.entries(FORGERIES))('%s', async (_, forge) => {
    for (const [n, { proof }] of cases.entries()) {
      const forged = forge(proof, random, cases[(n + 1) % cases.length]!.proof);
      // A tree of one leaf has no audit path to change.
      if (Bun.deepEquals(forged, proof)) continue;
      expect(await check(forged)).toBeNull();
    }
  });
});

test('a signature for another purpose, or by no key, proves nothing', async () => {
  const [{ proof }] = cases as [(typeof cases)[number]];
  for (const signature of [moe.sign(proof.signed), '', 'x'.repeat(100_000)])
    expect(await check({ ...proof, signature })).toBeNull();
});

test('what is no proof is refused', async () => {
  for (const json of ['', '{}', 'null', '[]', '{"proof":"bookstall quote 1"}', '"'.repeat(70_000)])
    expect(await checkProof(json, { sha256, verify: verifySshSignature })).toBeNull();
});

/** RFC 9162 §2.1.1 as it is written, over leaves that are computed from the contract alone. */
function rootOf(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 1) return leaves[0]!;
  let cut = 1;
  while (cut * 2 < leaves.length) cut *= 2;
  return sha256(Buffer.concat([Buffer.of(1), rootOf(leaves.slice(0, cut)), rootOf(leaves.slice(cut))]));
}

test.each([1, 2, 3, 255, 256, 257, 511, 512, 513, 1025])(
  'the root of %i pieces is that of RFC 9162',
  (count) => {
    const files = new Map([
      ['b.md', Buffer.from('x'.repeat(240 * (count - 1)))],
      ['a.md', Buffer.from('y')],
    ]);
    const list = [...files].map(([path, { length: size }]) => ({ path, size }));
    const tree = growTree(list, (path) => files.get(path)!)!;
    const long = (n: number, size: number) => Buffer.from(n.toString(16).padStart(2 * size, '0'), 'hex');
    const keyed = ['a.md', 'b.md'].flatMap((path) => [
      long(4, 4),
      Buffer.from(path),
      long(files.get(path)!.length, 8),
      files.get(path)!,
    ]);
    const key = sha256(Buffer.concat([Buffer.from('bookstall quotes key 1\n'), ...keyed]));
    const leaves = ['a.md', 'b.md'].flatMap((path) =>
      Array.from({ length: Math.ceil(files.get(path)!.length / 240) }, (_, n) => {
        const place = Buffer.concat([Buffer.from(path), Buffer.of(0), long(n * 240, 8)]);
        const salt = new Bun.CryptoHasher('sha256', key).update(place).digest().subarray(0, 16);
        return sha256(
          Buffer.concat([Buffer.of(0), salt, place, files.get(path)!.subarray(n * 240, n * 240 + 240)]),
        );
      }),
    );
    expect([tree.leaves, tree.root]).toEqual([count, rootOf(leaves).toString('hex')]);
  },
);

test.each([
  ['at the last blank', `${'a'.repeat(200)} ${'b'.repeat(100)}`, [0, 201]],
  ['at a line break', `${'a'.repeat(239)}\n${'b'.repeat(10)}`, [0, 240]],
  ['at the beginning of a character', '文'.repeat(100), [0, 240]],
  ['before a character that does not fit', `a${'文'.repeat(100)}`, [0, 238]],
  ['nowhere, if it is short', 'a b c', [0]],
  ['of an empty text there are none', '', []],
])('a text is cut %s', (_, text, starts) => {
  expect(pieceStarts(Buffer.from(text))).toEqual(starts);
});

test('texts with NUL, of other encodings, or over 4 MiB have no pieces; a book without any has no tree', () => {
  const files = new Map([
    ['zeros.txt', Buffer.from('a\0')],
    ['latin.txt', Buffer.of(0xe9)],
    ['large.txt', Buffer.alloc(4 * 1024 ** 2 + 1, 'a')],
  ]);
  const list = [...files].map(([path, { length: size }]) => ({ path, size }));
  expect(growTree(list, (path) => files.get(path)!)).toBeNull();
});
