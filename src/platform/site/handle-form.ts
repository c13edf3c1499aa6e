import { createKept } from '../base/cache.ts';
import { Refusal, type RefusalKind } from '../base/refusal.ts';
import { EN } from '../../words/en.ts';
import { type Office, officeIn } from '../../words/office.ts';
import type { Words } from '../../words/words.ts';
import { redirect } from '../http/answer.ts';
import { type Form, readForm } from '../http/body.ts';
import { PutOut, ToldRefusal } from '../base/told.ts';
import { retryHeader, statusOf } from '../http/failure.ts';

/** The kinds of refusal that a person can correct in the form itself. All others are shown like any failure. */
const MENDABLE: ReadonlySet<RefusalKind> = new Set([
  'invalid-request',
  'unauthenticated',
  'access-denied',
  'not-found',
  'conflict',
  'precondition-failed',
  'payload-too-large',
  'rate-limited',
]);

export type Refused = {
  readonly refusal: Refusal;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
};

export type FormEnd<Typed = never> = {
  readonly said?: string | null;
  readonly refused?: Refused;
  readonly typed?: Typed;
};

/** Runs `act` for a form that was sent. For a refusal that the person can correct, `onRefused` shows the form again. */
export async function handleForm(
  act: () => Promise<Response>,
  onRefused: (refused: Refused) => Response | Promise<Response>,
): Promise<Response> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Refusal) || error instanceof PutOut || !MENDABLE.has(error.kind)) throw error;
    return onRefused({ refusal: error, status: statusOf(error), headers: retryHeader(error) });
  }
}

/** Reads a form of a page and runs `act` with it. If that is refused, `again` gets the refusal, and the form if it was read. */
export function handleSentForm(
  request: Request,
  act: (form: Form) => Promise<Response>,
  again: (end: FormEnd<Form>) => Response | Promise<Response>,
): Promise<Response> {
  let typed: Form | undefined;
  return handleForm(
    async () => act((typed = await readForm(request))),
    (refused) => again({ refused, ...(typed && { typed }) }),
  );
}

const WARNINGS: readonly string[] = ['reindexed-with-errors', 'saved-not-served'] satisfies FlashWord[];

export const isWarning = (said: string): boolean => WARNINGS.includes(said);

export type FlashWord = keyof Office['said'] | keyof Words['account']['said'];

export const redirectSaying = (path: string, word: FlashWord, headers?: Readonly<Record<string, string>>) =>
  redirect(`${path}?said=${word}`, headers);

/** Reads from a page's address the word that stands for a sentence; null if there is none, or an unknown one. */
export function readFlash(query: Readonly<Record<string, string>>): string | null {
  const word = query['said'] ?? '';
  return sentenceOfFlash(word, EN) === undefined ? null : word;
}

/** Returns the sentence for a word of `readFlash`. Any other text is a sentence already, and is returned unchanged. */
export const sayFlash = (said: string, words: Words): string => sentenceOfFlash(said, words) ?? said;

function sentenceOfFlash(word: string, words: Words): string | undefined {
  const sentences: Readonly<Record<string, string>> = { ...officeIn(words).said, ...words.account.said };
  return Object.hasOwn(sentences, word) ? sentences[word] : undefined;
}

/** The maximum number of open forms of a session, and of sessions that are remembered, so that nobody fills the memory. */
const MOST_FORMS = 16;
const MOST_SESSIONS = 10_000;

/**
 * Creates single-use tokens for forms that make a secret which is shown only once, such as a key. A form that is sent again, by
 * a reload or a double click, is refused.
 */
export function createFormTokens() {
  const open = createKept<readonly string[]>(MOST_SESSIONS);
  return {
    /** Makes a token for a new form of this session. Beyond `MOST_FORMS`, the session's oldest form becomes invalid. */
    issue(sessionId: string): string {
      const token = crypto.randomUUID();
      open.set(sessionId, [...(open.get(sessionId) ?? []), token].slice(-MOST_FORMS));
      return token;
    },
    take(sessionId: string, token: string): boolean {
      const tokens = open.get(sessionId) ?? [];
      if (!tokens.includes(token)) return false;
      open.set(
        sessionId,
        tokens.filter((other) => other !== token),
      );
      return true;
    },
  };
}

export type FormTokens = ReturnType<typeof createFormTokens>;

export function refuseSentBefore(isFirst: boolean, kind: 'key' | 'token'): void {
  if (!isFirst) throw new ToldRefusal('invalid-request', (r) => r.library[kind].sentBefore);
}
