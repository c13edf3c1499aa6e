import { Refusal, type RefusalKind } from './refusal.ts';
import { EN } from '../../words/en.ts';
import * as OFFICE from '../../words/en/office.ts';
import { officeIn, type OfficeWords } from '../../words/office.ts';
import type { Words } from '../../words/words.ts';

export type Say = (refusals: Words['refusals'], locale: string) => string;

/**
 * A refusal that a reader's page may show: pages show its sentence in their language, programs get `message`, by default in
 * English.
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

/** The refusal of somebody who was signed out while their request arrived. Pages do not show their form again. */
export class PutOut extends ToldRefusal {
  constructor() {
    super('unauthenticated', (r) => r.request.signIn);
  }
}

/** A refusal that a page of the office may show in its language; programs get English. */
export class OfficeRefusal extends Refusal {
  constructor(
    kind: RefusalKind,
    readonly tell: (refusals: OfficeWords['refusals']) => string,
  ) {
    super(kind, tell(OFFICE.refusals));
  }
}

/** Returns 'en' if a refusal has only an English sentence and the page is in another language, else undefined. */
export function foreignIn(refusal: Refusal, words: Words): 'en' | undefined {
  if (refusal.cause instanceof Refusal) return foreignIn(refusal.cause, words);
  const isTold = refusal instanceof ToldRefusal || refusal instanceof OfficeRefusal;
  return isTold || words.language === 'en' ? undefined : 'en';
}

/**
 * Returns the sentence of a refusal in the language of `words`. If its cause is a refusal, as in a FieldRefusal, returns the
 * cause's.
 */
export function sentenceOf(refusal: Refusal, words: Words): string {
  if (refusal.cause instanceof Refusal) return sentenceOf(refusal.cause, words);
  if (refusal instanceof OfficeRefusal) return refusal.tell(officeIn(words).refusals);
  return refusal instanceof ToldRefusal ? refusal.say(words.refusals, words.locale) : refusal.message;
}

/** Makes the refusal of an item that does not exist, or that the principal may not see: both get the same sentence. */
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
