import type { AgentPrincipal } from '../../../access/principal.ts';
import type { FileSlice } from '../../../catalog/file-pieces.ts';
import type { Log } from '../../../log.ts';
import type { Service } from '../../../service/service.ts';
import type { Budgets } from '../../budget.ts';
import type { RequestEntry } from '../../request-log.ts';
import type { RunningQuestions } from './running-questions.ts';

/** Where in an answer the content of a resource goes. It is base64, as the protocol's server wants it. */
export const CONTENT_PLACE: string = crypto.randomUUID().replaceAll('-', '');

/** One request over MCP: its sender, and everything that an answer needs. */
export type Exchange = {
  readonly service: Service;
  readonly budgets: Budgets;
  readonly log: Log;
  readonly origin: () => string;
  readonly running: RunningQuestions;
  readonly request: Request;
  readonly entry: RequestEntry;
  readonly asker: AgentPrincipal;
  /** Takes the content of a resource, which is put in the place of `CONTENT_PLACE` while the answer is sent. */
  readonly putContent: (content: FileSlice) => void;
  /** Identifies the client, since different clients may use the same ids: credential, address and program. */
  readonly client: string;
};
