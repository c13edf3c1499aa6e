import type { Edition } from '../../catalog/edition.ts';
import type { AnswerEvent } from '../../engines/engine.ts';
import type { FoundPassage } from '../../passages/text/passage.ts';
import { verifyQuote } from '../../passages/quote/quote.ts';

type Cite = Extract<AnswerEvent, { type: 'cite' }>;

/**
 * A verified quote: exactly the slice `start..end` (UTF-16 offsets) of the file with that hash.
 * `at` holds the offsets of its markers' `[` in the concatenated chunks.
 */
export type Citation = {
  readonly n: number;
  readonly at: readonly number[];
  readonly path: string;
  readonly heading: string;
  readonly start: number;
  readonly end: number;
  readonly quote: string;
  readonly sha256: string;
  /** The reading page with the quote marked, where a stall serves it. */
  readonly url?: string;
};

/** Reads a file's content as the files endpoint returns it, from the verified artefact. */
type ReadContent = (path: string) => Promise<string>;

/** Numbers an answer's citations in the order of their first marker. A claim that is not a slice of the book gets no number. */
export function createCitations(
  edition: Edition,
  passages: readonly FoundPassage[],
  readContent: ReadContent,
) {
  const citations: (Citation & { at: number[] })[] = [];
  const hashes = new Map(edition.files.map(({ path, sha256 }) => [path, sha256]));

  /** The citation's number, for a marker at the offset; null if the quote is not in the book. */
  const cite = async (claim: Cite, at: number): Promise<number | null> => {
    const known = citations.find(
      ({ path, start, end }) => path === claim.path && start === claim.start && end === claim.end,
    );
    if (known !== undefined) {
      known.at.push(at);
      return known.n;
    }
    const { path, heading, start, end } = claim;
    const sha256 = hashes.get(path);
    const quote = claim.quote ?? quoteOfPassage(passages, claim);
    if (sha256 === undefined || quote === null) return null;
    if (!verifyQuote({ content: await readContent(path), start, end, quote })) return null;
    const n = citations.length + 1;
    citations.push({ n, at: [at], path, heading, start, end, quote, sha256 });
    return n;
  };

  return { cite, list: (): readonly Citation[] => citations };
}

/** The slice of the passage that the engine was given. */
function quoteOfPassage(passages: readonly FoundPassage[], { path, start, end }: Cite): string | null {
  const passage = passages.find((one) => one.path === path && one.start <= start && end <= one.end);
  return passage?.text.slice(start - passage.start, end - passage.start) ?? null;
}
