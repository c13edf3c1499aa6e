// The proof of a quote. It is checked by the reader's program and by the page `/check-quote`, each with its own cryptography.

/** The maximum length of a piece of a text, in bytes. */
export const LONGEST_PIECE = 240;
/** The maximum length of a proof's JSON, in characters. */
export const LONGEST_PROOF = 64 * 1024;
/** The namespace in which the root of a book's quotes is signed, so that no signature of the key for another purpose fits. */
export const QUOTES_NAMESPACE = 'bookstall-quotes';

/** The signed facts about the quotes of an edition: those of the edition, and the root and size of its tree. */
export type SignedQuotes = {
  readonly slug: string;
  readonly version: string | null;
  readonly digest: string;
  readonly root: string;
  readonly leaves: number;
  readonly signed: string;
};

export const quotesText = ({ slug, version, digest, root, leaves, signed }: SignedQuotes): string =>
  `bookstall quotes 1\nkind: book\nslug: ${slug}\nversion: ${version ?? ''}\ndigest: sha256:${digest}\nquotes: sha256:${root} ${leaves}\nsigned: ${signed}\n`;

const TEXT =
  /^bookstall quotes 1\nkind: book\nslug: ([a-z\d-]+)\nversion: ([^\n]*)\ndigest: sha256:([\da-f]{64})\nquotes: sha256:([\da-f]{64}) ([1-9]\d{0,8})\nsigned: (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)\n$/;

export function readQuotesText(text: string): SignedQuotes | null {
  const [found, slug = '', version, digest = '', root = '', leaves, signed = ''] = TEXT.exec(text) ?? [];
  if (found === undefined) return null;
  return { slug, version: version || null, digest, root, leaves: Number(leaves), signed };
}

/**
 * A proof as it is saved: the signed text and its signature; the path of a book's text; consecutive `pieces` of that text, the
 * first with the number `first` in the tree and at the byte `at` of the text; and the range of bytes of the quote, `to`
 * excluded, counted from `at`.
 */
export type QuoteProof = {
  readonly proof: typeof FORMAT;
  readonly signed: string;
  readonly signature: string;
  readonly path: string;
  readonly first: number;
  readonly at: number;
  readonly pieces: readonly {
    readonly text: string;
    readonly salt: string;
    readonly audit: readonly string[];
  }[];
  readonly quote: readonly [from: number, to: number];
};

export const FORMAT = 'bookstall quote 1';

