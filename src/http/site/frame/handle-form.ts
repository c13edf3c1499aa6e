import { Refusal, type RefusalKind } from '../../../refusal.ts';
import { retryHeader, statusOf } from '../../failure.ts';
import type { PageHead } from './page.tsx';

/** What a person can mend in the form itself; the rest is answered like any failure. */
const MENDABLE: ReadonlySet<RefusalKind> = new Set([
  'invalid-request',
  'unauthenticated',
  'access-denied',
  'not-found',
  'rate-limited',
]);

/** Why a form was not taken, as its page shows it: the sentence, and the status and headers to send with it. */
export type Refused = { readonly sentence: string } & Required<Pick<PageHead, 'status' | 'headers'>>;

/** Does what a form asks for; where that is refused, `again` shows the form with the sentence and what was typed. */
export async function handleForm(
  act: () => Promise<Response>,
  again: (refused: Refused) => Response | Promise<Response>,
): Promise<Response> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Refusal) || !MENDABLE.has(error.kind)) throw error;
    return again({ sentence: error.message, status: statusOf(error), headers: retryHeader(error) });
  }
}
