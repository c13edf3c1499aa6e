import type { ItemKind } from '../platform/base/principal.ts';
import { error, type Problem, quote } from '../platform/base/problem.ts';
import { type SignedQuotes, QUOTES_NAMESPACE, readQuotesText } from './quote-proof.rule.ts';
import type { QuoteTree } from './quote-tree.rule.ts';
import { readSshKey, verifySshSignature } from './ssh-signature.rule.ts';

export const SIGNATURE = 'item.sig';
export const SIGNED = 'item.signed';
export const QUOTES = 'item.quotes';
export const QUOTES_SIGNATURE = 'item.quotes.sig';
export const NAMESPACE = 'bookstall-edition';

/** The signed facts of an edition: `digest` in lower-case hex, `signed` in ISO 8601, UTC, seconds. */
export type SignedEdition = {
  readonly kind: ItemKind;
  readonly slug: string;
  readonly version: string | null;
  readonly digest: string;
  readonly signed: string;
};

export type EditionSignature = {
  readonly armored: string;
  readonly text: string;
  readonly key: string;
  readonly quotes?: EditionQuotes | null;
};

type EditionQuotes = { readonly armored: string; readonly text: string; readonly tree: QuoteTree };

export const editionText = ({ kind, slug, version, digest, signed }: SignedEdition): string =>
  `bookstall edition 1\nkind: ${kind}\nslug: ${slug}\nversion: ${version ?? ''}\ndigest: sha256:${digest}\nsigned: ${signed}\n`;

const TEXT =
  /^bookstall edition 1\nkind: (book|skill)\nslug: ([a-z\d-]+)\nversion: ([^\n]*)\ndigest: sha256:([\da-f]{64})\nsigned: (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)\n$/;

export type VerifiedEdition = SignedEdition & { readonly key: string };

export function verifyEdition(armored: string, text: string): VerifiedEdition | null {
  const [, kind, slug = '', version, digest = '', signed = ''] = TEXT.exec(text) ?? [];
  const key = verifySshSignature(armored, text, NAMESPACE);
  if (key === null || (kind !== 'book' && kind !== 'skill') || Number.isNaN(Date.parse(signed))) return null;
  return { kind, slug, version: version || null, digest, signed, key };
}

type Signer = { readonly name: string; readonly key: string };

/** Reads a line of `signers:`, as in ssh-keygen's allowed_signers without options; null for any other line. */
export function readSigner(line: string): Signer | null {
  const [name = '', type = '', base64 = ''] = line.trim().split(/\s+/);
  const key = readSshKey(type, base64);
  return key === null || /[",*?!]/.test(name) ? null : { name, key };
}

/**
 * Checks the signature in an item's folder against the edition, under its present slug or a former one. Returns the signature,
 * null if the folder has none, or a problem. If `required` lists keys, one of them must have signed; null requires no
 * signature.
 */
export function judgeSignature(
  armored: string | null,
  text: string | null,
  expected: Omit<SignedEdition, 'signed'> & { readonly formerly: readonly string[] },
  required: readonly string[] | null,
): EditionSignature | Problem | null {
  const refuse = (code: string, sentence: string): Problem =>
    error(code, SIGNATURE, sentence, `Run "bookstall sign ${expected.slug}"`);
  if (armored === null && text === null)
    return required === null
      ? null
      : refuse('unsigned', 'Cannot serve an unsigned edition: stall.yaml says "requireSignatures: true"');
  const found = verifyEdition(armored ?? '', text ?? '');
  if (found === null)
    return refuse(
      'broken-signature',
      `Cannot verify the signature in ${quote(SIGNATURE)} and ${quote(SIGNED)}`,
    );
  const slug = expected.formerly.includes(found.slug) ? found.slug : expected.slug;
  const changed = (['kind', 'slug', 'version', 'digest'] as const).find(
    (name) => found[name] !== { ...expected, slug }[name],
  );
  if (changed !== undefined)
    return refuse(
      'stale-signature',
      `The signature is of another edition: its ${changed === 'digest' ? 'files' : changed} changed since`,
    );
  if (required !== null && !required.includes(found.key))
    return refuse(
      'unlisted-signer',
      `Cannot serve an edition that ${found.key} signed: "signers" of stall.yaml does not list this key`,
    );
  return { armored: armored!, text: text!, key: found.key };
}

type VerifiedQuotes = SignedQuotes & { readonly key: string };

function verifyQuotes(armored: string, text: string): VerifiedQuotes | null {
  const found = readQuotesText(text);
  const key = verifySshSignature(armored, text, QUOTES_NAMESPACE);
  return key === null || found === null ? null : { ...found, key };
}

/**
 * Checks the signed root of a book's quotes against the edition, and against the tree that `grow` computes from the book's
 * texts: nobody can sign words that the book does not hold. Returns null for a book without such a root, and a problem for a
 * wrong one.
 */
export function judgeQuotes(
  armored: string | null,
  text: string | null,
  edition: VerifiedEdition | null,
  grow: () => QuoteTree | null,
): EditionQuotes | Problem | null {
  if (armored === null && text === null) return null;
  const refuse = (code: string, sentence: string): Problem =>
    error(code, QUOTES, sentence, 'Run "bookstall sign" again, or remove both files');
  const found = verifyQuotes(armored ?? '', text ?? '');
  if (found === null)
    return refuse(
      'broken-quotes',
      `Cannot verify the signature in ${quote(QUOTES_SIGNATURE)} of ${quote(QUOTES)}`,
    );
  const isSame =
    edition !== null &&
    (['slug', 'version', 'digest', 'key'] as const).every((name) => found[name] === edition[name]);
  if (!isSame)
    return refuse('stale-quotes', `${quote(QUOTES)} is of another edition than ${quote(SIGNATURE)}`);
  const tree = grow();
  if (tree?.root === found.root && tree.leaves === found.leaves)
    return { armored: armored!, text: text!, tree };
  return refuse('false-quotes', `${quote(QUOTES)} does not name the quotes of these files`);
}
