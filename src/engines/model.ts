import type { Log } from '../log.ts';
import type { ModelConfig } from '../model-config.ts';
import { Refusal } from '../refusal.ts';
import { createAnswerFilter } from './answer-filter.ts';
import type { Dialect } from './dialect.ts';
import type { AnswerEvent, Engine, Question, Tokens } from './engine.ts';
import { requestModel } from './model-request.ts';
import { createContextSelector, type ContextSelector, type PromptContext } from './prompt-context.ts';

/** `seed` returns fresh random text. */
export type ModelDependencies = { readonly log: Log; readonly seed: () => string };

/** Passages offered to a model: in 97 of 100 questions the right one is among the best twenty (shared research, "Retrieval"). */
const PASSAGES = 24;
/** If the server counted a smaller share of the prompt, it cut the prompt. */
const CUT_SHARE = 0.6;
/** If the server counted a smaller share of the answer, it stopped counting early. */
const COUNTED_SHARE = 0.25;
/** Characters a token, until the server has counted. */
const CHARACTERS_A_TOKEN = 4;
/** No server cuts a prompt of fewer tokens, and estimates of it are rough. */
const SMALL_PROMPT = 1000;

type Dependencies = ModelDependencies & {
  readonly config: ModelConfig;
  readonly dialect: Dialect;
  readonly contexts: ContextSelector;
};

/** An engine that asks a model and shows of its answer only what the contract allows. */
export function createModel(config: ModelConfig, dialect: Dialect, dependencies: ModelDependencies): Engine {
  const contexts = createContextSelector(config, dialect.answerTokens);
  return {
    name: config.engine,
    model: config.model,
    passages: PASSAGES,
    answer: (question) => answer({ ...dependencies, config, dialect, contexts }, question),
  };
}

async function* answer(dependencies: Dependencies, question: Question): AsyncGenerator<AnswerEvent> {
  let context: PromptContext | null = await dependencies.contexts.choose(question);
  let before: Tokens = { inputTokens: 0, outputTokens: 0 };
  for (const isLast of [false, true]) {
    try {
      yield* answerFrom(dependencies, question, context, before);
      return;
    } catch (error) {
      if (!(error instanceof CutPrompt)) throw error;
      before = error.spent;
      context = error.isRetryable && !isLast ? dependencies.contexts.half(question, context) : null;
      if (context === null) throw cutPromptRefusal();
    }
  }
}

/** One message of the model; `before` are the tokens of an earlier attempt. */
async function* answerFrom(
  { dialect, config, log, seed }: Dependencies,
  question: Question,
  context: PromptContext,
  before: Tokens,
): AsyncGenerator<AnswerEvent> {
  const { query, book, signal } = question;
  const body = dialect.body({ ...context, title: book.title, query, seed: seed() });
  const server = { post: dialect.post, format: dialect.format, timeouts: config.timeouts, log };
  const filter = createAnswerFilter(dialect.openParser, context, book.title);
  let [inputTokens, outputTokens, estimatedOutput] = [context.tokens, 0, 0];
  let [hasAnswered, hasShown] = [false, false];
  const spend = (input: number, output: number): Tokens => {
    const spent = { inputTokens: before.inputTokens + input, outputTokens: before.outputTokens + output };
    question.spend?.(spent);
    return spent;
  };
  // The estimate counts until the server has counted: a reader who leaves early has cost as much.
  spend(inputTokens, outputTokens);
  try {
    for await (const event of requestModel(server, body, signal)) {
      hasAnswered = true;
      if (event.type === 'usage') {
        inputTokens = event.input || inputTokens;
        outputTokens =
          event.output < estimatedOutput * COUNTED_SHARE ? Math.ceil(estimatedOutput) : event.output;
        const spent = spend(inputTokens, outputTokens);
        if (isCut(event.input, context)) throw new CutPrompt(!hasShown, spent, log);
        continue;
      }
      if (event.type === 'text') {
        estimatedOutput += event.text.length / CHARACTERS_A_TOKEN;
        spend(inputTokens, Math.max(outputTokens, Math.ceil(estimatedOutput)));
      }
      const shown = filter.push(event);
      hasShown ||= shown.length > 0;
      yield* shown;
      if (event.type === 'stop')
        yield { type: 'end', ...filter.outcome(event.reason), ...spend(inputTokens, outputTokens) };
    }
  } catch (error) {
    // A server that refused has counted nothing; one that timed out may have.
    if (error instanceof Refusal && !hasAnswered && error.kind !== 'model-timeout') spend(0, 0);
    throw error;
  }
}

/** A server that keeps only the end of a long prompt reports no error, but its count is lower. */
function isCut(counted: number, { tokens }: PromptContext): boolean {
  return counted > 0 && tokens > SMALL_PROMPT && counted < tokens * CUT_SHARE;
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
        'The model server cut the prompt and reported no error: raise its context size, or lower BOOKSTALL_CONTEXT_TOKENS to it',
    });
  }
}

function cutPromptRefusal(): Refusal {
  return new Refusal(
    'model-failed',
    'Cannot trust the answer: the model server cut its prompt; tell the owner of this stall',
  );
}
