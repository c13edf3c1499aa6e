import type { FoldSettings } from '../../store/tables/order-folds.ts';

/** What a fold of orders must know beside their facts, at a time. */
export function createFoldSettings(sendsMail: boolean, grace: number) {
  return (at: number): FoldSettings => ({
    at,
    grace,
    mail: sendsMail ? 'queued' : 'manual',
    tellsSales: false,
  });
}
