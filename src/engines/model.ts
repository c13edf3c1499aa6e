import type { Log } from '../log.ts';
import type { ModelConfig } from '../model-config.ts';
import { createSanitizer } from '../passages/prompt/sanitize-model-output.ts';
import type { Brief } from '../passages/prompt/prompt.ts';
import { createAnswerPrefix } from '../passages/prompt/answer-prefix.ts';
import { Refusal } from '../refusal.ts';
import { callModel, type Post } from './model-request.ts';
import type { AnswerEvent, Engine, Outcome, Question, Tokens } from './engine.ts';
import type { MessageEvent } from './message-stream.ts';
import { createContextSelector, type ContextSelector, type PromptContext } from './prompt-context.ts';
import type { OpenAnswerParser } from './answer-parser.ts';

/** What differs between the two engines: how to reach the server, what to send, how quotes are told. */
export type Dialect = {
  /** Tokens an answer may have. */
  readonly answerTokens: number;
  readonly post: Post;
  readonly body: (brief: Brief) => unknown;
  readonly parser: OpenAnswerParser;
};

/** `seed` gives fresh random text. */
export type ModelDependencies = { readonly log: Log; readonly seed: () => string };

/** Passages a model is offered: the gold one is among twenty in 97 of 100 questions (shared research, "Retrieval"). */
const PASSAGES = 24;
/** A prompt of which the server counted less than this part was cut. */
const SUSPICIOUS = 0.6;
/** A server that counted less than this part of what it said did not count that far. */
const UNCOUNTED = 0.25;
/** Of an answer, about so many make a token; until its server has counted, that counts. */
const LETTERS = 4;
/** Below this many tokens nobody cuts, and estimates say little. */
const SMALL = 1000;

const DECLINED = 'The model declined to answer this question.';

type Dependencies = ModelDependencies & {
  readonly config: ModelConfig;
  readonly dialect: Dialect;
  readonly contexts: ContextSelector;
};

/** An engine that asks a model over the Messages API and lets through what the contract allows of its answer. */
export function createModel(config: ModelConfig, dialect: Dialect, surroundings: ModelDependencies): Engine {
  const setting = {
    ...surroundings,
    config,
    dialect,
    contexts: createContextSelector(config, dialect.answerTokens),
  };
  return {
    name: config.engine,
    model: config.model,
    passages: PASSAGES,
    answer: (question) => answer(setting, question),
  };
}

async function* answer(setting: Dependencies, question: Question): AsyncGenerator<AnswerEvent> {
  let shown: PromptContext | null = await setting.contexts.choose(question);
  let before: Tokens = { inputTokens: 0, outputTokens: 0 };
  for (const isLast of [false, true]) {
    try {
      yield* answerFrom(setting, question, shown, before);
      return;
    } catch (error) {
      if (!(error instanceof CutPrompt)) throw error;
      before = error.spent;
      shown = error.isRetryable && !isLast ? setting.contexts.half(question, shown) : null;
      if (shown === null) throw refuseCut();
    }
  }
}

