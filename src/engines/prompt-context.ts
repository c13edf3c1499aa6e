import type { ModelConfig } from '../model-config.ts';
import { Refusal } from '../refusal.ts';
import { bookSources, chooseSources, type Source } from '../passages/prompt/source.ts';
import { estimateTokens } from '../passages/text/token-estimate.ts';
import type { BookText, Question } from './engine.ts';

/** The part of a book in a model's prompt, and its estimated tokens together with the question. */
export type PromptContext = {
  readonly sources: readonly Source[];
  readonly isWholeBook: boolean;
  readonly isWeak: boolean;
  readonly tokens: number;
};

/** The share of the free window that is filled, since estimates err. */
const MARGIN = 0.75;
/** Tokens of the rules, the marks and the chat template. */
const OVERHEAD = 500;
/** Tokens of a source's number and marks. */
const PER_SOURCE = 8;
/** More tokens of passages cost more than they help. */
const MOST_PASSAGES = 8000;
/** Whole books kept in memory. */
const MOST_BOOKS = 4;
/** Below this coverage, the search found little (see the extractive engine's threshold). */
const WEAK = 0.15;
/** No tokenizer needs fewer tokens for as many bytes, so that a larger book is not read at all. */
const BYTES_A_TOKEN = 8;

type Prepared = { readonly sources: readonly Source[]; readonly tokens: number };

/** Chooses between the whole book and its best passages, by the context window and the operator's limit. */
export function createContextSelector({ contextTokens, wholeBookTokens }: ModelConfig, answerTokens: number) {
  const window = Math.max(200, contextTokens - answerTokens - OVERHEAD);
  const books = new Map<string, Promise<Prepared | null>>();

  const prepareOnce = (text: BookText): Promise<Prepared | null> => {
    const cached = books.get(text.key) ?? prepare(text);
    books.delete(text.key);
    books.set(text.key, cached);
    cached.catch(() => books.delete(text.key));
    for (const [oldest] of books) if (books.size > MOST_BOOKS) books.delete(oldest);
    return cached;
  };

  const prepare = async (text: BookText): Promise<Prepared | null> => {
    const sources = bookSources(await text.read());
    const tokens = costOf(sources);
    return tokens <= Math.min(wholeBookTokens, window * MARGIN) ? { sources, tokens } : null;
  };

  return {
    async choose({ text, passages, query, coverage }: Question): Promise<PromptContext> {
      const questionTokens = estimateTokens(query);
      if (questionTokens > window) throw tooLong();
      const isWeak = coverage < WEAK;
      const couldFit = text !== undefined && text.bytes <= Math.min(wholeBookTokens, window) * BYTES_A_TOKEN;
      const book = couldFit ? await prepareOnce(text) : null;
      if (book !== null && book.tokens + questionTokens <= window)
        return { ...book, isWholeBook: true, isWeak, tokens: book.tokens + questionTokens };
      return passagesOf(
        { text, passages, query },
        Math.min(MOST_PASSAGES, (window - questionTokens) * MARGIN),
        isWeak,
      );
    },
    /** Passages of half as many tokens; null if there are no fewer. */
    half(question: Question, { sources, isWeak, tokens }: PromptContext): PromptContext | null {
      const fewer = passagesOf(question, (tokens / 2) * MARGIN, isWeak);
      return fewer.sources.length < sources.length ? fewer : null;
    },
  };
}

export type ContextSelector = ReturnType<typeof createContextSelector>;

function tooLong(): Refusal {
  return new Refusal(
    'invalid-request',
    'Cannot ask the model: the question does not fit its context window; shorten the question',
  );
}

function passagesOf(
  { text, passages, query }: Pick<Question, 'text' | 'passages' | 'query'>,
  budget: number,
  isWeak: boolean,
): PromptContext {
  const sources = chooseSources(passages, text?.paths ?? [], budget, (one) => costOf([one]));
  return { sources, isWholeBook: false, isWeak, tokens: costOf(sources) + estimateTokens(query) };
}

function costOf(sources: readonly Source[]): number {
  return sources.reduce(
    (sum, { text, heading }) => sum + estimateTokens(text) + estimateTokens(heading) + PER_SOURCE,
    0,
  );
}
