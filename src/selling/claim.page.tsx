import {
  addByLink,
  addReturned,
  findLinked,
  type Linked,
  findReturned,
  joinBuyer,
  type Returned,
} from './claim.ts';
import type { Principal } from '../platform/base/principal.ts';
import { ToldRefusal } from '../platform/base/told.ts';
import { giveOrder } from './code.ts';
import { requestMail } from './mails.ts';
import { readForm } from '../platform/http/body.ts';
import { redirect, SECRET_ADDRESS } from '../platform/http/answer.ts';
import { handleForm, type Refused } from '../platform/site/handle-form.ts';
import type { Http } from './stall.ts';
import { isSaleSource, DEMO, PROVIDER_NAMES } from '../words/payment-provider.ts';
import {
  ByLicenseKey,
  ByLink,
  ByMail,
  keepPurchase,
  Purchase,
  readPurchase,
  type ReturnedPurchase,
  SendAgain,
  sendPresent,
  ToMail,
  UnclaimedGoods,
} from './after-payment.page.tsx';
import { openedBy, yoursByOrder } from './yours.page.tsx';
import { MINUTE } from '../platform/base/duration.ts';
import { sendPage } from '../platform/site/page.tsx';
import { readLinkCode } from '../accounts/link-code.part.tsx';
import { mailClient, signerOf } from '../accounts/signer.ts';

const LONGEST_ID = 300;

/**
 * Claims a purchase by the link from a mail, for the signed-in account. For a signed-out buyer it makes an account,
 * unless the mail's address has one, whose holder may have passed the link on.
 */
export async function claimLink(http: Http, request: Request, visitor: Principal): Promise<Response> {
  const form = await readForm(request);
  const code = readLinkCode(form.text('code'));
  return handleForm(
    () => useLink(http, request, { visitor, isLook: form.text('look') !== '', code }),
    (refused) => showClaim(http, request, visitor, { refused, byMail: true, code }),
  );
}

type LinkUse = { readonly visitor: Principal; readonly isLook: boolean; readonly code: string };

async function useLink(http: Http, request: Request, { visitor, isLook, code }: LinkUse) {
  const { stall } = http;
  const linked = findLinked(stall, code);
  if (linked.state === 'held') return openHeld(visitor, linked);
  const isKnown = visitor.kind === 'anonymous' && linked.state === 'known';
  if (isKnown || isLook) return sendLinked(http, visitor, linked, code);
  if (visitor.kind === 'account')
    return redirect(yoursByOrder(await addByLink(stall, code, visitor.accountId)));
  return letIn(http, request, linked, 'mail');
}

/** Makes the buyer's account, signs it in, and leads to what was bought. */
async function letIn(
  http: Http,
  request: Request,
  bought: Parameters<typeof joinBuyer>[1],
  by: 'return' | 'mail',
): Promise<Response> {
  const cookie = await joinBuyer(http.stall, bought, by, signerOf(http, request));
  return redirect(openedBy(http.stall, bought.order), { 'Set-Cookie': http.cookie.keep(cookie) });
}

function openHeld(visitor: Principal, { order, holder }: Linked & { readonly state: 'held' }): Response {
  const path = yoursByOrder(order);
  if (visitor.kind !== 'account') return redirect(`/sign-in?next=${encodeURIComponent(path)}`);
  if (visitor.accountId === order.accountId) return redirect(path);
  throw new ToldRefusal('not-found', (r) => r.account.heldByOther({ ref: order.ref, holder }));
}

function sendLinked(
  http: Http,
  visitor: Principal,
  linked: Exclude<Linked, { readonly state: 'held' }>,
  code: string,
): Response {
  const view = http.viewOf(visitor);
  const { claim } = view.words.account;
  return sendPage(
    view,
    { title: claim.yours, isNarrow: true },
    <section class="stack">
      <UnclaimedGoods stall={http.stall} order={linked.order} />
      <ByLink view={view} linked={linked} code={code} sends={http.stall.outbox.sends} />
    </section>,
  );
}

export function claimPurchase(http: Http, request: Request, visitor: Principal): Promise<Response> {
  const { stall } = http;
  return withPurchase(http, request, visitor, async () => {
    const { accountId, address } = visitorOf(http, request, visitor);
    if (accountId === null || visitor.kind === 'anonymous') return redirect('/sign-in?next=/claim');
    const { provider, id } = requirePurchase(request);
    return redirect(yoursByOrder(await addReturned(stall, { provider, id }, { accountId, address })));
  });
}

