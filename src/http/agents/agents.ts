import type { AnyElysia } from 'elysia';
import type { Http } from '../http.ts';
import { git } from './git.ts';
import { llms } from './llms.ts';
import { mcp } from './mcp/mcp.ts';
import { openapi } from './openapi.ts';
import { opds } from './opds/opds.ts';
import { shelf } from './shelf.ts';
import { wellKnown } from './well-known.ts';

/**
 * All routes for other programs. They are registered without types, since nobody calls them and a chain of all of them
 * is too deep for the compiler.
 */
export function agents(deps: Http): AnyElysia[] {
  const { identity, origin } = deps;
  return [
    wellKnown(deps),
    openapi(identity, origin),
    llms(deps),
    git(deps),
    shelf(deps),
    opds(deps),
    mcp(deps),
  ];
}
