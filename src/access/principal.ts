import type { TokenScope } from './token-scope.ts';

/** The one who asks: anonymous, or an account by one of its credentials. `complaint` says what was wrong with a credential that was sent. */
export type Principal = Anonymous | AccountPrincipal;

export type Anonymous = { readonly kind: 'anonymous'; readonly complaint: string | null };

export type AccountPrincipal = KeyPrincipal | SessionPrincipal;

/** An account by an API key. */
export type KeyPrincipal = {
  readonly kind: 'account';
  readonly accountId: string;
  readonly email: string;
  readonly keyId: number;
};

/** An account by the session of a browser; `isOwner` is whether it runs the stall. */
export type SessionPrincipal = {
  readonly kind: 'account';
  readonly accountId: string;
  readonly email: string;
  readonly keyId: null;
  readonly sessionId: string;
  readonly isOwner: boolean;
};

/**
 * An account by an install token. It is no account principal: code that does not know of scopes takes it for nobody. Only
 * the doors of other programs make one.
 */
export type TokenPrincipal = {
  readonly kind: 'token';
  readonly accountId: string;
  readonly email: string;
  readonly tokenId: number;
  readonly scope: TokenScope;
};

/** An account at a door of other programs, by whichever credential. */
export type KnownPrincipal = AccountPrincipal | TokenPrincipal;

/** The one who asks at a door of other programs. */
export type DoorPrincipal = Principal | TokenPrincipal;

export const ANONYMOUS: Anonymous = { kind: 'anonymous', complaint: null };
