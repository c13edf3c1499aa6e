import { Refusal, type RefusalKind } from '../refusal.ts';
import { plain, withoutKeys } from './terminal-text.ts';

/** The codes of contract §4 that tell a caller more than "it was refused". */
const KINDS: Readonly<Record<string, RefusalKind>> = {
  UNAUTHENTICATED: 'unauthenticated',
  ACCESS_DENIED: 'access-denied',
  NOT_FOUND: 'not-found',
  NO_CONTENT: 'no-content',
  RATE_LIMITED: 'rate-limited',
  TARBALL_FAILED: 'tarball-failed',
  PAYLOAD_TOO_LARGE: 'payload-too-large',
};

const LONGEST = 500;

/** What a stall's error says, in its own sentence; `otherwise` is said where the text is no error of a stall. */
export function readFailure(text: string, otherwise: string): Refusal {
  const { error, code } = parse(text);
  if (typeof error !== 'string' || error === '') return new Refusal('invalid-request', otherwise);
  const kind = KINDS[typeof code === 'string' ? code : ''] ?? 'invalid-request';
  return new Refusal(kind, plain(withoutKeys(error)).slice(0, LONGEST));
}

/** A stall that answers something that no stall answers. */
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
