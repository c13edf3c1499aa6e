import { Refusal } from '../refusal.ts';
import { fetchJson, objectOf } from './catalog.ts';
import { unexpectedAnswer } from './failure.ts';
import type { StallClient } from './stall-client.ts';
import { plain, plainLines, withoutKeys } from './terminal-text.ts';

/** An edition of an item as its stall lists it; `digest` is bare lower-case hex, `notes` are safe for a terminal. */
export type EditionSummary = {
  readonly digest: string;
  readonly version: string | null;
  readonly isServed: boolean;
  readonly notes: string | null;
};

/** An item's editions, newest first; none from a stall that does not list them. */
export async function fetchEditions(stall: StallClient, slug: string): Promise<readonly EditionSummary[]> {
  const { editions } = objectOf(await fetchJson(stall, `/api/items/${slug}/editions`).catch(ignoreMissing));
  if (editions === undefined) return [];
  if (!Array.isArray(editions)) throw unexpectedAnswer(`Cannot read the editions of "${slug}"`);
  return editions.map((edition) => readEdition(edition, slug));
}

/** The editions that an update passes over: those newer than the installed one, up to the one served. */
export function editionsBetween(
  editions: readonly EditionSummary[],
  installed: string,
): readonly EditionSummary[] {
  const served = editions.findIndex(({ isServed }) => isServed);
  const from = editions.findIndex(({ digest }) => digest === installed);
  return served === -1 ? [] : editions.slice(served, from === -1 ? served + 1 : Math.max(from, served));
}

/** Whether an edition was first served before another one. */
export function isOlder(editions: readonly EditionSummary[], digest: string, than: string): boolean {
  const place = (name: string): number => editions.findIndex((edition) => edition.digest === name);
  return place(than) !== -1 && place(digest) > place(than);
}

function ignoreMissing(error: unknown): unknown {
  if (error instanceof Refusal && error.kind === 'not-found') return {};
  throw error;
}

function readEdition(value: unknown, slug: string): EditionSummary {
  const { digest, version, state, notes } = objectOf(value);
  const hex = typeof digest === 'string' ? /^sha256:([0-9a-f]{64})$/.exec(digest)?.[1] : undefined;
  if (hex === undefined) throw unexpectedAnswer(`Cannot read the editions of "${slug}"`);
  return {
    digest: hex,
    version: typeof version === 'string' ? plain(version) : null,
    isServed: state === 'served',
    notes: typeof notes === 'string' ? plainLines(withoutKeys(notes)) : null,
  };
}
