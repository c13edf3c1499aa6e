import { access, isHidden, seenBy, servedById, servedBySlug } from '../accounts/access.ts';
import type { Edition } from '../catalog/catalog.ts';
import { isFree } from '../catalog/item.rule.ts';
import { FORMAT, type QuoteProof } from '../catalog/quote-proof.rule.ts';
import { branchesOf } from '../catalog/quote-tree.rule.ts';
import type { Principal } from '../platform/base/principal.ts';
import { createCollector } from '../platform/base/garbage.ts';
import { Refusal } from '../platform/base/refusal.ts';
import { ToldRefusal, notFound } from '../platform/base/told.ts';
import { createQueue } from '../platform/base/turn.ts';
import { createSlidingWindow } from '../platform/http/sliding-window.ts';
import { object, text } from '../platform/http/shape.ts';
import { countWords } from '../reading/sentence.rule.ts';
import { EXCERPT_WORDS, QUOTE_WORDS } from './best-quote.rule.ts';
import type { Stall } from './stall.ts';

/**
 * The maximum length of a quote that can be proven, in UTF-16 units: in any script, its proof is shorter than LONGEST_PROOF.
 */
export const LONGEST_PROVEN = 3000;
/** How many proofs of paid texts an account gets in an hour: they must not give a book away piece by piece. */
const PROOFS_AN_HOUR = 60;

export const PROOF_QUERY = object({
  path: text('The path of the text in the book.', { minLength: 1 }),
  start: text('The quote’s first UTF-16 offset in the text, as citations have it.'),
  end: text('The offset behind the quote.'),
});

/** A quote in a text: `start` and `end` are UTF-16 offsets, as in citations. */
export type QuotePlace = { readonly path: string; readonly start: number; readonly end: number };

export const isProvable = ({ manifest }: Edition): boolean => manifest.signature?.quotes != null;

export const mostProven = ({ manifest }: Edition): number => (isFree(manifest) ? EXCERPT_WORDS : QUOTE_WORDS);

type Proven = { readonly edition: Edition; readonly proof: QuoteProof };

/**
 * Makes the proof of a quote, for readers who may read the text. `client` is the key of the reader's network, by which proofs
 * take turns. Refuses not-found, unauthenticated, access-denied, no-content if the book's quotes are not signed, and
 * invalid-request if the place has no words or too many.
 */
export async function proveQuote(
  stall: Stall,
  principal: Principal,
  {
    book,
    place,
    client,
  }: {
    readonly book: { readonly id: string } | { readonly slug: string };
    readonly place: QuotePlace;
    readonly client: string;
  },
): Promise<Proven> {
  const name = 'id' in book ? book.id : book.slug;
  const served =
    'id' in book ? servedById(stall, principal, book.id) : servedBySlug(stall, principal, book.slug, 'book');
  if (isHidden(principal, served)) throw notFound(name);
  const edition = seenBy(principal, served);
  access(stall, principal, { edition, action: 'read', path: place.path });
  const quotes = edition.manifest.signature?.quotes;
  if (quotes == null)
    throw new ToldRefusal('no-content', ({ reading }) => reading.unproven(edition.manifest));
  const { branches, from, to } = await stall.proofs.inTurn(client, async () => {
    const bytesOf = async (path: string): Promise<Buffer> => {
      const bytes = Buffer.from(await stall.artefacts.read(edition, path));
      stall.proofs.collect(bytes.length);
      return bytes;
    };
    const content = await stall.artefacts.read(edition, place.path);
    const [from, to] = readBytes(content, place, mostProven(edition));
    const branches = await branchesOf(quotes.tree, { path: place.path, from, to }, bytesOf);
    if (branches === null) throw wrongPlace('this file has no words that can be proven');
    return { branches, from, to };
  });
  const { text: signed, armored: signature } = quotes;
  const quote = [from - branches.at, to - branches.at] as const;
  return { edition, proof: { proof: FORMAT, signed, signature, path: place.path, ...branches, quote } };
}

function readBytes(content: string, { start, end }: QuotePlace, most: number): readonly [number, number] {
  const quote = content.slice(start, end);
  if (end > content.length || quote.trim() === '' || !quote.isWellFormed())
    throw wrongPlace('the book has no words there; ask again, since it may have changed');
  if (quote.length > LONGEST_PROVEN || countWords(quote) > most)
    throw wrongPlace(`a proof holds ${most} words at most`);
  const from = Buffer.byteLength(content.slice(0, start));
  return [from, from + Buffer.byteLength(quote)];
}

const wrongPlace = (reason: string): Refusal => Refusal.invalid(`Cannot prove this quote: ${reason}`);

/** Makes the limits that all proofs of an open stall share. */
export const createProofs = () => ({
  limit: createSlidingWindow({
    limit: PROOFS_AN_HOUR,
    seconds: 3600,
    now: () => performance.now(),
    capacity: 1024,
    overflowCapacity: 64,
  }),
  /** Makes one proof at a time, clients in turn: a proof holds whole texts, and a hundred of them would fill the memory. */
  inTurn: createQueue(),
  collect: createCollector(16 * 1024 ** 2),
});

/** Counts an account's proof of a text that is neither free nor a sample; refuses rate-limited. */
export function countProof({ proofs }: Stall, principal: Principal, { edition, proof }: Proven): void {
  const { manifest } = edition;
  if (principal.kind === 'anonymous' || isFree(manifest) || manifest.sample.includes(proof.path)) return;
  const { admitted, resetSeconds } = proofs.limit.take(principal.accountId);
  const most = PROOFS_AN_HOUR;
  if (!admitted)
    throw new ToldRefusal('rate-limited', ({ reading }) => reading.proofsLater({ most }), resetSeconds);
}
