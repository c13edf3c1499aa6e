import type { Log } from '../log.ts';
import type { ModelConfig } from '../model-config.ts';
import { Refusal } from '../refusal.ts';
import { createAnswerFilter } from './answer-filter.ts';
import type { Dialect } from './dialect.ts';
import type { AnswerEvent, Engine, Question, Tokens } from './engine.ts';
import { createHeldAnswer, type ReasoningHabit } from './held-answer.ts';
import { PromptTooLong } from './model-post.ts';
import { requestModel } from './model-request.ts';
import { createContextSelector, type ContextSelector, type PromptContext } from './prompt-context.ts';
import type { RequestSlots } from './request-slots.ts';
import { createTokenCount } from './token-count.ts';

/** `seed` returns fresh random text. */
type ModelDependencies = {
  readonly log: Log;
  readonly slots: RequestSlots;
  readonly seed: () => string;
};

/** Passages offered to a model: in 97 of 100 questions the right one is among the best twenty (shared research, "Retrieval"). */
const PASSAGES = 24;
/** If the server counted a smaller share of the prompt, it cut the prompt. */
const CUT_SHARE = 0.6;
/** No server cuts a prompt of fewer tokens, and estimates of it are rough. */
const SMALL_PROMPT = 1000;
/** An answer of more characters than its tokens can make is cut. */
const CHARACTERS_A_TOKEN = 12;
const LONGEST_ANSWER = 64_000;

type Dependencies = ModelDependencies & {
  readonly config: ModelConfig;
  readonly dialect: Dialect;
  readonly contexts: ContextSelector;
  readonly habit: ReasoningHabit;
};

/** An engine that asks a model, and shows its answer without links, markup and quotes that are not in the book. */
export function createModel(config: ModelConfig, dialect: Dialect, dependencies: ModelDependencies): Engine {
  const contexts = createContextSelector(config, dialect.answerTokens);
  const habit: ReasoningHabit = { kind: 'unknown' };
  return {
    name: config.engine,
    model: config.model,
    passages: PASSAGES,
    answer: (question) => answer({ ...dependencies, config, dialect, contexts, habit }, question),
  };
}

async function* answer(dependencies: Dependencies, question: Question): AsyncGenerator<AnswerEvent> {
  let context = await dependencies.contexts.choose(question);
  let before: Tokens = { inputTokens: 0, outputTokens: 0 };
  for (let attempt = 1; ; attempt++) {
    try {
      return yield* answerFrom(dependencies, question, context, before);
    } catch (error) {
      const isTooLong = error instanceof PromptTooLong;
      if (!isTooLong && !(error instanceof CutPrompt)) throw error;
      const isRetryable = attempt === 1 && (isTooLong || error.isRetryable);
      const half = isRetryable ? dependencies.contexts.half(question, context) : null;
      if (half === null) throw isTooLong ? error : cutPromptRefusal();
      if (!isTooLong) before = error.spent;
      context = half;
    }
  }
}

/** One message of the model; `before` are the tokens of an earlier attempt. */
async function* answerFrom(
  { dialect, config, log, slots, seed, habit }: Dependencies,
  question: Question,
  context: PromptContext,
  before: Tokens,
): AsyncGenerator<AnswerEvent> {
  const { query, book, signal } = question;
  const { timeouts, key: secret } = config;
  const longestAnswer = Math.max(LONGEST_ANSWER, dialect.answerTokens * CHARACTERS_A_TOKEN);
  const server = { post: dialect.post, format: dialect.format, timeouts, longestAnswer, slots, log };
  const count = createTokenCount(context.tokens, dialect.answerTokens);
  const held = createHeldAnswer(habit, dialect.mayShowReasoning);
  const openParser = () => dialect.openParser(context.sources, context.isWholeBook);
  const filter = createAnswerFilter({ openParser, title: book.title, secret }, () => {
    if (!held.drop()) throw reasoningRefusal(log);
  });
  let [hasAnswered, hasShown] = [false, false];
  const spend = ({ inputTokens, outputTokens }: Tokens): Tokens => {
    const spent = {
      inputTokens: before.inputTokens + inputTokens,
      outputTokens: before.outputTokens + outputTokens,
    };
    question.spend?.(spent);
    return spent;
  };
  const body = () => {
    const request = dialect.body({ ...context, title: book.title, query, seed: seed() });
    count.limit(Buffer.byteLength(JSON.stringify(request)));
    return request;
  };
  // The estimate counts until the server has counted: a reader who leaves early has cost as much.
  const estimate = spend(count.tokens());
  try {
    await question.reserve?.(estimate);
    for await (const event of requestModel(server, body, signal)) {
      hasAnswered = true;
      if (event.type === 'usage') {
        count.reported(event);
        const spent = spend(count.tokens());
        if (isCut(event.input, context)) throw new CutPrompt(!hasShown, spent, log);
        continue;
      }
      if (event.type === 'text') spend(count.heard(event.text));
      const shown = event.type === 'pause' ? held.pause() : held.push(filter.push(event));
      hasShown ||= shown.length > 0;
      yield* shown;
      if (event.type === 'stop') {
        yield* held.end();
        yield { type: 'end', ...filter.outcome(event.reason), ...spend(count.tokens()) };
      }
    }
  } catch (error) {
    // A server that refused has counted nothing; one that timed out may have.
    if (error instanceof Refusal && !hasAnswered && error.kind !== 'model-timeout')
      spend({ inputTokens: 0, outputTokens: 0 });
    if (error instanceof Refusal) yield* held.fail();
    throw error;
  }
}

function reasoningRefusal(log: Log): Refusal {
  log({
    event: 'model-reasoning',
    message:
      'The model wrote its reasoning into its text: turn it off, or let its server separate it (for llama.cpp, --reasoning-format)',
  });
  return new Refusal(
    'model-failed',
    'Cannot use the answer: the model mixed it with its reasoning; ask again',
  );
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
