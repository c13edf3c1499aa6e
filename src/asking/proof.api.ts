import type { Principal } from '../platform/base/principal.ts';
import type { Edition } from '../catalog/catalog.ts';
import { attachment } from '../reading/sent-file.ts';
import { textAnswer } from '../platform/http/answer.ts';
import type { Query } from '../platform/http/http.ts';
import { readFields } from '../platform/http/shape.ts';
import { countProof, PROOF_QUERY, proveQuote, type QuotePlace } from './proof.ts';
import type { Http } from './stall.ts';

export async function sendProof(
  { stall, budgets }: Http,
  request: Request,
  { principal, id, query }: { readonly principal: Principal; readonly id: string; readonly query: Query },
): Promise<Response> {
  const place = readPlace(query);
  const client = budgets.addressOf(request).key;
  const proven = await proveQuote(stall, principal, { book: { id }, place, client });
  countProof(stall, principal, proven);
  const { edition, proof } = proven;
  return textAnswer(`${JSON.stringify(proof, null, 1)}\n`, 200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Disposition': attachment(nameOf(edition, place)),
    'Cache-Control': 'private, no-store',
    Vary: 'Authorization, Cookie',
  });
}

/** Returns a name such as `proof-field-notes-1.2-chapter-3-120-180.json`: slug, version, text, and the quote's offsets. */
function nameOf({ manifest: { slug, version } }: Edition, { path, start, end }: QuotePlace): string {
  const [edition, text] = [version ?? '', path.replace(/\.\w{1,8}$/, '')].map((part) => part.slice(0, 40));
  const name = ['proof', slug, edition, text, start, end].filter((part) => part !== '').join('-');
  return `${name.toWellFormed().replace(/[^\p{L}\p{M}\p{N}._-]/gu, '-')}.json`;
}

export function readPlace(query: Query): QuotePlace {
  const { path, start, end } = readFields(PROOF_QUERY, query, 'Cannot prove a quote');
  const numbers = [start, end].map((text) => (/^\d{1,9}$/.test(text) ? Number(text) : Infinity));
  return { path, start: numbers[0]!, end: numbers[1]! };
}
