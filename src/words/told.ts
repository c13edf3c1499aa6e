import { Refusal, type RefusalKind } from '../refusal.ts';
import { EN } from './en.ts';
import type { Words } from './words.ts';

type Say = (refusals: Words['refusals']) => string;

/** A refusal that a reader's page may show: programs get its English sentence, pages that of their language. */
export class ToldRefusal extends Refusal {
  constructor(
    kind: RefusalKind,
    readonly say: Say,
    retryAfter?: number,
  ) {
    super(kind, say(EN.refusals), retryAfter);
  }
}

/** A refusal's sentence in the language of a page. One that no reader's page shows is in English. */
export const sentenceOf = (refusal: Refusal, words: Words): string =>
  refusal instanceof ToldRefusal ? refusal.say(words.refusals) : refusal.message;
