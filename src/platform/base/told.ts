import { Refusal, type RefusalKind } from './refusal.ts';
import { EN } from '../../words/en.ts';
import * as OFFICE from '../../words/en/office.ts';
import { officeIn, type OfficeWords } from '../../words/office.ts';
import type { Words } from '../../words/words.ts';

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

/** The refusal of somebody who was put out while their request arrived: no form is shown to them again. */
export class PutOut extends ToldRefusal {
  constructor() {
    super('unauthenticated', (r) => r.request.signIn);
  }
}

/** A refusal that a page of the office may show: programs get its English sentence. */
export class OfficeRefusal extends Refusal {
  constructor(
    kind: RefusalKind,
    readonly tell: (refusals: OfficeWords['refusals']) => string,
  ) {
    super(kind, tell(OFFICE.refusals));
  }
}

/** The language of a refusal's sentence on a page in these words, if it is another: some have only an English one. */
export function foreignIn(refusal: Refusal, words: Words): 'en' | undefined {
  if (refusal.cause instanceof Refusal) return foreignIn(refusal.cause, words);
  const isTold = refusal instanceof ToldRefusal || refusal instanceof OfficeRefusal;
  return isTold || words.language === 'en' ? undefined : 'en';
}

/** The sentence of a refusal on a page in these words. One that stands for another, as beside a field, has that as its cause. */
export function sentenceOf(refusal: Refusal, words: Words): string {
  if (refusal.cause instanceof Refusal) return sentenceOf(refusal.cause, words);
  if (refusal instanceof OfficeRefusal) return refusal.tell(officeIn(words).refusals);
  return refusal instanceof ToldRefusal ? refusal.say(words.refusals, words.locale) : refusal.message;
}

/**
 * Makes the refusal of an item that does not exist, or that the principal may not know of: the sentence is the same for
 * both.
 */
export function notFound(named: string): Refusal {
  const name = named.slice(0, 80);
  const message = `Cannot find "${name}": the catalog at /api/items lists what this stall serves`;
  return new ToldRefusal('not-found', (r) => r.request.notFound({ name }), undefined, message);
}

/**
 * Makes the refusal of an anonymous principal. `complaint` says what was wrong with its credential, null if it sent none;
 * `more` is a further remedy.
 */
export const unauthenticated = (action: string, complaint: string | null, more = ''): Refusal =>
  Refusal.unauthenticated(
    `${action}: ${complaint ?? 'send an API key as "Authorization: Bearer svc_…"'}${more}`,
  );
