import {
  addByLink,
  addReturned,
  claimByLink,
  findLinked,
  type Linked,
  findReturned,
  joinReturned,
  type Returned,
} from '../../../service/claims.ts';
import type { Principal } from '../../../access/principal.ts';
import { ToldRefusal } from '../../../words/told.ts';
import { giveOrder } from '../../../service/codes.ts';
import { requestMail } from '../../../service/mails.ts';
import { type Form, readForm } from '../../body.ts';
import { redirect } from '../../answer.ts';
import { enter, mailClient, readLinkCode, readSigner, UNSEEN } from './sign-in.tsx';
import { handleForm, type Refused } from '../frame/handle-form.ts';
import type { Http } from '../../http.ts';
import {
  ByLicenseKey,
  ByLink,
  ByMail,
  isSaleSource,
  keepPurchase,
  PaidGoods,
  Purchase,
  readPurchase,
  type ReturnedPurchase,
  SendAgain,
  sendPresent,
  ToMail,
} from './purchase.tsx';
import { yoursByOrder } from './yours.tsx';
import { DEMO, PROVIDER_NAMES } from '../../../payment-provider.ts';
import { MINUTE } from '../../../duration.ts';
import { sendPage } from '../frame/page.tsx';

/** The longest id of a purchase that a cookie keeps, in characters. */
const LONGEST = 300;

/** Adds the purchase of a mail's link to the signed-in account; else to the account of its address, to which it signs in. */
export async function claimLink(http: Http, request: Request, visitor: Principal): Promise<Response> {
  const form = await readForm(request);
  const code = readLinkCode(form.text('code'));
  return handleForm(
    () => useLink(http, request, visitor, form, code),
    (refused) => showClaim(http, request, visitor, { refused, byMail: true, code }),
  );
}

async function useLink(http: Http, request: Request, visitor: Principal, form: Form, code: string) {
  const { stall } = http;
  const linked = findLinked(stall, code);
  if (linked.state === 'held') return openHeld(visitor, linked);
  if (form.text('look') !== '') return sendLinked(http, visitor, linked, code);
  if (visitor.kind === 'account') {
    const added = await addByLink(stall, code, visitor.accountId);
    return redirect(yoursByOrder(added));
  }
  const claimed = await claimByLink(stall, code, readSigner(http, request, form));
  return enter(http, claimed.cookie, claimed.order === null ? '/dashboard' : yoursByOrder(claimed.order));
}

/**
 * Redirects to a purchase that is in a library already: its holder at once, signed-out visitors by the sign-in; refuses
 * others.
 */
function openHeld(visitor: Principal, { order, holder }: Linked & { readonly state: 'held' }): Response {
  const path = yoursByOrder(order);
  if (visitor.kind !== 'account') return redirect(`/sign-in?next=${encodeURIComponent(path)}`);
  if (visitor.accountId === order.accountId) return redirect(path);
  throw new ToldRefusal('not-found', (r) => r.account.heldByOther({ ref: order.ref, holder }));
}

/** Sends the page of a link in a mail, with its items and its recipient. */
function sendLinked(
  http: Http,
  visitor: Principal,
  linked: Exclude<Linked, { readonly state: 'held' }>,
  code: string,
): Response {
  const view = http.viewOf(visitor);
  const { claim } = view.words.account;
  const { order } = linked;
  return sendPage(
    view,
    { title: order === null ? claim.choosePassword : claim.yours, isNarrow: true },
    <section class="stack">
      {order !== null && <PaidGoods stall={http.stall} order={order} />}
      <ByLink view={view} linked={linked} code={code} sends={http.stall.outbox.sends} />
    </section>,
  );
}

/** Adds the purchase with which a provider sent this browser back to a new account. */
export function joinAndClaim(http: Http, request: Request, visitor: Principal): Promise<Response> {
  const { stall, cookie } = http;
  return withPurchase(http, request, visitor, async () => {
    const signer = readSigner(http, request, await readForm(request));
    const { provider, id } = requirePurchase(request);
    const joined = await joinReturned(stall, provider, id, signer);
    return redirect(yoursByOrder(joined.order), { 'Set-Cookie': cookie.keep(joined.cookie) });
  });
}

/** Adds the purchase with which a provider sent this browser back to the signed-in account. */
export function claimPurchase(http: Http, request: Request, visitor: Principal): Promise<Response> {
  const { stall } = http;
  return withPurchase(http, request, visitor, async () => {
    const { accountId, address } = visitorOf(http, request, visitor);
    if (accountId === null || visitor.kind === 'anonymous') return redirect('/sign-in?next=/claim');
    const { provider, id } = requirePurchase(request);
    return redirect(yoursByOrder(await addReturned(stall, provider, id, { accountId, address })));
  });
}

