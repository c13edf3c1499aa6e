import { type Marker, statementsOf } from './untied.rule.ts';

/** The characters around the words of an answer that no quote stands beside. The answer's own text has none of them. */
export const UNTIED = { open: '\ue000', close: '\ue001' } as const;

/** How many characters must follow a statement until its end is certain: after "1." a month may follow and continue it. */
const CERTAIN = 24;
/**
 * The maximum length of a statement that is held back, in UTF-16 units. A longer one is shown in parts, each judged by itself.
 */
const LONGEST_HELD = 4000;

/**
 * Creates a gate that holds back each statement of a streamed answer until it ends, and then lets it through, with `UNTIED`
 * around it if no quote stands beside it. `show` writes the marker with a number.
 */
export function createStatementGate(question: string, show: (n: number) => string) {
  let held = '';
  let markers: (Marker & { readonly n: number })[] = [];
  let judgedAt = 0;

  const release = (isEnd: boolean): string => {
    const statements = statementsOf(held, markers, question);
    const settled = statements.filter(({ end }) => isEnd || restAfter(end) >= CERTAIN);
    const end = isEnd ? held.length : (settled.at(-1)?.end ?? 0);
    const signs = settled
      .filter(({ isTied }) => !isTied)
      .flatMap(({ text }) => [
        { at: text.start, skip: 0, sign: UNTIED.open },
        { at: text.end, skip: 0, sign: UNTIED.close },
      ]);
    const shown = markers
      .filter((marker) => marker.end <= end)
      .map(({ n, start, end: last }) => ({ at: start, skip: last - start, sign: show(n) }));
    let [text, at] = ['', 0];
    for (const { at: place, skip, sign } of [...signs, ...shown].toSorted((a, b) => a.at - b.at)) {
      text += held.slice(at, place) + sign;
      at = place + skip;
    }
    text += held.slice(at, end);
    held = held.slice(end);
    markers = markers
      .filter((marker) => marker.end > end)
      .map((marker) => ({ ...marker, start: marker.start - end, end: marker.end - end }));
    return text;
  };

  const restAfter = (end: number): number => held.slice(end).trim().length;

  return {
    push(text: string, citation?: { readonly n: number; readonly quote: string }): string {
      const start = held.length + text.length - text.trimStart().length;
      held += text;
      if (citation !== undefined) markers.push({ ...citation, start, end: held.length });
      // Judges after some words, not after each character of a slow or hostile model.
      if (held.length - judgedAt < CERTAIN) return '';
      const shown = release(held.length > LONGEST_HELD);
      judgedAt = held.length;
      return shown;
    },
    end: (): string => release(true),
  };
}
