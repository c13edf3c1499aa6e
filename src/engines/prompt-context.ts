import type { ModelConfig } from '../model-config.ts';
import { bookSources, chooseSources, type Source } from '../passages/prompt/source.ts';
import { estimateTokens } from '../passages/text/token-estimate.ts';
import type { BookText, Question } from './engine.ts';

/** What a model is shown of a book, and about how many tokens that is with the question. */
export type PromptContext = {
  readonly sources: readonly Source[];
  readonly isWholeBook: boolean;
  readonly isWeak: boolean;
  readonly tokens: number;
};

/** Estimates err: of what is left, this part is filled. */
const MARGIN = 0.75;
/** Rules, marks and the template of a chat. */
const OVERHEAD = 500;
/** Numbers and marks of one source. */
const PER_SOURCE = 8;
/** More than this of passages costs more than it tells. */
const MOST_PASSAGES = 8000;
/** Whole books kept ready. */
const MOST_BOOKS = 4;
/** Below it, the search found little (see the extractive engine's threshold). */
const WEAK = 0.15;
/** No tokenizer makes fewer tokens of bytes: a larger book is not even read. */
const BYTES_A_TOKEN = 8;

type Prepared = { readonly sources: readonly Source[]; readonly tokens: number };

/** Decides between the whole book and its best passages, by the window and the operator's limit. */
export function createContextSelector({ contextTokens, wholeBookTokens }: ModelConfig, answerTokens: number) {
  const window = Math.max(200, contextTokens - answerTokens - OVERHEAD);
  const books = new Map<string, Promise<Prepared | null>>();

  const open = (text: BookText): Promise<Prepared | null> => {
    const known = books.get(text.key) ?? prepare(text);
    books.delete(text.key);
    books.set(text.key, known);
    known.catch(() => books.delete(text.key));
    for (const [oldest] of books) if (books.size > MOST_BOOKS) books.delete(oldest);
    return known;
  };

  const prepare = async (text: BookText): Promise<Prepared | null> => {
    const sources = bookSources(await text.read());
    const tokens = costOf(sources);
    return tokens <= Math.min(wholeBookTokens, window * MARGIN) ? { sources, tokens } : null;
  };

  return {
    async choose({ text, passages, query, coverage }: Question): Promise<PromptContext> {
      const asked = estimateTokens(query);
      const isWeak = coverage < WEAK;
      const mayFit = text !== undefined && text.bytes <= Math.min(wholeBookTokens, window) * BYTES_A_TOKEN;
      const book = mayFit ? await open(text) : null;
      if (book !== null && book.tokens + asked <= window)
        return { ...book, isWholeBook: true, isWeak, tokens: book.tokens + asked };
      return passagesOf(
        { text, passages, query },
        Math.min(MOST_PASSAGES, (window - asked) * MARGIN),
        isWeak,
      );
    },
    /** Passages of half as many tokens as were shown; null where that is no less. */
    half(question: Question, { sources, isWeak, tokens }: PromptContext): PromptContext | null {
      const less = passagesOf(question, (tokens / 2) * MARGIN, isWeak);
      return less.sources.length < sources.length ? less : null;
    },
  };
}

export type ContextSelector = ReturnType<typeof createContextSelector>;

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