/** Turns the purchase with which a provider sent this browser back into a code for somebody else. */
export function givePurchase(http: Http, request: Request, visitor: Principal): Promise<Response> {
  const { stall, viewOf } = http;
  return withPurchase(http, request, visitor, async () => {
    const { provider, id } = requirePurchase(request);
    const found = findReturned(stall, provider, id, visitorOf(http, request, visitor));
    if (found.state !== 'yours' && found.state !== 'open' && found.state !== 'new')
      throw new ToldRefusal('invalid-request', (r) => r.account.notYourPresent);
    return sendPresent(http, viewOf(visitor), found.order, await giveOrder(stall, found.order));
  });
}

/** Sends the mail with the link to a purchase again. */
export async function sendClaimMail(http: Http, request: Request, visitor: Principal): Promise<Response> {
  const form = await readForm(request);
  return handleForm(
    async () => {
      requestMail(http.stall, 'claim', form.text('email'), mailClient(http, request));
      // The same sentence for everyone who asks.
      const { sentAgain: said } = http.viewOf(visitor).words.account.claim;
      return showClaim(http, request, visitor, { said, byMail: true });
    },
    (refused) => showClaim(http, request, visitor, { refused, byMail: true }),
  );
}

/** Receives a buyer whom a provider sends back: keeps the purchase's id in a cookie, and redirects to an address without it. */
export function takeBuyer({ stall, cookie }: Http, provider: string, typed: string): Response {
  const id = typed.trim();
  if (
    !isSaleSource(provider) ||
    (provider === DEMO && !stall.config.demo) ||
    id === '' ||
    id.length > LONGEST
  )
    return redirect('/claim', UNSEEN);
  const kept = keepPurchase({ provider, id, since: stall.now() }, cookie.mode() === 'secure');
  return redirect('/claim', { ...UNSEEN, 'Set-Cookie': kept });
}

const visitorOf = ({ budgets }: Http, request: Request, visitor: Principal) => ({
  accountId: visitor.kind === 'account' ? visitor.accountId : null,
  address: budgets.addressOf(request).key,
});

const withPurchase = (
  http: Http,
  request: Request,
  visitor: Principal,
  act: () => Promise<Response>,
): Promise<Response> => handleForm(act, (refused) => showClaim(http, request, visitor, { refused }));

function requirePurchase(request: Request): ReturnedPurchase {
  const purchase = readPurchase(request);
  if (purchase !== null) return purchase;
  throw new ToldRefusal('invalid-request', (r) => r.account.purchaseForgotten);
}

/** The seconds after which a page that waits for its purchase is loaded again: `SOON`, after `PATIENCE` of waiting `LATER`. */
const SOON = 3;
const LATER = 15;
const PATIENCE = 2 * MINUTE;

/** The result of a form that led to the page. `byMail` says that it was a form for a mail or its link; `code` was pasted. */
type ClaimResult = {
  readonly said?: string;
  readonly refused?: Refused;
  readonly byMail?: boolean;
  readonly code?: string;
};

/**
 * Sends the page that claims a purchase. It is for the purchase with which this browser was sent back; without one, or at
 * `?mail`, for the link in a mail. It is never for both, since two forms for a password confuse.
 */
export async function showClaim(
  http: Http,
  request: Request,
  visitor: Principal,
  result: ClaimResult = {},
): Promise<Response> {
  const { byMail = new URL(request.url).searchParams.has('mail') } = result;
  const purchase = byMail ? null : readPurchase(request);
  if (purchase === null) return sendClaim(http, visitor, purchase, null, result);
  const { provider, id } = purchase;
  return handleForm(
    async () => {
      const found = findReturned(http.stall, provider, id, visitorOf(http, request, visitor));
      return sendClaim(http, visitor, purchase, found, result);
    },
    (refused) => sendClaim(http, visitor, purchase, null, { refused, ...result }),
  );
}

function sendClaim(
  http: Http,
  visitor: Principal,
  purchase: ReturnedPurchase | null,
  found: Returned | null,
  { said, refused, code = '' }: ClaimResult,
): Response {
  if (found?.state === 'yours') return redirect(yoursByOrder(found.order));
  const { stall } = http;
  const view = http.viewOf(visitor);
  const { claim } = view.words.account;
  const isFound = purchase !== null && found !== null;
  const isWaiting = isFound && found.state === 'waiting';
  const isLong = isWaiting && stall.now() - purchase.since >= PATIENCE;
  // A page with the result of a form is not loaded again, so that it can be read.
  const isRefreshed = isWaiting && refused === undefined && said === undefined;
  return sendPage(
    view,
    {
      title: isWaiting
        ? claim.waitingFor({ provider: PROVIDER_NAMES[purchase.provider] })
        : isFound
          ? claim.yours
          : claim.find,
      isNarrow: true,
      said: said ?? null,
      refused: refused ?? null,
      headers: isRefreshed ? { Refresh: String(isLong ? LATER : SOON) } : {},
    },
    <>
      {isFound && <Purchase http={http} view={view} purchase={purchase} found={found} isLong={isLong} />}
      {isFound && found.state !== 'late' ? (
        <ToMail />
      ) : (
        <>
          <SendAgain sends={stall.outbox.sends} view={view} />
          <ByMail code={code} />
          {stall.config.sales.gumroadPing !== null && <ByLicenseKey />}
        </>
      )}
    </>,
  );
}
