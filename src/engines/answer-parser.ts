import type { Source } from '../passages/prompt/source.ts';
import type { AnswerEvent } from './engine.ts';
import type { Location } from './message-stream.ts';

type Said = Extract<AnswerEvent, { type: 'text' | 'cite' }>;

/** How a dialect's model says what it quotes: turns its text and pointers into text and citations of `sources`. */
export type AnswerParser = {
  readonly text: (text: string) => readonly Said[];
  readonly location: (location: Location) => void;
  readonly blockEnd: () => readonly Said[];
  readonly end: () => readonly Said[];
};

/** Begins to listen to one answer. */
export type OpenAnswerParser = (sources: readonly Source[], isWholeBook: boolean) => AnswerParser;

/** The citation of a stretch of a source, by offsets into its text. */
export function citationOf({ path, heading, start, text }: Source, from: number, to: number): Said {
  return { type: 'cite', path, heading, start: start + from, end: start + to, quote: text.slice(from, to) };
}
