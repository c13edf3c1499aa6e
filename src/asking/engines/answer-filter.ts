import { createReasoningFilter, createSanitizer, createTextCleaner } from '../model-output.rule.ts';
import type { Brief, Prompt, PromptSource } from '../prompt.rule.ts';
import { createCoverageFilter, createRedactor } from '../prompt.rule.ts';
import type { AnswerEvent } from './engine.ts';
import type { Outcome } from '../../words/outcome.ts';
import type { Location, ModelEvent } from './message-stream.ts';
import type { Post } from './model-request.ts';

type FilterOptions = {
  readonly openParser: () => AnswerParser;
  readonly title: string;
  readonly secret: string | null;
};

const DECLINED = 'The model declined to answer this question.';

/**
 * Makes the filter that turns a model's events into text and citations to show, and its stop reason into an outcome. Calls
 * `onReasoning` when all text so far turns out to be reasoning.
 */
export function createAnswerFilter({ openParser, title, secret }: FilterOptions, onReasoning: () => void) {
  const cleaner = createTextCleaner();
  const reasoning = createReasoningFilter();
  let coverage = createCoverageFilter();
  let parser = openParser();
  let sanitizer = createSanitizer();
  let redactor = createRedactor(secret);
  let isSilent = true;

  const restart = (): void => {
    onReasoning();
    coverage = createCoverageFilter();
    parser = openParser();
    sanitizer = createSanitizer();
    redactor = createRedactor(secret);
    isSilent = true;
  };

  const show = (pieces: readonly AnswerPiece[]): readonly AnswerEvent[] => {
    const events = pieces.flatMap((piece): AnswerEvent[] => {
      if (piece.type === 'text') {
        const text = piece.isQuoted ? sanitizer.quote(piece.text) : sanitizer.push(piece.text);
        return [{ type: 'text', text: redactor.push(text) }];
      }
      return [{ type: 'text', text: redactor.push(sanitizer.mark()) + redactor.end() }, piece];
    });
    const shown = joined(events);
    isSilent &&= shown.length === 0;
    return shown;
  };

  const read = ({ text, isBare }: { readonly text: string; readonly isBare: boolean }): string => {
    if (isBare) restart();
    return coverage.push(text);
  };

  const close = (reason: string): readonly AnswerEvent[] => {
    const last = read(reasoning.push(cleaner.end())) + read(reasoning.end()) + coverage.end();
    const isCovered = coverage.isCovered();
    const pieces = isCovered ? [...(last === '' ? [] : parser.text(last)), ...parser.end()] : [];
    const shown = show(pieces);
    const ending = [...shown, ...textEvents(redactor.push(sanitizer.flush()) + redactor.end())];
    if (!isCovered) return [...ending, { type: 'text', text: notCovered(title), isRepeated: true }];
    return reason === 'refusal'
      ? [...ending, ...textEvents(isSilent ? DECLINED : `\n\n${DECLINED}`)]
      : ending;
  };

  return {
    push(event: Exclude<ModelEvent, { type: 'usage' | 'pause' }>): readonly AnswerEvent[] {
      if (event.type === 'stop') return close(event.reason);
      if (event.type === 'location') parser.location(event.location);
      if (event.type === 'block-end') return show(parser.blockEnd());
      const text = event.type === 'text' ? read(reasoning.push(cleaner.push(event.text))) : '';
      return text === '' ? [] : show(parser.text(text));
    },
    outcome(reason: string): { readonly outcome: Outcome; readonly truncated: boolean } {
      const truncated = reason === 'max_tokens' || reason === 'model_context_window_exceeded';
      if (reason === 'refusal') return { outcome: 'declined', truncated };
      return { outcome: coverage.isCovered() ? 'answered' : 'not_covered', truncated };
    },
  };
}

function joined(events: readonly AnswerEvent[]): readonly AnswerEvent[] {
  const shown: AnswerEvent[] = [];
  for (const event of events) {
    const last = shown.at(-1);
    if (event.type !== 'text') shown.push(event);
    else if (last?.type === 'text') shown[shown.length - 1] = { type: 'text', text: last.text + event.text };
    else if (event.text !== '') shown.push(event);
  }
  return shown;
}

const textEvents = (text: string): readonly AnswerEvent[] => (text === '' ? [] : [{ type: 'text', text }]);

function notCovered(title: string): string {
  return `“${title}” does not seem to cover this question. Asking in other words may help.`;
}

export type AnswerPiece = Extract<AnswerEvent, { type: 'text' | 'cite' }>;

type AnswerParser = {
  readonly text: (text: string) => readonly AnswerPiece[];
  readonly location: (location: Location) => void;
  readonly blockEnd: () => readonly AnswerPiece[];
  readonly end: () => readonly AnswerPiece[];
};

export type OpenAnswerParser = (sources: readonly PromptSource[], isWholeBook: boolean) => AnswerParser;

export function citationOf(
  { path, heading, start, text }: PromptSource,
  from: number,
  to: number,
): AnswerPiece {
  return { type: 'cite', path, heading, start: start + from, end: start + to, quote: text.slice(from, to) };
}

export type Dialect = {
  readonly answerTokens: number;
  readonly passages: { readonly most: number; readonly tokens: number };
  readonly post: Post;
  readonly prompt: (brief: Brief) => Prompt;
  readonly body: (prompt: Prompt, tokens: number) => unknown;
  readonly openParser: OpenAnswerParser;
};
