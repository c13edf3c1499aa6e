// Proofs of random quotes of random books, and what a forger might make of them.
import { branchesOf, growTree } from '../../src/catalog/quote-tree.rule.ts';
import { FORMAT, QUOTES_NAMESPACE, type QuoteProof, quotesText } from '../../src/catalog/quote-proof.rule.ts';
import type { createSigner } from './signing.ts';

type Signer = ReturnType<typeof createSigner>;

/** Letters of seven scripts, two of which are written without blanks. */
const SCRIPTS = [
  'abcdefghij',
  'абвгдежзик',
  'αβγδεζηθικ',
  'אבגדהוזחטי',
  'ابتثجحخدذر',
  '本書引用文字証明',
  'กขคงจฉชซ',
  '😀😃😄🙂🧭',
];

/** Numbers from 0 to `most` - 1 that are the same in each run. */
export function createRandom(seed: number) {
  let state = seed;
  return (most: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

export type Book = { readonly slug: string; readonly files: ReadonlyMap<string, Buffer> };

export function randomBook(slug: string, random: (most: number) => number): Book {
  const letters = [...SCRIPTS[random(SCRIPTS.length)]!];
  const hasBlanks = letters.length > 8;
  const word = (): string =>
    Array.from({ length: 1 + random(9) }, () => letters[random(letters.length)]).join('');
  const text = (length: number): string => {
    let made = random(9) === 0 ? '\ufeff' : '';
    while (made.length < length)
      made += word() + (random(12) === 0 ? '\n' : hasBlanks ? ' ' : random(40) === 0 ? '。' : '');
    return made;
  };
  const files = new Map([
    ['empty.md', Buffer.alloc(0)],
    ['picture.png', Buffer.of(0x89, 0, 1)],
    ['zeros.txt', Buffer.from('a\0b')],
  ]);
  for (let n = 0; n < 3 + random(40); n++)
    files.set(`${word()}/${n}.md`, Buffer.from(text(random(4) === 0 ? 20 : 40_000 >> random(6))));
  return { slug, files };
}

export type Case = { readonly book: Book; readonly proof: QuoteProof; readonly quote: string };

export function signBook({ slug, files }: Book, signer: Signer) {
  const list = [...files].map(([path, { length: size }]) => ({ path, size }));
  const tree = growTree(list, (path) => files.get(path)!)!;
  const facts = { slug, version: '1.2.0', digest: 'ab'.repeat(32), signed: '2026-11-29T10:00:00Z', ...tree };
  const signed = quotesText(facts);
  return { tree, signed, signature: signer.sign(signed, { namespace: QUOTES_NAMESPACE }) };
}

export async function proveRandom(
  book: Book,
  signed: ReturnType<typeof signBook>,
  random: (most: number) => number,
): Promise<Case> {
  const texts = [...book.files].filter(([, bytes]) => bytes.length > 10 && !bytes.includes(0));
  const [path, bytes] = texts[random(texts.length)]!;
  const isStart = (at: number): boolean => (bytes[at] ?? 0) >> 6 !== 2;
  let from = random(bytes.length - 4);
  while (!isStart(from)) from--;
  let to = Math.min(bytes.length, from + 1 + random(400));
  while (!isStart(to)) to++;
  const branches = (await branchesOf(signed.tree, { path, from, to }, async (name) =>
    book.files.get(name)!,
  ))!;
  const proof: QuoteProof = {
    proof: FORMAT,
    signed: signed.signed,
    signature: signed.signature,
    path,
    ...branches,
    quote: [from - branches.at, to - branches.at],
  };
  return { book, proof, quote: bytes.subarray(from, to).toString() };
}

/** Changes a letter of an armored signature, sixty characters from its end. */
function changeLetter(armored: string): string {
  const letters = [...armored];
  const at = letters.findLastIndex((letter, n) => n < letters.length - 60 && /[a-zA-Z]/.test(letter));
  return letters.with(at, letters[at] === 'A' ? 'B' : 'A').join('');
}

type Forge = (proof: QuoteProof, random: (most: number) => number, other: QuoteProof) => QuoteProof;

const changeHex = (hex: string, at: number): string =>
  hex.slice(0, at) + (hex[at] === '0' ? '1' : '0') + hex.slice(at + 1);
const inPiece = (proof: QuoteProof, change: (piece: QuoteProof['pieces'][number]) => object): QuoteProof => ({
  ...proof,
  pieces: proof.pieces.map((piece, n) => (n === 0 ? { ...piece, ...change(piece) } : piece)),
});

const oneByte = (byte: number): string => (byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '?');

/** Takes the first piece alone, and reads one byte of its hashed words as part of another field. */
const inFirst = (
  proof: QuoteProof,
  change: (piece: QuoteProof['pieces'][number]) => Partial<QuoteProof> & { readonly piece: object },
): QuoteProof => {
  const { piece, ...other } = change(proof.pieces[0]!);
  const pieces = [{ ...proof.pieces[0]!, ...piece }];
  return { ...proof, quote: [0, Buffer.byteLength(pieces[0]!.text)], ...other, pieces };
};

/** Changes that a forger makes; each result must be refused. */
export const FORGERIES: Readonly<Record<string, Forge>> = {
  'a letter of the quote': (proof) => inPiece(proof, ({ text }) => ({ text: `${text.slice(0, -1)}~` })),
  'the place of the quote, out of its pieces': (proof) => ({ ...proof, quote: [proof.quote[0], 100_000] }),
  'an empty quote': (proof) => ({ ...proof, quote: [proof.quote[0], proof.quote[0]] }),
  'a byte of the place': (proof) => ({ ...proof, at: proof.at + 1 }),
  'the number of the piece': (proof) => ({ ...proof, first: proof.first + 1 }),
  'the path': (proof) => ({ ...proof, path: `${proof.path}x` }),
  'the salt': (proof, random) => inPiece(proof, ({ salt }) => ({ salt: changeHex(salt, random(32)) })),
  'a hash of the audit path': (proof, random) =>
    inPiece(proof, ({ audit }) => ({
      audit: audit.map((hash, n) => (n === 0 ? changeHex(hash, random(64)) : hash)),
    })),
  'an audit path that is cut short': (proof) =>
    inPiece(proof, ({ audit }) => ({ audit: audit.slice(0, -1) })),
  'an audit path with one hash more': (proof) =>
    inPiece(proof, ({ audit }) => ({ audit: [...audit, 'ab'.repeat(32)] })),
  'a node in place of a leaf': (proof) =>
    inPiece(proof, ({ audit }) => ({ text: 'a', audit: audit.slice(1), salt: 'ab'.repeat(16) })),
  'the signature': (proof) => ({ ...proof, signature: changeLetter(proof.signature) }),
  'the signed text': (proof) => ({ ...proof, signed: proof.signed.replace('1.2.0', '1.2.1') }),
  'the root of another edition': (proof, _, other) => ({
    ...proof,
    signed: other.signed,
    signature: other.signature,
  }),
  'a piece that does not join the one before': (proof) => ({
    ...proof,
    pieces: [...proof.pieces, { ...proof.pieces.at(-1)! }],
  }),
  'a byte of the words, read as one of their place': (proof) =>
    inFirst(proof, ({ text }) => ({
      path: `${proof.path}\0`,
      at: proof.at * 256 + Buffer.from(text)[0]!,
      piece: { text: text.slice(1) },
    })),
  'a byte of the salt, read as one of the path': (proof) =>
    inFirst(proof, ({ salt }) => ({
      path: oneByte(Number.parseInt(salt.slice(30), 16)) + proof.path,
      piece: { salt: `${salt.slice(0, 30)}  ` },
    })),
  'one more piece than the quote needs': (proof) => ({ ...proof, quote: [proof.quote[0], proof.quote[0]] }),
};
