// Finds the statements of a model's answer that no quote of the book stands beside (OWASP AISVS 1.0, 7.4).
import { normalForm } from '../platform/base/text.ts';
import { type Range, sentencesOf, trim } from '../reading/sentence.rule.ts';

/** A marker in an answer, such as "[1]", and the words of the book that it stands for. */
export type Marker = Range & { readonly quote: string };

/** A sentence, an item of a list, a row of a table or a block of code; `text` is the part of it that a page may mark. */
type Statement = Range & { readonly isTied: boolean; readonly text: Range };

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])\s+(?=\S)/;
const ROW = /^\s*\|/;
const QUESTION = /[?？؟]["”’»)\]*_]*$/;
const STATES_SOMETHING = /[\p{L}\p{Nd}]/u;

/**
 * Splits an answer into its statements, and tells which are tied to the book: a marker stands in the statement or directly
 * behind it, and each of its numbers in digits stands in these quotes or in the question. Questions count as tied.
 */
export function statementsOf(
  answer: string,
  markers: readonly Marker[],
  question: string,
): readonly Statement[] {
  const parts = partsOf(answer);
  const owned = Map.groupBy(markers, (marker) => ownerOf(parts, endBefore(answer, markers, marker)));
  const asked = numbersIn(question);
  return parts.flatMap((part) => {
    const { start, end } = skipMarkers(answer, part, markers);
    const words = withoutMarkers(answer, { start, end }, markers);
    if (!STATES_SOMETHING.test(words)) return [];
    const quotes = owned.get(part) ?? [];
    const known = new Set([...asked, ...quotes.flatMap(({ quote }) => numbersIn(quote))]);
    const isQuoted = quotes.length > 0 && numbersIn(words).every((number) => known.has(number));
    const isTied = isQuoted || QUESTION.test(words.trimEnd());
    return [
      {
        start,
        end: Math.max(end, ...quotes.map((one) => one.end)),
        isTied,
        text: { ...part.text, start: Math.max(start, part.text.start) },
      },
    ];
  });
}

type Part = Range & { readonly text: Range };

type Fence = { readonly mark: string; readonly start: number; readonly code: number };

/** Splits Markdown into the parts that are judged as one. */
function partsOf(answer: string): readonly Part[] {
  const parts: Part[] = [];
  let prose = null as Range | null;
  let item: number | null = null;
  let fence = null as Fence | null;
  const add = (range: Range, text = range): void => void parts.push({ ...range, text });
  const endProse = (): void => {
    if (prose === null) return;
    if (item === null) for (const sentence of sentencesOf(answer, prose.start, prose.end)) add(sentence);
    else add(trim(answer, item, prose.end));
    [prose, item] = [null, null];
  };
  for (const { 0: line, index: start } of answer.matchAll(/[^\n]+\n?|\n/g)) {
    const end = start + line.length;
    const mark = FENCE.exec(line)?.[1];
    if (fence !== null) {
      if (mark?.startsWith(fence.mark) !== true) continue;
      add({ start: fence.start, end: start + line.trimEnd().length }, { start: fence.code, end: start });
      fence = null;
      continue;
    }
    const opening = ITEM.exec(line)?.[0];
    if (mark !== undefined || opening !== undefined || ROW.test(line) || line.trim() === '') endProse();
    if (mark !== undefined) fence = { mark, start, code: end };
    else if (line.trim() === '') continue;
    else if (ROW.test(line)) add(trim(answer, start, end));
    else {
      item ??= opening === undefined ? null : start + opening.length;
      prose = { start: prose?.start ?? start, end };
    }
  }
  endProse();
  if (fence !== null)
    add(trim(answer, fence.start, answer.length), { start: fence.code, end: answer.length });
  return parts;
}

/** Returns where the words end that a marker follows: before the blanks and markers in between. */
function endBefore(answer: string, markers: readonly Marker[], { start }: Marker): number {
  let at = start;
  for (;;) {
    const end = answer.slice(0, at).trimEnd().length;
    const before = markers.find((one) => one.end === end);
    if (before === undefined) return end;
    at = before.start;
  }
}

const ownerOf = (parts: readonly Part[], end: number): Part | undefined =>
  parts.findLast((part) => part.start < end);

/** Leaves out the markers at the beginning of a part: they belong to the words before it. */
function skipMarkers(answer: string, { start, end }: Range, markers: readonly Marker[]): Range {
  const first = markers.find((marker) => marker.start === start);
  return first === undefined
    ? { start, end }
    : skipMarkers(answer, trim(answer, Math.min(first.end, end), end), markers);
}

function withoutMarkers(answer: string, { start, end }: Range, markers: readonly Marker[]): string {
  let [words, at] = ['', start];
  for (const marker of markers.filter((one) => one.start >= start && one.end <= end)) {
    words += answer.slice(at, marker.start);
    at = marker.end;
  }
  return words + answer.slice(at, end);
}

const NUMBER = /\p{Nd}+(?:[.,'’\u00a0\u202f]\p{Nd}{3})*(?:[.,]\p{Nd}{1,9})?/gu;

/** Returns the numbers of a text, written alike: "1,000" and "1.000" as 1000, "3,5" as 3.5. */
const numbersIn = (text: string): readonly string[] =>
  Array.from(normalForm(text, 'NFKC').matchAll(NUMBER), ([number]) =>
    number.replace(/[.,'’\u00a0\u202f ](?=\p{Nd}{3}(?!\p{Nd}))/gu, '').replace(',', '.'),
  );
