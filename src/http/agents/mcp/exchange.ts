import type { AgentPrincipal } from '../../../access/principal.ts';
import type { Log } from '../../../log.ts';
import type { Service } from '../../../service/service.ts';
import type { Budgets } from '../../budget.ts';
import type { RequestEntry } from '../../request-log.ts';
import type { RunningQuestions } from './running-questions.ts';

/** One request over MCP: who asks, and all that an answer needs. */
export type Exchange = {
  readonly service: Service;
  readonly budgets: Budgets;
  readonly log: Log;
  readonly origin: () => string;
  readonly running: RunningQuestions;
  readonly request: Request;
  readonly entry: RequestEntry;
  readonly asker: AgentPrincipal;
  /** Names the client among those that may send the same ids: its credential, address and program. */
  readonly client: string;
};
