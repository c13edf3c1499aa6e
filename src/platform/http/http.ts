import type { TObject } from '@sinclair/typebox';
import type { Ground } from '../base/stall.ts';
import type { Budgets, Connections } from './budget.ts';
import type { Guards } from './guards.ts';
import type { ReadLarge } from './body.ts';
import type { RequestLog } from './request-log.ts';
import type { Sender } from './sender.ts';
import type { SessionCookie } from './credential.ts';
import type { ReadVouched } from './proxy-header.ts';
import type { FormTokens } from '../site/handle-form.ts';
import type { ViewOf } from '../site/page.tsx';

/** Everything on which routes depend: the stall, the guards, and the objects of which a server has only one. */
export type Http<Stall = Ground> = {
  readonly stall: Stall;
  readonly guards: Guards;
  readonly cookie: SessionCookie;
  readonly readVouched: ReadVouched;
  readonly budgets: Budgets;
  readonly connections: Connections;
  readonly requestLog: RequestLog;
  readonly sender: Sender;
  readonly readLarge: ReadLarge;
  readonly viewOf: ViewOf;
  readonly tokens: FormTokens;
};

export type Query = Readonly<Record<string, string>>;

/** The parameters of a query that its shape declares, as their texts: no other can be read. */
export type QueryOf<Shape extends TObject> = Readonly<Partial<Record<keyof Shape['properties'], string>>>;
