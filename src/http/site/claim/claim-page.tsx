import type { Principal } from '../../../access/principal.ts';
import { MINUTE } from '../../../duration.ts';
import { Refusal } from '../../../refusal.ts';
import { findReturned, type Returned } from '../../../service/claims.ts';
import { statusOf } from '../../failure.ts';
import type { Refused } from '../frame/handle-form.ts';
import { sendPage } from '../frame/page.tsx';
import type { RouteDeps } from '../frame/route-deps.ts';
import { PageHeading } from '../parts/heading.tsx';
import { Notice } from '../parts/notice.tsx';
import { type ReturnedPurchase, readPurchase } from './claim-cookie.ts';
import { ByLicenseKey, ByMail, SendAgain, ToMail } from './claim-forms.tsx';
import { Purchase } from './purchase.tsx';

/** How often a page that waits for its purchase is loaded again, in seconds; after two minutes less often. */
const SOON = 3;
const LATER = 15;
const PATIENCE = 2 * MINUTE;

/** The result of a form that led to the page: `byMail` is one of the mail's forms, `code` the pasted one. */
type ClaimResult = {
  readonly said?: string;
  readonly refused?: Refused;
  readonly byMail?: boolean;
  readonly code?: string;
};

/**
 * Sends the page of a claim: of the purchase that this browser was sent back with, or, without one and at `?mail`, of the
 * link in a mail. Never both: two forms for a password are one too many.
 */
export async function showClaim(
  deps: RouteDeps,
  request: Request,
  visitor: Principal,
  { said, refused, byMail = new URL(request.url).searchParams.has('mail'), code = '' }: ClaimResult = {},
): Promise<Response> {
  const { stall, viewOf, budgets } = deps;
  const view = viewOf(visitor);
  const purchase = byMail ? null : readPurchase(request);
  const accountId = visitor.kind === 'account' ? visitor.accountId : null;
  const address = budgets.addressOf(request).key;
  const found = purchase === null ? null : await look(deps, purchase, { accountId, address });
  const isWaiting = found !== null && !('refused' in found) && found.state === 'waiting';
  const isLong = isWaiting && purchase !== null && stall.now() - purchase.since >= PATIENCE;
  const failure = refused ?? (found !== null && 'refused' in found ? found.refused : undefined);
  // A form that was refused or answered must stay to be read.
  const refresh = isWaiting && refused === undefined && said === undefined ? (isLong ? LATER : SOON) : null;
  return sendPage(
    view,
    {
      title: 'Your purchase',
      ...failure,
      headers: {
        ...failure?.headers,
        ...(refresh === null ? {} : { Refresh: String(refresh) }),
      },
    },
    <div class="narrow">
      <PageHeading title="Your purchase" />
      {said !== undefined && <Notice kind="good">{said}</Notice>}
      {failure !== undefined && <Notice kind="bad">{failure.sentence}</Notice>}
      {purchase !== null && found !== null && !('refused' in found) && (
        <Purchase deps={deps} view={view} purchase={purchase} found={found} isLong={isLong} />
      )}
      {found === null || 'refused' in found || found.state === 'late' ? (
        <>
          {stall.config.sales.gumroadPing !== null && <ByLicenseKey />}
          <ByMail code={code} email={view.email} />
          <SendAgain sends={stall.outbox.sends} view={view} />
        </>
      ) : (
        <ToMail />
      )}
    </div>,
  );
}

async function look(
  { stall }: RouteDeps,
  { provider, id }: ReturnedPurchase,
  visitor: { readonly accountId: string | null; readonly address: string },
): Promise<Returned | { readonly refused: Refused }> {
  try {
    return await findReturned(stall, provider, id, visitor);
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== 'rate-limited') throw error;
    const headers = { 'Retry-After': String(error.retryAfter ?? 60) };
    return { refused: { sentence: error.message, status: statusOf(error), headers } };
  }
}
