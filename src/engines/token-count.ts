import type { Tokens } from './engine.ts';

/** If the server counted a smaller share of the estimated answer, it stopped counting early. */
const COUNTED_SHARE = 0.25;
/** Characters for each token, until the server has counted. */
const USUAL_CHARACTERS_A_TOKEN = 4;
/** A server's count of the answer is believed up to this many times the allowed tokens, since it may be a few more. */
const SLACK = 2;

/**
 * Counts the tokens of one message: the server's count, or an estimate if the server has not counted, stopped counting or
 * counted more than the request can have: a token takes at least a byte of the prompt, and an answer has a limit.
 */
export function createTokenCount(estimatedInput: number, answerTokens: number) {
  let [inputTokens, outputTokens, estimatedOutput] = [estimatedInput, 0, 0];
  let mostInput = Infinity;
  const tokens = (): Tokens => ({ inputTokens, outputTokens });
  return {
    tokens,
    /** Limits the prompt's tokens by the bytes of the request that is sent. */
    limit(bytes: number): void {
      mostInput = Math.max(bytes, estimatedInput);
    },
    heard(text: string): Tokens {
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
