import type { SessionPrincipal } from './principal.ts';

/** The one who runs the stall: its owner on a page, or a user of its machine by a command or a signal. */
export type Actor = SessionPrincipal | 'command' | 'signal';
