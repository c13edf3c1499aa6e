import type { AnyElysia } from 'elysia';
import { createFormTokens } from '../frame/form-token.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { connectPage } from './connect-page.tsx';
import { linkCreate } from './link-create.tsx';
import { linkList } from './link-list.tsx';
import { linkPage } from './link-page.tsx';

/** The pages that connect agents, in one visible list. */
export function connect(deps: RouteDeps): AnyElysia[] {
  const tokens = createFormTokens();
  return [connectPage(deps), linkPage(deps), linkList(deps, tokens), linkCreate(deps, tokens)];
}
