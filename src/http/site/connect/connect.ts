import { Elysia } from 'elysia';
import { createFormTokens } from '../frame/form-token.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { connectPage } from './connect-page.tsx';
import { linkCreate } from './link-create.tsx';
import { linkList } from './link-list.tsx';
import { linkPage } from './link-page.tsx';
import { linkRevoke } from './link-revoke.tsx';

/** The pages that connect agents, in one visible list. */
export function connect(deps: RouteDeps) {
  const tokens = createFormTokens();
  return new Elysia()
    .use(connectPage(deps))
    .use(linkPage(deps))
    .use(linkList(deps, tokens))
    .use(linkCreate(deps, tokens))
    .use(linkRevoke(deps));
}
