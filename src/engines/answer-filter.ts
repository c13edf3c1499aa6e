import { createAnswerPrefix } from '../passages/prompt/answer-prefix.ts';
import { createSanitizer } from '../passages/prompt/sanitize-model-output.ts';
import type { AnswerPiece, OpenAnswerParser } from './answer-parser.ts';
import type { AnswerEvent, Outcome } from './engine.ts';
import type { PromptContext } from './prompt-context.ts';
import type { ModelEvent } from './stream-reader.ts';

const DECLINED = 'The model declined to answer this question.';

/** Turns a model's events into text and citations that may be shown, and its stop reason into an outcome. */
export function createAnswerFilter(openParser: OpenAnswerParser, context: PromptContext, title: string) {
  const prefix = createAnswerPrefix();
  const parser = openParser(context.sources, context.isWholeBook);
  const sanitizer = createSanitizer();
  let isSilent = true;

  const show = (pieces: readonly AnswerPiece[]): readonly AnswerEvent[] => {
    const events = pieces.flatMap((piece): AnswerEvent[] => {
      if (piece.type === 'cite') return [{ type: 'text', text: sanitizer.mark() }, piece];
      return [{ type: 'text', text: sanitizer.push(piece.text) }];
    });
    const shown = events.filter((event) => event.type !== 'text' || event.text !== '');
    isSilent &&= shown.length === 0;
    return shown;
  };

  const close = (reason: string): readonly AnswerEvent[] => {
    const rest = prefix.end();
    const last = prefix.isCovered() ? [...(rest === '' ? [] : parser.text(rest)), ...parser.end()] : [];
    const events = [...show(last), ...textEvents(sanitizer.flush())];
    if (!prefix.isCovered()) return [...events, ...textEvents(notCovered(title))];
    return reason === 'refusal' && isSilent ? [...events, ...textEvents(DECLINED)] : events;
  };

  return {
    push(event: Exclude<ModelEvent, { type: 'usage' }>): readonly AnswerEvent[] {
      if (event.type === 'stop') return close(event.reason);
      if (event.type === 'location') parser.location(event.location);
      if (event.type === 'block-end') return show(parser.blockEnd());
      const text = event.type === 'text' ? prefix.push(event.text) : '';
      return text === '' ? [] : show(parser.text(text));
    },
    outcome(reason: string): { readonly outcome: Outcome; readonly truncated: boolean } {
      const truncated = reason === 'max_tokens' || reason === 'model_context_window_exceeded';
      if (reason === 'refusal') return { outcome: 'declined', truncated };
      return { outcome: prefix.isCovered() ? 'answered' : 'not_covered', truncated };
    },
  };
}

function textEvents(text: string): readonly AnswerEvent[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

function notCovered(title: string): string {
  return `“${title}” does not seem to cover this question. Asking in other words may help.`;
}