/** The cryptography of a checker: `verify` returns the fingerprint of the key that signed the text, null if none did. */
type Crypto = {
  readonly sha256: (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array> | Uint8Array;
  readonly verify: (
    armored: string,
    text: string,
    namespace: string,
  ) => Promise<string | null> | string | null;
};

/**
 * A quote that is proven: the key's holder signed an edition with these words. `before` and `after` are the rest of its pieces,
 * which the proof discloses too.
 */
export type ProvenQuote = SignedQuotes & {
  readonly key: string;
  readonly path: string;
  readonly before: string;
  readonly quote: string;
  readonly after: string;
};

/** Checks a proof; null if any part of it is wrong. */
export async function checkProof(json: string, { sha256, verify }: Crypto): Promise<ProvenQuote | null> {
  const proof = json.length > LONGEST_PROOF ? null : readProof(json);
  const signed = proof && readQuotesText(proof.signed);
  if (proof === null || signed === null) return null;
  const { path, first, at, pieces, quote } = proof;
  const key = await verify(proof.signature, proof.signed, QUOTES_NAMESPACE);
  if (key === null) return null;
  const texts = pieces.map(({ text }) => encoder.encode(text));
  let start = at;
  for (const [n, bytes] of texts.entries()) {
    const { salt, audit } = pieces[n]!;
    const leaf = await sha256(
      join([ZERO, fromHex(salt), encoder.encode(`${path}\0`), bigEndian(start), bytes]),
    );
    const climbed = climb(
      { leaf, index: first + n, leaves: signed.leaves, audit: audit.map(fromHex) },
      sha256,
    );
    if (toHex((await climbed) ?? ZERO) !== signed.root) return null;
    start += bytes.length;
  }
  const words = cutWords(texts, quote);
  return words && { ...signed, key, path, ...words };
}

/** Whether a file says that it is a proof, even if the proof was changed or cut short. */
export const isProof = (file: string): boolean => file.includes(`"${FORMAT}"`);

/** Returns the proof if its form is right; the numbers in it may still be wrong. */
function readProof(json: string): QuoteProof | null {
  try {
    const proof = JSON.parse(json) as QuoteProof;
    const { path, first, at, pieces, quote } = proof;
    const isRight =
      proof.proof === FORMAT &&
      [proof.signed, proof.signature, path].every((one) => typeof one === 'string' && one.isWellFormed()) &&
      // In the hashed bytes a NUL ends the path, so that a NUL inside would let bytes of the path pass for those behind it.
      !path.includes('\0') &&
      [first, at, ...quote].every((one) => Number.isSafeInteger(one) && one >= 0) &&
      quote.length === 2 &&
      pieces.length > 0 &&
      pieces.every(
        ({ text, salt, audit }) =>
          typeof text === 'string' &&
          text.isWellFormed() &&
          HEX_16.test(salt) &&
          audit.every((hash) => HEX_32.test(hash)),
      );
    return isRight ? proof : null;
  } catch {
    return null;
  }
}

const HEX_16 = /^[\da-f]{32}$/;
const HEX_32 = /^[\da-f]{64}$/;

type Climb = {
  readonly leaf: Uint8Array;
  readonly index: number;
  readonly leaves: number;
  readonly audit: readonly Uint8Array[];
};

/** Computes the root to which an audit path leads (RFC 9162 §2.1.3.2); null if the path does not fit the tree. */
async function climb(
  { leaf, index, leaves, audit }: Climb,
  sha256: Crypto['sha256'],
): Promise<Uint8Array | null> {
  let [hash, at, last] = [leaf, index, leaves - 1];
  if (at > last) return null;
  for (const other of audit) {
    if (last === 0) return null;
    const isRight = at % 2 === 1 || at === last;
    hash = await sha256(join(isRight ? [ONE, other, hash] : [ONE, hash, other]));
    while (isRight && at % 2 === 0 && at !== 0) [at, last] = [at / 2, Math.floor(last / 2)];
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 ? hash : null;
}

/** Cuts the quote out of its pieces; null if it does not begin in the first and end in the last, or cuts a character. */
function cutWords(texts: readonly Uint8Array[], [from, to]: QuoteProof['quote']) {
  const bytes = join(texts);
  const isInside = from < Math.min(to, texts[0]!.length) && to <= bytes.length;
  const [before, quote, after] = [bytes.subarray(0, from), bytes.subarray(from, to), bytes.subarray(to)];
  if (!isInside || after.length >= texts.at(-1)!.length) return null;
  try {
    return { before: decode(before), quote: decode(quote), after: decode(after) };
  } catch {
    return null;
  }
}

/** Returns the parts of a proof's words as pages show them: without the marks of headings. */
export function withoutHeadingMarks(parts: readonly string[]): readonly string[] {
  const hidden = parts.join('').replace(HEADING, (mark) => NOTHING.repeat(mark.length));
  let at = 0;
  return parts.map(({ length }) => hidden.slice(at, (at += length)).replaceAll(NOTHING, ''));
}

const NOTHING = '\ufffe';
const HEADING = /^(?:#{2,6} |# (?=[^\n]*\n\n))/gm;

const encoder = new TextEncoder();
const ZERO = Uint8Array.of(0);
const ONE = Uint8Array.of(1);

const decode = (bytes: Uint8Array): string =>
  new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);

function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function bigEndian(number: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(number));
  return bytes;
}

const fromHex = (hex: string): Uint8Array =>
  Uint8Array.from({ length: hex.length / 2 }, (_, n) => Number.parseInt(hex.slice(2 * n, 2 * n + 2), 16));

const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
