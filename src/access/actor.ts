import type { SessionPrincipal } from './principal.ts';

/** Who runs the stall: its owner on a page, or whoever gives commands or sends signals on its machine. */
export type Actor = SessionPrincipal | 'command' | 'signal';
