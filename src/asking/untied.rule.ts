// Finds the statements of a model's answer that no quote of the book stands beside (OWASP AISVS 1.0, 7.4).
import { normalForm } from '../platform/base/text.ts';
import { type Range, sentencesOf, trim } from '../reading/sentence.rule.ts';

/** A marker in an answer, such as "[1]", and the words of the book that it stands for. */
export type Marker = Range & { readonly quote: string };

/**
 * A sentence, an item of a list, a row of a table or a block of code. `isTied` says that the book supports it; `text` is the
 * part that a page may mark.
 */
type Statement = Range & { readonly isTied: boolean; readonly text: Range };

// Fences as the page reads them: a closing one may have markers behind it.
const OPENING = /^ *(`{3,})[^`\n]*$/;
const CLOSING = /^ *(`{3,})[ \t]*(?:\[\d{1,4}\][ \t]*)*$/;
const ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])\s+(?=\S)/;
const ROW = /^\s*\|/;
const QUESTION = /[?？؟]["”’»)\]*_]*$/;
const STATES_SOMETHING = /[\p{L}\p{Nd}]/u;

/**
 * Splits an answer into its statements, and says which are tied to the book. A statement is tied if a marker stands in it or
 * directly behind it, and its quotes or the question hold each number that it gives in digits. Questions are tied, too.
 */
export function statementsOf(
  answer: string,
  markers: readonly Marker[],
  question: string,
): readonly Statement[] {
  const parts = partsOf(answer);
  const ends = wordEnds(answer, markers);
  const byStart = new Map(markers.map((marker) => [marker.start, marker]));
  const owned = Map.groupBy(markers, (marker) => ownerOf(parts, ends.get(marker) ?? marker.start));
  const asked = numbersIn(question);
  return parts.flatMap((part) => {
    const { start, end } = skipMarkers(answer, part, byStart);
    const words = withoutMarkers(answer, { start, end }, markers);
    if (!STATES_SOMETHING.test(words)) return [];
    const quotes = owned.get(part) ?? [];
    const known = new Set([...asked, ...quotes.flatMap(({ quote }) => numbersIn(quote))]);
    const isQuoted = quotes.length > 0 && numbersIn(words).every((number) => known.has(number));
    const isTied = isQuoted || isQuestion(words);
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

const isQuestion = (words: string): boolean =>
  sentencesOf(words).every(({ start, end }) => QUESTION.test(words.slice(start, end)));

type Part = Range & { readonly text: Range };

type Fence = { readonly mark: string; readonly start: number; readonly code: number };

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
    const row = line.replace(/\n$/, '');
    if (fence !== null) {
      if (CLOSING.exec(row)?.[1]?.startsWith(fence.mark) !== true) continue;
      add({ start: fence.start, end: start + line.trimEnd().length }, { start: fence.code, end: start });
      fence = null;
      continue;
    }
    const mark = OPENING.exec(row)?.[1];
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

/** Returns, for each marker, the end of the words before it, without the blanks and markers in between. */
function wordEnds(answer: string, markers: readonly Marker[]): ReadonlyMap<Marker, number> {
  const ends = new Map<Marker, number>();
  const byEnd = new Map<number, number>();
  for (const marker of markers.toSorted((a, b) => a.start - b.start)) {
    let at = marker.start;
    while (at > 0 && answer[at - 1]!.trim() === '') at--;
    const end = byEnd.get(at) ?? at;
    ends.set(marker, end);
    byEnd.set(marker.end, end);
  }
  return ends;
}

const ownerOf = (parts: readonly Part[], end: number): Part | undefined =>
  parts.findLast((part) => part.start < end);

/** Leaves out the markers at the beginning of a part, which belong to the words before it. */
function skipMarkers(answer: string, { start, end }: Range, byStart: ReadonlyMap<number, Marker>): Range {
  let at = start;
  for (let marker = byStart.get(at); marker !== undefined && at < end; marker = byStart.get(at)) {
    at = Math.min(marker.end, end);
    while (at < end && answer[at]!.trim() === '') at++;
  }
  return { start: at, end };
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

/** Returns the numbers of a text in one form: "1,000" and "1.000" as 1000, "3,5" as 3.5. */
const numbersIn = (text: string): readonly string[] =>
  Array.from(normalForm(text, 'NFKC').matchAll(NUMBER), ([number]) =>
    number.replace(/[.,'’\u00a0\u202f ](?=\p{Nd}{3}(?!\p{Nd}))/gu, '').replace(',', '.'),
  );
