import type { Edition } from '../catalog/catalog.ts';
import { useWords } from '../platform/site/words.tsx';
import { countWords } from '../reading/sentence.rule.ts';
import type { Citation } from './answer.ts';
import { isProvable, LONGEST_PROVEN, mostProven } from './proof.ts';

type ProofProps = { readonly edition: Edition; readonly citation: Citation };

/** Links to the proofs of a quote, or of an excerpt's marks, which share one if they fit; nothing without signed quotes. */
export function ProofLinks({ edition, citation }: ProofProps) {
  const { language, reading } = useWords();
  if (!isProvable(edition)) return null;
  const { path, quote, start: begin, end: last, marked = [] } = citation;
  const isShort = ([start, end]: Slice): boolean => {
    const words = quote.slice(start - begin, end - begin);
    return words.length <= LONGEST_PROVEN && countWords(words) <= mostProven(edition);
  };
  const slices: Slice[] = [];
  for (const [start, end] of marked.length > 0 ? marked : [[begin, last] as const]) {
    const joined = [slices.at(-1)?.[0] ?? start, end] as const;
    if (slices.length > 0 && isShort(joined)) slices[slices.length - 1] = joined;
    else if (isShort([start, end])) slices.push([start, end]);
  }
  return (
    <>
      {slices.map(([start, end], n) => (
        <a
          class="button quiet proof"
          href={`/books/${edition.manifest.slug}/proof?${new URLSearchParams({ path, start: String(start), end: String(end) })}`}
          target="_blank"
          lang={language}
        >
          {reading.proof.link}
          {slices.length > 1 && ` ${n + 1}`}
        </a>
      ))}
    </>
  );
}

type Slice = readonly [start: number, end: number];
