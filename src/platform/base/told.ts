import { Refusal, type RefusalKind } from './refusal.ts';
import { EN } from '../../words/en.ts';
import type { Words } from '../../words/words.ts';

/** Chooses a refusal's sentence from those of a language, whose tag is `locale`. */
export type Say = (refusals: Words['refusals'], locale: string) => string;

/**
 * A refusal that a reader's page may show: programs get its English sentence, or `message`, and pages that of their
 * language.
 */
export class ToldRefusal extends Refusal {
  constructor(
    kind: RefusalKind,
    readonly say: Say,
    retryAfter?: number,
    message = say(EN.refusals, EN.locale),
  ) {
    super(kind, message, retryAfter);
  }
}

/** A refusal's sentence in the language of a page. One that no reader's page shows is in English. */
export const sentenceOf = (refusal: Refusal, words: Words): string =>
  refusal instanceof ToldRefusal ? refusal.say(words.refusals, words.locale) : refusal.message;
