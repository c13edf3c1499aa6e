import type { AnyElysia } from 'elysia';
import type { Service } from '../../service/service.ts';
import type { Budgets } from '../budget.ts';
import type { Sender } from '../sender.ts';
import type { Connections } from '../connection.ts';
import type { Identity } from '../identity.ts';
import type { Log } from '../../log.ts';
import type { LargeBodies } from '../large-bodies.ts';
import type { RequestLog } from '../request-log.ts';
import { git } from './git.ts';
import { llms } from './llms.ts';
import { mcp } from './mcp/mcp.ts';
import { openapi } from './openapi.ts';
import { opds } from './opds/opds.ts';
import { shelf } from './shelf.ts';
import { wellKnown } from './well-known.ts';

type Dependencies = {
  readonly service: Service;
  readonly identity: Identity;
  readonly origin: () => string;
  readonly budgets: Budgets;
  readonly connections: Connections;
  readonly requestLog: RequestLog;
  readonly log: Log;
  readonly sender: Sender;
  readonly bodies: LargeBodies;
};

/**
 * All routes for other programs. They are registered without types, since nobody calls them and a chain of all of them
 * is too deep for the compiler.
 */
export function agents(deps: Dependencies): AnyElysia[] {
  const { service, identity, origin } = deps;
  return [
    wellKnown(deps),
    openapi(identity, origin),
    llms(service, identity, deps.sender),
    git(deps),
    shelf(deps),
    opds(deps),
    mcp(deps),
  ];
}
