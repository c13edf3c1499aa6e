import type { ContentsEntry } from '../../../service/contents.ts';

/** Words a minute. */
const PACE = 230;

/** The place of a text among the others. `number` counts from 1; null for a text that is not a chapter. */
export type Progress = {
  readonly number: number | null;
  readonly count: number;
  readonly previous: ContentsEntry | null;
  readonly next: ContentsEntry | null;
  /** Minutes of this text, and from its start to the end of all. */
  readonly minutes: number;
  readonly minutesLeft: number;
};

/** The place of the text at `path`; `words` tells the words of one that is no chapter. */
export function progressOf(contents: readonly ContentsEntry[], path: string): Progress {
  const at = contents.findIndex((entry) => entry.path === path);
  const rest = at === -1 ? [] : contents.slice(at);
  return {
    number: at === -1 ? null : at + 1,
    count: contents.length,
    previous: at > 0 ? (contents[at - 1] ?? null) : null,
    next: at === -1 ? null : (contents[at + 1] ?? null),
    minutes: minutesOf(rest.slice(0, 1)),
    minutesLeft: minutesOf(rest),
  };
}

function minutesOf(entries: readonly ContentsEntry[]): number {
  return Math.ceil(entries.reduce((sum, { words }) => sum + words, 0) / PACE);
}

/** `8 min`, `1 h 20 min`. */
export function formatMinutes(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return hours === 0 ? `${rest} min` : rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}
