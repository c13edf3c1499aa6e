import { Refusal, type RefusalKind } from '../refusal.ts';
import { plain, withoutKeys } from './terminal-text.ts';

/** The error codes of a stall that callers distinguish. */
const KINDS: Readonly<Record<string, RefusalKind>> = {
  UNAUTHENTICATED: 'unauthenticated',
  ACCESS_DENIED: 'access-denied',
  NOT_FOUND: 'not-found',
  NO_CONTENT: 'no-content',
  GONE: 'gone',
  RATE_LIMITED: 'rate-limited',
  TARBALL_FAILED: 'tarball-failed',
  PAYLOAD_TOO_LARGE: 'payload-too-large',
};

const MAX_LENGTH = 500;

/** A stall's error as a refusal with its own sentence, or with `otherwise` if the text is not a stall's error. */
export function readFailure(text: string, otherwise: string): Refusal {
  const { error, code } = parse(text);
  if (typeof error !== 'string' || error === '') return new Refusal('invalid-request', otherwise);
  const kind = typeof code === 'string' && Object.hasOwn(KINDS, code) ? KINDS[code] : undefined;
  return new Refusal(kind ?? 'invalid-request', plain(withoutKeys(error)).slice(0, MAX_LENGTH));
}

/** The refusal for a response that no stall gives. */
export function unexpectedAnswer(what: string): Refusal {
  return new Refusal('invalid-request', `${what}: it may not be a stall, or one of another version`);
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
