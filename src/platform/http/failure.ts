import { textAnswer } from './answer.ts';
import type { Log } from '../base/log.ts';
import { isOutOfFiles } from '../base/runtime.ts';
import { Refusal, type RefusalKind } from '../base/refusal.ts';
import { EN } from '../../words/en.ts';
import { type Say, sentenceOf, ToldRefusal } from '../base/told.ts';
import type { Words } from '../../words/words.ts';
import type { RequestEntry } from './request-log.ts';

type Answer = readonly [status: number, code: string];

/** The HTTP status and the code for each kind of refusal. No other file has such a table. */
const ANSWERS: Readonly<Record<RefusalKind, Answer>> = {
  'not-found': [404, 'NOT_FOUND'],
  unauthenticated: [401, 'UNAUTHENTICATED'],
  'access-denied': [403, 'ACCESS_DENIED'],
  'no-content': [404, 'NO_CONTENT'],
  gone: [410, 'GONE'],
  conflict: [409, 'CONFLICT'],
  'precondition-failed': [412, 'PRECONDITION_FAILED'],
  'rate-limited': [429, 'RATE_LIMITED'],
  'request-timeout': [408, 'REQUEST_TIMEOUT'],
  'tarball-failed': [500, 'TARBALL_FAILED'],
  'invalid-request': [400, 'INVALID_REQUEST'],
  'method-not-allowed': [405, 'METHOD_NOT_ALLOWED'],
  'payload-too-large': [413, 'PAYLOAD_TOO_LARGE'],
  'unsupported-media-type': [415, 'UNSUPPORTED_MEDIA_TYPE'],
  'model-failed': [502, 'MODEL_FAILED'],
  'model-unavailable': [503, 'MODEL_UNAVAILABLE'],
  'model-timeout': [504, 'MODEL_TIMEOUT'],
  'storage-unavailable': [503, 'STORAGE_UNAVAILABLE'],
  overloaded: [503, 'OVERLOADED'],
};

const INTERNAL: Answer = [500, 'INTERNAL'];

export const CODES: readonly string[] = [...Object.values(ANSWERS), INTERNAL].map(([, code]) => code);

const RETRY_SECONDS = 5;

export const statusOf = (error: unknown): number =>
  (error instanceof Refusal ? ANSWERS[error.kind] : INTERNAL)[0];

/** The body of a failed request, and the data of an `error` event: a sentence and a code, without internal details. */
type FailureBody = { readonly error: string; readonly code: string };

/** Describes an error to the client. A bug or a storage fault is logged in full; the client gets only the id of the request. */
export const describeFailure = (error: unknown, entry: RequestEntry, log: Log): FailureBody =>
  tellFailure(error, entry, log).body;

function tellFailure(error: unknown, { id }: RequestEntry, log: Log): Told {
  if (!(error instanceof Refusal)) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    log({ event: 'internal-error', id, message });
    return toldOf(INTERNAL[1], (r) => r.request.internal({ id }));
  }
  const code = ANSWERS[error.kind][1];
  if (error.kind !== 'storage-unavailable')
    return { body: { error: error.message, code }, say: (words) => sentenceOf(error, words) };
  log({ event: 'storage-unavailable', id, message: error.message });
  return toldOf(code, (r) => r.request.storage({ id }));
}

type Told = { readonly body: FailureBody; readonly say: (words: Words) => string };

const toldOf = (code: string, say: Say): Told => ({
  body: { error: say(EN.refusals, EN.locale), code },
  say: (words) => say(words.refusals, words.locale),
});

export type FailureAnswer = Told & {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
};

export function answerFailure(
  cause: unknown,
  entry: RequestEntry,
  log: Log,
  more: Readonly<Record<string, string>> = {},
): FailureAnswer {
  const error = isOutOfFiles(cause) ? outOfFiles() : cause;
  const status = statusOf(error);
  return {
    status,
    ...tellFailure(error, entry, log),
    headers: { ...entry.quota, ...retryHeader(error), ...more },
  };
}

const outOfFiles = (): ToldRefusal => new ToldRefusal('overloaded', (r) => r.request.outOfFiles);

export function failureResponse({ status, body, headers }: FailureAnswer): Response {
  return textAnswer(`${JSON.stringify(body)}\n`, status, {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    ...(status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
    ...headers,
  });
}

export function retryHeader(error: unknown): Readonly<Record<string, string>> {
  const status = statusOf(error);
  const seconds = error instanceof Refusal ? error.retryAfter : undefined;
  if (seconds === undefined && status !== 503 && status !== 429) return {};
  return { 'Retry-After': String(seconds ?? RETRY_SECONDS) };
}
