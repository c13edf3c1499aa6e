import type { AnyElysia } from 'elysia';
import type { RouteDeps } from '../frame/route-deps.ts';
import { linkCreate } from './link-create.tsx';
import { linkList } from './link-list.tsx';

/** The pages that connect agents, in one visible list. */
export function connect(deps: RouteDeps): AnyElysia[] {
  return [linkList(deps), linkCreate(deps)];
}
