import type { Language } from '../words/words.ts';

/**
 * The sender of a request: anonymous, or an account, named by one of its credentials. `complaint` says what was wrong
 * with a credential that was sent.
 */
export type Principal = Anonymous | AccountPrincipal;

export type Anonymous = {
  readonly kind: 'anonymous';
  readonly complaint: string | null;
  readonly language?: Language;
};

export type AccountPrincipal = KeyPrincipal | SessionPrincipal;

/** An account, named by an API key. */
export type KeyPrincipal = {
  readonly kind: 'account';
  readonly accountId: string;
  readonly email: string;
  readonly keyId: number;
};

/**
 * An account, named by the session of a browser. `isOwner` is whether it runs the stall. `language` is the language that
 * the reader chose; on a route of pages, the language of the page.
 */
export type SessionPrincipal = {
  readonly kind: 'account';
  readonly accountId: string;
  readonly email: string;
  readonly keyId: null;
  readonly sessionId: string;
  readonly isOwner: boolean;
  readonly language?: Language;
};

/**
 * An account, named by an install token. It is not an account principal, so that code which ignores scopes treats it as
 * anonymous. Only routes for other programs (http/agents) accept it.
 */
export type TokenPrincipal = {
  readonly kind: 'token';
  readonly accountId: string;
  readonly email: string;
  readonly tokenId: number;
  readonly scope: TokenScope;
};

/** An account on a route for other programs, named by any credential. */
export type KnownPrincipal = AccountPrincipal | TokenPrincipal;

/** The sender of a request to a route for other programs. */
export type AgentPrincipal = Principal | TokenPrincipal;

/** A sender without credentials. */
export const ANONYMOUS: Anonymous = { kind: 'anonymous', complaint: null };

/** Someone who runs the stall: its owner on a page, a user of its machine by a command or a signal, or a publish key. */
export type Actor = SessionPrincipal | 'command' | 'signal' | 'push';

/** An act that an install token may allow, among those that its account may do. */
export type TokenAction = 'take' | 'read' | 'ask';

/** One item as a grant names it: a book by its id, a skill by its slug. */
export type ScopedItem = { readonly kind: 'book' | 'skill'; readonly itemKey: string };

/** The items that an install token opens (null means every item), and the acts that it allows on them. */
export type TokenScope = {
  readonly items: readonly ScopedItem[] | null;
  readonly may: readonly TokenAction[];
};

/** Whether a scope includes an item. */
export const isInScope = ({ items }: TokenScope, { kind, itemKey }: ScopedItem): boolean =>
  items === null || items.some((item) => item.kind === kind && item.itemKey === itemKey);
