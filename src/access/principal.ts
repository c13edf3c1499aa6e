/** Who asks: nobody we know, or an account by one of its credentials. `complaint` says what was wrong with a credential that was shown. */
export type Principal = Anonymous | AccountPrincipal;

export type Anonymous = { readonly kind: 'anonymous'; readonly complaint: string | null };

export type AccountPrincipal = {
  readonly kind: 'account';
  readonly accountId: string;
  readonly email: string;
  readonly keyId: number;
};

export const ANONYMOUS: Anonymous = { kind: 'anonymous', complaint: null };
