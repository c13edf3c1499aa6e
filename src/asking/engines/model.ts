import type { Log } from '../../platform/base/log.ts';
import type { ModelConfig } from '../../platform/config/model.ts';
import { createMadeOnce } from '../../platform/base/cache.ts';
import { createReasoningFilter } from '../model-output.rule.ts';
import { Refusal } from '../../platform/base/refusal.ts';
import { ToldRefusal } from '../../platform/base/told.ts';
import { createAnswerFilter, type Dialect } from './answer-filter.ts';
import type { AnswerEvent, BookText, Engine, Question, TokenCount } from './engine.ts';
import { type AskedModel, lookUp, MARGIN } from './look-up.ts';
import { createTokenCount } from './token-count.ts';
import { type ModelServer, PromptTooLong, requestModel } from './model-request.ts';
import { bookSources, chooseSources, type Prompt, type PromptSource } from '../prompt.rule.ts';
import { estimateTokens } from '../split.rule.ts';

/** The server cut the prompt if it counted less than this share of the prompt's estimated tokens. */
const CUT_SHARE = 0.6;
/** A prompt with fewer tokens never counts as cut: no server cuts one so short, and the estimate is inexact. */
const SMALL_PROMPT = 1000;
/**
 * The maximum number of characters in a token: an answer is cut off if it has more than its allowed tokens can have, and more
 * than LONGEST_ANSWER.
 */
const CHARACTERS_A_TOKEN = 12;
export const LONGEST_ANSWER = 64_000;

type Dependencies = AskedModel & {
  readonly contexts: ContextSelector;
  readonly habit: ReasoningHabit;
  readonly probe: CutProbe;
};

/** Makes an engine that asks a model, and removes from its answer links, markup and quotes that are not in the book. */
export function createModel(model: AskedModel): Engine {
  const { config, dialect } = model;
  const contexts = createContextSelector(config, dialect);
  const habit: ReasoningHabit = { kind: 'unknown' };
  const probe = createCutProbe(dialect, contexts.largest, model.now);
  return {
    name: config.engine,
    model: config.model,
    passages: dialect.passages.most,
    answer: (question) => answerFromBook({ ...model, contexts, habit, probe }, question),
  };
}

async function* answerFromBook(dependencies: Dependencies, asked: Question): AsyncGenerator<AnswerEvent> {
  const { contexts } = dependencies;
  const whole = await contexts.wholeBook(asked);
  const { found, spent } = await lookUp(dependencies, asked, whole !== null);
  const question = found === null ? asked : { ...asked, ...found };
  // Prefers passages that a look-up found to the whole book: from the book alone, the model cannot tell to which earlier
  // question a follow-up refers.
  let context = whole === null || found !== null ? contexts.passages(question) : whole;
  let before = spent;
  for (let attempt = 1; ; attempt++) {
    try {
      return yield* answerFromPrompt(dependencies, question, context, before);
    } catch (error) {
      const isTooLong = error instanceof PromptTooLong;
      if (!isTooLong && !(error instanceof CutPrompt)) throw error;
      const isRetryable = attempt === 1 && (isTooLong || error.isRetryable);
      const half = isRetryable ? contexts.half(question, context) : null;
      if (half === null) throw isTooLong ? error : cutPromptRefusal();
      if (!isTooLong) before = error.spent;
      context = half;
    }
  }
}

