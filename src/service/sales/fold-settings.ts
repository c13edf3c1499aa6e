import { type MailConfig, readMailConfig } from '../../mail-config.ts';
import { Refusal } from '../../refusal.ts';
import { readSalesConfig } from '../../sales-config.ts';
import type { FoldSettings } from '../../store/tables/order-folds.ts';

/** What a fold of orders must know beside their facts, at a time; `grace` is in milliseconds. */
export function createFoldSettings(mail: MailConfig | null, grace: number) {
  return (at: number): FoldSettings => ({
    at,
    grace,
    mail: mail === null ? 'manual' : 'queued',
    tellsSales: false,
  });
}

/** The same from the environment of a command, read when it is first needed. Refuses variables that the server refuses. */
export function readFoldSettings(environment: Readonly<Record<string, string | boolean | undefined>>) {
  const refuse = (problem: string): never => {
    throw new Refusal('invalid-request', problem);
  };
  return (at: number): FoldSettings => {
    const { grace } = readSalesConfig(environment, false, refuse);
    return createFoldSettings(readMailConfig(environment, refuse), grace)(at);
  };
}
