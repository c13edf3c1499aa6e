import type { Language } from '../../words/words.ts';

/**
 * The sender of a request: anonymous, or an account, identified by its session or API key. `complaint` says what was
 * wrong with a credential that was sent.
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
 * An account, identified by a browser's session. `isOwner` says whether it is the stall's owner, `isEditor`
 * whether it may add and edit the items that the office keeps. `language` is the
 * language that the reader chose; on pages, the page's language.
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
 * An account, identified by an install token. This type is not part of `Principal`, so that code which does not know
 * scopes cannot treat it as an account. Only routes for other programs (http/agents) accept it.
 */
export type TokenPrincipal = {
  readonly kind: 'token';
  readonly accountId: string;
  readonly email: string;
  readonly tokenId: number;
  /** The connection of an assistant, which has an access token in place of an install token. */
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
 * The statement of a sign-in proxy about one request: whether its header is read on this route, and the e-mail address
 * in it, '' for none.
 */
export type Vouched = { readonly isRead: boolean; readonly address: string };

/**
 * The holder of a publish key. `slugs` lists the items it may publish; null means every item, `PREFIX-*` every slug that begins
 * with the prefix. `setsTerms` says whether it may also set prices and publish drafts.
 */
export type Publisher = {
  readonly accountId: string;
  readonly prefix: string;
  readonly slugs: readonly string[] | null;
  readonly setsTerms: boolean;
};
