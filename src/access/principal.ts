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

export const ANONYMOUS: Anonymous = { kind: 'anonymous', complaint: null };
