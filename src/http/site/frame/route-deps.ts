import type { Log } from '../../../log.ts';
import type { Service } from '../../../service/service.ts';
import type { Stall } from '../../../service/stall.ts';
import type { Sender } from '../../sender.ts';
import type { Budgets } from '../../budget.ts';
import type { Connections } from '../../connection.ts';
import type { RequestLog } from '../../request-log.ts';
import type { Identity } from '../../identity.ts';
import type { SessionCookie } from '../../session-cookie.ts';
import type { ViewOf } from './view.ts';

/** The dependencies of every route of the site. */
export type RouteDeps = {
  readonly log: Log;
  readonly stall: Stall;
  readonly service: Service;
  readonly identity: Identity;
  readonly viewOf: ViewOf;
  readonly cookie: SessionCookie;
  readonly budgets: Budgets;
  readonly sender: Sender;
  readonly connections: Connections;
  readonly requestLog: RequestLog;
};