export function givePurchase(http: Http, request: Request, visitor: Principal): Promise<Response> {
  const { stall, viewOf } = http;
  return withPurchase(http, request, visitor, async () => {
    const { provider, id } = requirePurchase(request);
    const found = findReturned(stall, { provider, id }, visitorOf(http, request, visitor));
    if (found.state !== 'yours' && found.state !== 'open' && found.state !== 'new')
      throw new ToldRefusal('invalid-request', (r) => r.account.notYourPresent);
    return sendPresent(http, viewOf(visitor), found.order, await giveOrder(stall, found.order));
  });
}

export async function sendClaimMail(http: Http, request: Request, visitor: Principal): Promise<Response> {
  const form = await readForm(request);
  return handleForm(
    async () => {
      requestMail(http.stall, 'claim', form.text('email'), mailClient(http, request));
      // The answer is the same for every address, so that nobody can test who has bought something.
      const { sentAgain: said } = http.viewOf(visitor).words.account.claim;
      return showClaim(http, request, visitor, { said, byMail: true });
    },
    (refused) => showClaim(http, request, visitor, { refused, byMail: true }),
  );
}

/**
 * Receives a buyer whom a payment provider sends back. Keeps the purchase's id in a cookie, and redirects to an address
 * without the id.
 */
export function takeBuyer({ stall, cookie }: Http, provider: string, typed: string): Response {
  const id = typed.trim();
  if (
    !isSaleSource(provider) ||
    (provider === DEMO && !stall.config.demo) ||
    id === '' ||
    id.length > LONGEST_ID
  )
    return redirect('/claim', SECRET_ADDRESS);
  const kept = keepPurchase({ provider, id, since: stall.now() }, cookie.mode() === 'secure');
  return redirect('/claim', { ...SECRET_ADDRESS, 'Set-Cookie': kept });
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

/**
 * How soon a page reloads itself while the purchase is not known yet: after `SOON` seconds, or once it has waited
 * `PATIENCE` milliseconds, after `LATER` seconds.
 */
const SOON = 3;
const LATER = 15;
const PATIENCE = 2 * MINUTE;

/** Reports whether a person opens a page: a browser that preloads or embeds it says so in a header. */
const isOpened = ({ method, headers }: Request): boolean =>
  method === 'GET' &&
  (headers.get('sec-fetch-dest') ?? 'document') === 'document' &&
  !headers.has('sec-purpose');

/** The result of a form on this page. `byMail` means the form for a mailed link, into which `code` was pasted. */
type ClaimResult = {
  readonly said?: string;
  readonly refused?: Refused;
  readonly byMail?: boolean;
  readonly code?: string;
};

/**
 * Shows the page that claims the purchase from which a provider sent this browser back. A buyer without an account gets
 * an account on opening the page, unless a proxy signs readers in. Without such a purchase, or with `?mail`, the page
 * asks for the link from a mail.
 */
export async function showClaim(http: Http, request: Request, visitor: Principal, result: ClaimResult = {}) {
  const { byMail = new URL(request.url).searchParams.has('mail') } = result;
  const purchase = byMail ? null : readPurchase(request);
  if (purchase === null) return sendClaim(http, visitor, result);
  const { provider, id } = purchase;
  return handleForm(
    async () => {
      const who = visitorOf(http, request, visitor);
      const found = findReturned(http.stall, { provider, id }, who);
      if (found.state === 'new' && isOpened(request) && http.stall.config.proxySignIn === null)
        return letIn(http, request, found, 'return');
      return sendClaim(http, visitor, { ...result, purchase, found });
    },
    (refused) => sendClaim(http, visitor, { refused, ...result, purchase }),
  );
}

type ClaimView = ClaimResult & {
  readonly purchase?: ReturnedPurchase | null;
  readonly found?: Returned | null;
};

function sendClaim(
  http: Http,
  visitor: Principal,
  { purchase = null, found = null, said, refused, code = '' }: ClaimView,
): Response {
  if (found?.state === 'yours') return redirect(yoursByOrder(found.order));
  const { stall } = http;
  const view = http.viewOf(visitor);
  const { claim } = view.words.account;
  const isFound = purchase !== null && found !== null;
  const isWaiting = isFound && found.state === 'waiting';
  const isLong = isWaiting && stall.now() - purchase.since >= PATIENCE;
  // A page with a form's result does not reload, so that there is time to read it.
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