/** One message of the model; what was spent `before` it counts too. */
async function* answerFrom(
  setting: Dependencies,
  question: Question,
  shown: PromptContext,
  before: Tokens,
): AsyncGenerator<AnswerEvent> {
  const { dialect, config, log, seed } = setting;
  const { query, book, signal } = question;
  const body = dialect.body({ ...shown, title: book.title, query, seed: seed() });
  const speech = createSpeech(dialect.parser, shown, book.title);
  let [inputTokens, outputTokens, heardTokens] = [shown.tokens, 0, 0];
  let [hasAnswered, hasSpoken] = [false, false];
  const spend = (input: number, output: number): Tokens => {
    const spent = { inputTokens: before.inputTokens + input, outputTokens: before.outputTokens + output };
    question.spend?.(spent);
    return spent;
  };
  // Until the server has counted, the estimate counts: a reader who leaves early has cost it all the same.
  spend(inputTokens, outputTokens);
  try {
    for await (const event of callModel(
      { post: dialect.post, timeouts: config.timeouts, log },
      body,
      signal,
    )) {
      hasAnswered = true;
      if (event.type === 'usage') {
        inputTokens = event.input || inputTokens;
        outputTokens = event.output < heardTokens * UNCOUNTED ? Math.ceil(heardTokens) : event.output;
        const spent = spend(inputTokens, outputTokens);
        if (isCut(event.input, shown)) throw new CutPrompt(!hasSpoken, spent, log);
        continue;
      }
      if (event.type === 'text') {
        heardTokens += event.text.length / LETTERS;
        spend(inputTokens, Math.max(outputTokens, Math.ceil(heardTokens)));
      }
      const said = speech.hear(event);
      hasSpoken ||= said.length > 0;
      yield* said;
      if (event.type === 'stop')
        yield { type: 'end', ...speech.verdict(event.reason), ...spend(inputTokens, outputTokens) };
    }
  } catch (error) {
    // A server that refused has counted nothing; one that was given up may have.
    if (error instanceof Refusal && !hasAnswered && error.kind !== 'model-timeout') spend(0, 0);
    throw error;
  }
}

/** The model's events as text and citations that may be shown. */
function createSpeech(openVoice: OpenAnswerParser, shown: PromptContext, title: string) {
  const opening = createAnswerPrefix();
  const parser = openVoice(shown.sources, shown.isWholeBook);
  const sanitizer = createSanitizer();
  let isMute = true;

  const show = (said: ReturnType<typeof parser.text>): AnswerEvent[] => {
    const events = said.flatMap((one): AnswerEvent[] => {
      if (one.type === 'cite') return [{ type: 'text', text: sanitizer.mark() }, one];
      return [{ type: 'text', text: sanitizer.push(one.text) }];
    });
    const told = events.filter((event) => event.type !== 'text' || event.text !== '');
    isMute &&= told.length === 0;
    return told;
  };

  const close = (reason: string): AnswerEvent[] => {
    const rest = opening.end();
    const last = opening.isCovered() ? [...(rest === '' ? [] : parser.text(rest)), ...parser.end()] : [];
    const events = [...show(last), ...show([]), ...tail(sanitizer.flush())];
    if (!opening.isCovered()) return [...events, ...tail(notCovered(title))];
    return reason === 'refusal' && isMute ? [...events, ...tail(DECLINED)] : events;
  };

  return {
    hear(event: Exclude<MessageEvent, { type: 'usage' }>): AnswerEvent[] {
      if (event.type === 'stop') return close(event.reason);
      if (event.type === 'location') parser.location(event.location);
      if (event.type === 'block-end') return show(parser.blockEnd());
      const text = event.type === 'text' ? opening.push(event.text) : '';
      return text === '' ? [] : show(parser.text(text));
    },
    verdict(reason: string): { readonly outcome: Outcome; readonly truncated: boolean } {
      const truncated = reason === 'max_tokens' || reason === 'model_context_window_exceeded';
      if (reason === 'refusal') return { outcome: 'declined', truncated };
      return { outcome: opening.isCovered() ? 'answered' : 'not_covered', truncated };
    },
  };
}

function tail(text: string): AnswerEvent[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

function notCovered(title: string): string {
  return `“${title}” does not seem to cover this question. Asking in other words may help.`;
}

/** A server that keeps only the end of a long prompt says nothing of it, but counts what it kept. */
function isCut(counted: number, { tokens }: PromptContext): boolean {
  return counted > 0 && tokens > SMALL && counted < tokens * SUSPICIOUS;
}

class CutPrompt extends Error {
  constructor(
    readonly isRetryable: boolean,
    readonly spent: Tokens,
    log: Log,
  ) {
    super('The model server cut the prompt');
    log({
      event: 'model-cut-prompt',
      message:
        'The model server cut the prompt without a word: raise its context size, or lower BOOKSTALL_CONTEXT_TOKENS to it',
    });
  }
}

function refuseCut(): Refusal {
  return new Refusal(
    'model-failed',
    'Cannot trust the answer: the model server cut what it was given; tell whoever runs this stall',
  );
}
