export type RefusalKind =
  | 'not-found'
  | 'unauthenticated'
  | 'access-denied'
  | 'no-content'
  | 'gone'
  | 'conflict'
  | 'precondition-failed'
  | 'rate-limited'
  | 'request-timeout'
  | 'tarball-failed'
  | 'invalid-request'
  | 'method-not-allowed'
  | 'payload-too-large'
  | 'unsupported-media-type'
  | 'model-failed'
  | 'model-unavailable'
  | 'model-timeout'
  | 'storage-unavailable'
  | 'overloaded';

/**
 * The only error to expect: its message says what failed and what to do. It has no `status` or `code`, because Elysia would
 * answer with them; `http/failure.ts` maps `kind` to a status. `retryAfter` is in whole seconds.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  constructor(
    readonly kind: RefusalKind,
    message: string,
    readonly retryAfter?: number,
  ) {
    super(message);
  }
  static invalid = (message: string): Refusal => new Refusal('invalid-request', message);
  static storage = (message: string, retryAfter?: number): Refusal =>
    new Refusal('storage-unavailable', message, retryAfter);
  static missing = (message: string): Refusal => new Refusal('not-found', message);
  static unauthenticated = (message: string): Refusal => new Refusal('unauthenticated', message);
  static denied = (message: string): Refusal => new Refusal('access-denied', message);
  static damaged = (message: string): Refusal => new Refusal('tarball-failed', message);
}

export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);
