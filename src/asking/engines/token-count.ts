import type { TokenCount } from './engine.ts';

/** The server stopped counting early if it counted less than this share of the answer's estimated tokens. */
const COUNTED_SHARE = 0.25;
/** The assumed number of characters in a token, until the server has counted. */
const USUAL_CHARACTERS_A_TOKEN = 4;
/**
 * The server's count of the answer is believed up to so many times the allowed tokens, since servers may exceed them slightly.
 */
const SLACK = 2;

/**
 * Counts the tokens of one message. Uses the server's count, or an estimate if the server did not count, stopped counting, or
 * counted more than is possible: a token takes at least a byte of the request, and an answer has a limit.
 */
export function createTokenCount(estimatedInput: number, answerTokens: number) {
  let [inputTokens, outputTokens, estimatedOutput] = [estimatedInput, 0, 0];
  let mostInput = Infinity;
  const tokens = (): TokenCount => ({ inputTokens, outputTokens });
  return {
    tokens,
    /** Limits the count of the prompt's tokens to the bytes of the request. */
    limit(bytes: number): void {
      mostInput = Math.max(bytes, estimatedInput);
    },
    heard(text: string): TokenCount {
      estimatedOutput += text.length / USUAL_CHARACTERS_A_TOKEN;
      outputTokens = Math.max(outputTokens, Math.ceil(estimatedOutput));
      return tokens();
    },
    reported({ input, output }: { readonly input: number; readonly output: number }): void {
      if (input > 0 && input <= mostInput) inputTokens = input;
      const isPlausible = output >= estimatedOutput * COUNTED_SHARE && output <= answerTokens * SLACK;
      outputTokens = isPlausible ? output : Math.ceil(estimatedOutput);
    },
  };
}
