import {
  ANONYMOUS,
  type AgentPrincipal,
  type KeyPrincipal,
  type TokenPrincipal,
} from '../../access/principal.ts';
import { isAlive } from '../../access/session.ts';
import type { Edition } from '../../catalog/edition.ts';
import type { Store } from '../../store/store.ts';
import type { Access, Action } from '../access.ts';

type Dependencies = {
  readonly store: Pick<Store, 'findSession'>;
  readonly access: Access;
  readonly isStillValid: (principal: KeyPrincipal | TokenPrincipal) => Promise<boolean>;
  readonly now: () => number;
};

/** Whether a principal's credential is still valid. */
export function createValidity({ store, isStillValid, now }: Omit<Dependencies, 'access'>) {
  return async (principal: AgentPrincipal): Promise<boolean> => {
    if (principal.kind === 'anonymous') return true;
    if (principal.kind === 'token' || principal.keyId !== null) return isStillValid(principal);
    const session = await store.findSession(principal.sessionId);
    return session !== null && session.accountDisabledAt === null && isAlive(session, now());
  };
}

/** Checks a running download again: refuses it as soon as the same request would be refused. */
export function createAccessRecheck({ access, ...dependencies }: Dependencies) {
  const isValid = createValidity(dependencies);
  return async (principal: AgentPrincipal, edition: Edition, action: Action, path?: string): Promise<void> =>
    access((await isValid(principal)) ? principal : ANONYMOUS, edition, action, path);
}
