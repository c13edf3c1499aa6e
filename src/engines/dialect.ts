import type { Brief } from '../passages/prompt/prompt.ts';
import type { OpenAnswerParser } from './answer-parser.ts';
import type { Post } from './model-post.ts';
import type { StreamFormat } from './stream-reader.ts';

/** The differences between model engines: how to send a question, how to read the answer, and how it marks its quotes. */
export type Dialect = {
  /** The most tokens an answer may have. */
  readonly answerTokens: number;
  readonly post: Post;
  readonly body: (brief: Brief) => unknown;
  readonly format: StreamFormat;
  readonly openParser: OpenAnswerParser;
  /** Whether the server may leave reasoning in the text. */
  readonly mayShowReasoning: boolean;
};
