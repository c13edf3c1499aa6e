import type { Edition } from '../catalog/catalog.ts';
import { useWords } from '../platform/site/words.tsx';
import { countWords } from '../reading/sentence.rule.ts';
import type { Citation } from './answer.ts';
import { isProvable, LONGEST_PROVEN, mostProven } from './proof.ts';

type ProofProps = { readonly edition: Edition; readonly citation: Citation };

/** A link to the proof of a quote; of an excerpt, to that from its first mark to the last one that still fits. */
export function ProofLink({ edition, citation }: ProofProps) {
  const { language, reading } = useWords();
  if (!isProvable(edition)) return null;
  const { path, quote, start: begin, end: last, marked = [] } = citation;
  const first = marked[0]?.[0] ?? begin;
  const upToEach = marked.map(([, end]) => [first, end] as const);
  const slices = marked.length > 0 ? [...upToEach.toReversed(), ...marked] : [[begin, last] as const];
  const isShort = ([start, end]: readonly [number, number]): boolean => {
    const words = quote.slice(start - begin, end - begin);
    return words.length <= LONGEST_PROVEN && countWords(words) <= mostProven(edition);
  };
  const slice = slices.find(isShort);
  if (slice === undefined) return null;
  const place = new URLSearchParams({ path, start: String(slice[0]), end: String(slice[1]) });
  return (
    <a
      class="button quiet proof"
      href={`/books/${edition.manifest.slug}/proof?${place}`}
      target="_blank"
      lang={language}
    >
      {reading.proof.link}
    </a>
  );
}
