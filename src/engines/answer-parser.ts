import type { Source } from '../passages/prompt/source.ts';
import type { AnswerEvent } from './engine.ts';
import type { Location } from './stream-reader.ts';

/** Text of an answer, or a citation of the text before it. */
export type AnswerPiece = Extract<AnswerEvent, { type: 'text' | 'cite' }>;

/** Turns a model's text and locations into text and citations of its sources. */
export type AnswerParser = {
  readonly text: (text: string) => readonly AnswerPiece[];
  readonly location: (location: Location) => void;
  readonly blockEnd: () => readonly AnswerPiece[];
  readonly end: () => readonly AnswerPiece[];
};

/** Opens a parser for one answer. */
export type OpenAnswerParser = (sources: readonly Source[], isWholeBook: boolean) => AnswerParser;

/** The citation of a slice of a source, by offsets into its text. */
export function citationOf({ path, heading, start, text }: Source, from: number, to: number): AnswerPiece {
  return { type: 'cite', path, heading, start: start + from, end: start + to, quote: text.slice(from, to) };
}
