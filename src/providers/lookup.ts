import type { ProviderAnswer } from './ask-provider.ts';
import type { Lookup } from './product.ts';

/** An answer read by `read`; an object that is not there is null. */
export function readLookup<T>(answer: ProviderAnswer, read: (body: unknown) => T): Lookup<T> {
  if (answer.state === 'missing') return { found: null };
  return answer.state === 'failed' ? { problem: answer.reason } : { found: read(answer.body) };
}
