import type { Source } from '../passages/prompt/source.ts';
import type { AnswerEvent } from './engine.ts';
import type { Location } from './stream-reader.ts';
import type { Brief } from '../passages/prompt/prompt.ts';
import type { Post } from './model-request.ts';

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

/** The differences between model engines: how to send a question, how to read the answer, and how it marks its quotes. */
export type Dialect = {
  /** The most tokens an answer may have. */
  readonly answerTokens: number;
  readonly post: Post;
  readonly body: (brief: Brief) => unknown;
  readonly openParser: OpenAnswerParser;
  /** Whether the server may leave reasoning in the text. */
  readonly mayShowReasoning: boolean;
};