/** Asks the model once and yields its answer; `before` has the tokens of earlier requests for the same question. */
async function* answerFromPrompt(
  { dialect, config, log, slots, seed, habit, probe }: Dependencies,
  question: Question,
  context: PromptContext,
  before: TokenCount,
): AsyncGenerator<AnswerEvent> {
  const { query, book, signal } = question;
  const { timeouts, protocol, key: secret } = config;
  const longestAnswer = Math.max(LONGEST_ANSWER, dialect.answerTokens * CHARACTERS_A_TOKEN);
  const server = { post: dialect.post, protocol, timeouts, longestAnswer, slots, log };
  const count = createTokenCount(context.tokens, dialect.answerTokens);
  const held = createHeldAnswer(habit);
  const openParser = () => dialect.openParser(context.sources, context.isWholeBook);
  const filter = createAnswerFilter({ openParser, title: book.title, secret }, () => {
    if (!held.drop()) throw reasoningRefusal(log);
  });
  let [hasAnswered, hasShown, isCounted] = [false, false, protocol !== 'chat'];
  const spend = ({ inputTokens, outputTokens }: TokenCount): TokenCount => {
    const spent = {
      inputTokens: before.inputTokens + inputTokens,
      outputTokens: before.outputTokens + outputTokens,
    };
    question.spend?.(spent);
    return spent;
  };
  const body = () => {
    const prompt = dialect.prompt({ ...context, title: book.title, query, seed: seed() });
    const request = dialect.body(prompt, dialect.answerTokens);
    count.limit(Buffer.byteLength(JSON.stringify(request)));
    return request;
  };
  const reserveProbe = async (tokens: number): Promise<void> => {
    before = { ...before, inputTokens: before.inputTokens + tokens };
    await question.reserve?.(spend(count.tokens()));
  };
  if (probe.isCut(context)) throw new CutPrompt(false, before, log);
  // Charges the estimate until the server has counted: a reader who leaves early causes the same cost.
  const estimate = spend(count.tokens());
  try {
    await question.reserve?.(estimate);
    for await (const event of requestModel(server, body, signal)) {
      hasAnswered = true;
      if (event.type === 'usage') {
        count.reported(event);
        const spent = spend(count.tokens());
        isCounted ||= event.input > 0;
        if (isCut(event.input, context)) throw new CutPrompt(!hasShown, spent, log);
        continue;
      }
      if (event.type === 'text') spend(count.heard(event.text));
      const shown = event.type === 'pause' ? held.pause() : held.push(filter.push(event));
      hasShown ||= shown.length > 0;
      yield* shown;
      if (event.type === 'stop') {
        if (!isCounted) await probe.ask(server, reserveProbe);
        if (probe.isCut(context)) throw new CutPrompt(false, spend(count.tokens()), log);
        yield* held.end();
        yield { type: 'end', ...filter.outcome(event.reason), ...spend(count.tokens()) };
      }
    }
  } catch (error) {
    // A server that refused the request has used no tokens; one that timed out may have.
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
  return new ToldRefusal('model-failed', ({ reading: { model } }) => model.reasoning);
}

/** Reports whether the server cut the prompt: one that keeps only a prompt's end reports no error, but counts less. */
const isCut = (counted: number, { tokens }: PromptContext): boolean =>
  counted > 0 && tokens > SMALL_PROMPT && counted < tokens * CUT_SHARE;

/** How long a test counts that did not prove prompts whole, in milliseconds: one garbled reply says little. */
const TEST_AGAIN_AFTER = 10 * 60_000;

/**
 * Makes a test of whether a server that counts no tokens cuts prompts of this length: the model must repeat three numbers, from
 * a prompt's beginning, middle and end. The test is not repeated once all were right.
 */
function createCutProbe({ body, answerTokens }: Dialect, tokens: number, now: () => number) {
  let prompts: 'whole' | 'cut' | 'unknown' = 'unknown';
  let asked: Promise<void> | null = null;
  let endedAt = Infinity;
  const isOld = (): boolean => prompts !== 'whole' && now() - endedAt > TEST_AGAIN_AFTER;
  const ask = async (server: ModelServer, reserve: (tokens: number) => Promise<void>): Promise<void> => {
    const numbers = Array.from(crypto.getRandomValues(new Uint16Array(3)), (one) => String(10_000 + one));
    const request = () => body(numbersPrompt(numbers, tokens), answerTokens);
    const reasoning = createReasoningFilter();
    let said = '';
    [prompts, endedAt] = ['unknown', Infinity];
    try {
      await reserve(tokens);
      // Continues even if the reader leaves, since other questions wait for the result too.
      for await (const event of requestModel(server, request, new AbortController().signal))
        if (event.type === 'text') said += reasoning.push(event.text).text;
      said += reasoning.end().text;
      const digits = said.replaceAll(/\D/g, '');
      // An empty reply proves nothing: the model may have used up its tokens by thinking.
      if (said.trim() !== '') prompts = numbers.every((one) => digits.includes(one)) ? 'whole' : 'cut';
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // A server that refuses a prompt as too long does not cut it.
      if (error instanceof PromptTooLong) prompts = 'whole';
    }
    const message = 'The model server counts no tokens, so that they are estimated';
    server.log({ event: 'model-no-usage', message, prompts });
  };
  return {
    ask(server: ModelServer, reserve: (tokens: number) => Promise<void>): Promise<void> {
      if (isOld()) asked = null;
      return (asked ??= ask(server, reserve).finally(() => {
        endedAt = now();
      }));
    },
    isCut: (context: PromptContext): boolean =>
      prompts === 'cut' && context.tokens > SMALL_PROMPT && !isOld(),
  };
}

type CutProbe = ReturnType<typeof createCutProbe>;

const FILLER = 'The reeds grow along the bank and the wind goes through them in the evening of a day.\n';

function numbersPrompt([first, middle, last]: readonly string[], tokens: number): Prompt {
  const half = FILLER.repeat(tokens / estimateTokens(FILLER) / 2);
  const text = `The first number is ${first}.\n${half}The middle number is ${middle}.\n${half}The last number is ${last}. Which are the first, the middle and the last number of this text?`;
  const system = 'A text holds three numbers. Reply with the three numbers and nothing else.';
  return { system, content: [{ type: 'text', text }] };
}

class CutPrompt extends Error {
  constructor(
    readonly isRetryable: boolean,
    readonly spent: TokenCount,
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
  return new ToldRefusal('model-failed', ({ reading: { model } }) => model.promptCut);
}

const LONGEST_HELD = 100_000;
/** The number of pauses in a row after which the beginning of a model's first answer is shown. */
const MOST_PAUSES = 5;

/**
 * How a model answers, learned from its earlier answers: 'bare' if its chat template opens the reasoning, so that only a
 * closing tag separates it from the answer; otherwise 'plain'.
 */
type ReasoningHabit = { kind: 'unknown' | 'plain' | 'bare' };

/**
 * Holds back an answer's beginning until it cannot be reasoning:
 * - of a 'plain' model until the first citation or a pause,
 * - of an 'unknown' model until the answer ends or pauses for long,
 * - of a 'bare' model until the closing tag or the end.
 */
function createHeldAnswer(habit: ReasoningHabit) {
  let held: AnswerEvent[] = [];
  let size = 0;
  let pauses = 0;
  let isHolding = true;
  let kind = habit.kind;

  const release = (): readonly AnswerEvent[] => {
    const events = held;
    held = [];
    isHolding = false;
    return events;
  };

  return {
    push(events: readonly AnswerEvent[]): readonly AnswerEvent[] {
      if (!isHolding) return events;
      pauses = 0;
      held.push(...events);
      for (const event of events) size += event.type === 'text' ? event.text.length : 0;
      const isProven = kind === 'plain' && events.some(({ type }) => type === 'cite');
      return isProven || size > LONGEST_HELD ? release() : [];
    },
    /**
     * Call it when the model has sent nothing for a moment. Returns the text held back if it may be shown now, otherwise an
     * empty array.
     */
    pause(): readonly AnswerEvent[] {
      pauses++;
      return kind === 'plain' || (kind === 'unknown' && pauses >= MOST_PAUSES) ? release() : [];
    },
    /** Drops the text held back, which was all reasoning; false if some text was shown already. */
    drop(): boolean {
      habit.kind = 'bare';
      kind = 'plain';
      held = [];
      return isHolding;
    },
    end(): readonly AnswerEvent[] {
      if (habit.kind === 'unknown') habit.kind = 'plain';
      return release();
    },
    /** Returns the text held back of an answer that failed; none if the model is known to begin with reasoning. */
    fail: (): readonly AnswerEvent[] => (kind === 'bare' ? [] : release()),
  };
}

/** The part of a book in a prompt; `tokens` estimates it together with the question. */
type PromptContext = {
  readonly sources: readonly PromptSource[];
  readonly isWholeBook: boolean;
  readonly isWeak: boolean;
  readonly tokens: number;
};

const OVERHEAD = 500;
const PER_SOURCE = 8;
const MOST_BOOKS = 4;
/** The maximum number of bytes in a token of any tokenizer: a book with more bytes than fit into the context is not read. */
const BYTES_A_TOKEN = 8;

const isWeak = ({ coverage, neededCoverage }: Question): boolean => coverage < neededCoverage;

type Prepared = { readonly sources: readonly PromptSource[]; readonly tokens: number };

/** Makes the choice between the whole book and its best passages, by the context window and the operator's limit. */
function createContextSelector(
  { contextTokens, wholeBookTokens }: ModelConfig,
  { answerTokens, passages: { tokens } }: Dialect,
) {
  const window = Math.max(200, contextTokens - answerTokens - OVERHEAD);
  const books = createMadeOnce<Prepared | null>(MOST_BOOKS);

  const prepare = async (text: BookText): Promise<Prepared | null> => {
    const sources = bookSources(await text.read());
    const tokens = costOf(sources);
    return tokens <= Math.min(wholeBookTokens, window * MARGIN) ? { sources, tokens } : null;
  };

  return {
    /** The maximum number of tokens of a book, or of its passages, in a prompt. */
    largest: Math.min(Math.max(tokens, wholeBookTokens), window * MARGIN),
    /** Returns the whole book, or null if it does not fit. Refuses a question that is too long even without the book. */
    async wholeBook(question: Question): Promise<PromptContext | null> {
      const { text, query } = question;
      const questionTokens = estimateTokens(query);
      if (questionTokens > window) throw tooLong();
      const couldFit = text !== undefined && text.bytes <= Math.min(wholeBookTokens, window) * BYTES_A_TOKEN;
      const book = couldFit ? await books(text.key, () => prepare(text)) : null;
      if (book === null || book.tokens + questionTokens > window) return null;
      return { ...book, isWholeBook: true, isWeak: isWeak(question), tokens: book.tokens + questionTokens };
    },
    passages(question: Question): PromptContext {
      const left = (window - estimateTokens(question.query)) * MARGIN;
      return passagesOf(question, Math.min(tokens, left), isWeak(question));
    },
    /** Returns passages with half as many tokens; null if no passage would be left out. */
    half(question: Question, { sources, isWeak, tokens }: PromptContext): PromptContext | null {
      const fewer = passagesOf(question, (tokens / 2) * MARGIN, isWeak);
      return fewer.sources.length < sources.length ? fewer : null;
    },
  };
}

type ContextSelector = ReturnType<typeof createContextSelector>;

const tooLong = (): Refusal =>
  new ToldRefusal('invalid-request', ({ reading: { model } }) => model.questionTooLong);

function passagesOf(
  { text, passages, query }: Pick<Question, 'text' | 'passages' | 'query'>,
  budget: number,
  isWeak: boolean,
): PromptContext {
  const sources = chooseSources(passages, text?.paths ?? [], budget, (one) => costOf([one]));
  return { sources, isWholeBook: false, isWeak, tokens: costOf(sources) + estimateTokens(query) };
}

const costOf = (sources: readonly PromptSource[]): number =>
  sources.reduce(
    (sum, { text, heading }) => sum + estimateTokens(text) + estimateTokens(heading) + PER_SOURCE,
    0,
  );
