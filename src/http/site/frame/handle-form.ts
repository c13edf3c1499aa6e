import { Refusal, type RefusalKind } from '../../../refusal.ts';
import { retryHeader, statusOf } from '../../failure.ts';
import type { PageHead } from './page.tsx';

/** Refusals that a person can mend in the form itself; all others are answered like any failure. */
const MENDABLE: ReadonlySet<RefusalKind> = new Set([
  'invalid-request',
  'unauthenticated',
  'access-denied',
  'not-found',
  'rate-limited',
]);

/** Why a form was refused, as its page shows it: the sentence, and the status and headers to send with it. */
export type Refused = { readonly sentence: string } & Required<Pick<PageHead, 'status' | 'headers'>>;

/** Runs a form's act; if it is refused, `onRefused` shows the form again with the sentence and the typed values. */
export async function handleForm(
  act: () => Promise<Response>,
  onRefused: (refused: Refused) => Response | Promise<Response>,
): Promise<Response> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Refusal) || !MENDABLE.has(error.kind)) throw error;
    return onRefused({ sentence: error.message, status: statusOf(error), headers: retryHeader(error) });
  }
}
