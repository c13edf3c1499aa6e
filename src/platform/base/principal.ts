import type { Language } from '../../words/words.ts';

/**
 * The sender of a request: anonymous, or an account identified by its session or API key. `complaint` says what was wrong with
 * the credential that was sent, null if none was.
 */
export type Principal = Anonymous | AccountPrincipal;

export type Anonymous = {
  readonly kind: 'anonymous';
  readonly complaint: string | null;
  readonly language?: Language;
};

export type AccountPrincipal = KeyPrincipal | SessionPrincipal;

export type KeyPrincipal = {
  readonly kind: 'account';
  readonly accountId: string;
  readonly email: string;
  readonly keyId: number;
};

/**
 * An account, identified by a browser's session. `isOwner` says whether it is the stall's owner, `isEditor` whether it may add
 * and edit items in the browser. `language` is the one that the account has chosen; in a page's handler, the page's language.
 */
export type SessionPrincipal = {
  readonly kind: 'account';
  readonly accountId: string;
  readonly email: string;
  readonly keyId: null;
  readonly sessionId: string;
  readonly isOwner: boolean;
  readonly isEditor?: boolean;
  readonly language?: Language;
};

/**
 * An account, identified by an install token or an assistant's access token. This type is not part of `Principal`, so that code
 * that does not know scopes cannot treat it as an account.
 */
export type TokenPrincipal = {
  readonly kind: 'token';
  readonly accountId: string;
  readonly email: string;
  readonly tokenId: number;
  /** Set for an assistant's access token: its connection, and whether it may read the reader's notes. */
  readonly connection?: { readonly id: string; readonly notes: boolean };
  readonly scope: TokenScope;
};

export type KnownPrincipal = AccountPrincipal | TokenPrincipal;

export type AgentPrincipal = Principal | TokenPrincipal;

export const ANONYMOUS: Anonymous = { kind: 'anonymous', complaint: null };

export type Actor = SessionPrincipal | 'command' | 'signal' | 'push';

export type TokenAction = 'take' | 'read' | 'ask';

export const tokenActions = (reads: boolean): readonly TokenAction[] =>
  reads ? ['take', 'read', 'ask'] : ['take'];

export const ITEM_KINDS = ['book', 'skill'] as const;

export type ItemKind = (typeof ITEM_KINDS)[number];

export type ScopedItem = { readonly kind: ItemKind; readonly itemKey: string };

export type TokenScope = {
  readonly items: readonly ScopedItem[] | null;
  readonly may: readonly TokenAction[];
};

export const isInScope = ({ items }: TokenScope, { kind, itemKey }: ScopedItem): boolean =>
  items === null || items.some((item) => item.kind === kind && item.itemKey === itemKey);

/**
 * The statement of a sign-in proxy about one request: whether the proxy's header is read on this route, and the e-mail address
 * in it, '' for none.
 */
export type Vouched = { readonly isRead: boolean; readonly address: string };

/**
 * The holder of a publish key. `prefix` is the key's beginning. `slugs` lists what it may publish, such as `field-notes`, or
 * `field-*` for all slugs that begin with `field-`; null means every item. `setsTerms` lets it set prices and publish drafts.
 */
export type Publisher = {
  readonly accountId: string;
  readonly prefix: string;
  readonly slugs: readonly string[] | null;
  readonly setsTerms: boolean;
};
