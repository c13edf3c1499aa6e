import { createTextCleaner } from '../passages/prompt/clean-text.ts';
import { createCoverageFilter } from '../passages/prompt/not-covered.ts';
import { createRedactor } from '../passages/prompt/redact.ts';
import { createSanitizer } from '../passages/prompt/sanitize-model-output.ts';
import { createReasoningFilter } from '../passages/prompt/strip-reasoning.ts';
import type { AnswerParser, AnswerPiece } from './answer-parser.ts';
import type { AnswerEvent, Outcome } from './engine.ts';
import type { ModelEvent } from './stream-reader.ts';

/** The parts of a filter that differ from answer to answer. `secret` never reaches a reader. */
type FilterOptions = {
  readonly openParser: () => AnswerParser;
  readonly title: string;
  readonly secret: string | null;
};

const DECLINED = 'The model declined to answer this question.';

/**
 * Turns a model's events into text and citations that may be shown, and its stop reason into an outcome. `onReasoning` is
 * called if all text so far was reasoning.
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
      if (piece.type === 'text') return [{ type: 'text', text: redactor.push(sanitizer.push(piece.text)) }];
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
    if (!isCovered) return [...ending, ...textEvents(notCovered(title))];
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

/** Joins neighbouring texts, so that each is sent as one chunk. */
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

function textEvents(text: string): readonly AnswerEvent[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

function notCovered(title: string): string {
  return `“${title}” does not seem to cover this question. Asking in other words may help.`;
}
