import { Elysia } from 'elysia';
import {
  addByLink,
  addReturned,
  claimByLink,
  claimKey,
  findReturned,
  joinReturned,
} from '../../../service/claims.ts';
import { ABSOLUTE } from '../../../access/session.ts';
import type { Principal, SessionPrincipal } from '../../../access/principal.ts';
import { Refusal } from '../../../refusal.ts';
import { giveOrder } from '../../../service/codes.ts';
import { requestMail } from '../../../service/mails.ts';
import type { SignedIn } from '../../../service/sessions.ts';
import { type Form, readForm } from '../../form.ts';
import { redirect } from '../../origin.ts';
import { refusePlainHttp } from '../account/plain-http.ts';
import { handleForm } from '../frame/handle-form.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { readLinkCode } from '../parts/link-code.tsx';
import { readNewPassword } from '../parts/password-fields.tsx';
import { readPurchase, type ReturnedPurchase } from './claim-cookie.ts';
import { sendPresent } from './present.tsx';
import { claimReturn } from './claim-return.ts';
import { showClaim } from './claim-page.tsx';
import { sendClaimed } from './claimed.tsx';

/** The same sentence for everyone who asks for a mail. */
const SENT_AGAIN =
  'If this address has a purchase here, its mail is on the way. It can be asked for three times an hour.';

/** How a buyer comes to a purchase: by the page that the provider sends them back to, or by the link in a mail. */
export function claim(deps: RouteDeps) {
  const { stall, identity, viewOf, cookie, budgets } = deps;
  const toPrincipal = ({ session, account }: SignedIn): SessionPrincipal => ({
    kind: 'account',
    accountId: account.id,
    email: account.email,
    keyId: null,
    sessionId: session.id,
    isOwner: account.isOwner,
  });
  const keep = (signedIn: SignedIn): string => cookie.keep(signedIn.cookie, ABSOLUTE);
  const visitorOf = (request: Request, visitor: Principal) => ({
    accountId: visitor.kind === 'account' ? visitor.accountId : null,
    address: budgets.addressOf(request).key,
  });

  const join = async (request: Request): Promise<Response> => {
    const form = await readForm(request);
    refusePlainHttp(cookie);
    const password = readNewPassword(form);
    const { provider, id } = requirePurchase(request);
    const { address } = visitorOf(request, ANYBODY);
    const userAgent = request.headers.get('user-agent');
    const { order, signedIn } = await joinReturned(stall, provider, id, {
      address,
      password,
      userAgent,
    });
    const key = await claimKey(
      stall,
      { accountId: signedIn.account.id, email: signedIn.account.email },
      order.ref,
    );
    return sendClaimed(deps, viewOf(toPrincipal(signedIn)), order, key, keep(signedIn));
  };
  const add = async (request: Request, visitor: Principal): Promise<Response> => {
    const { accountId, address } = visitorOf(request, visitor);
    if (accountId === null || visitor.kind === 'anonymous') return redirect('/sign-in?next=/claim');
    const { provider, id } = requirePurchase(request);
    const order = await addReturned(stall, provider, id, { accountId, address });
    return sendClaimed(deps, viewOf(visitor), order, await claimKey(stall, visitor, order.ref), null);
  };
  const give = async (request: Request, visitor: Principal): Promise<Response> => {
    const { provider, id } = requirePurchase(request);
    const found = await findReturned(stall, provider, id, visitorOf(request, visitor));
    if (found.state !== 'yours' && found.state !== 'open' && found.state !== 'new') throw cannotGive();
    return sendPresent(deps, viewOf(visitor), found.order, await giveOrder(stall, found.order));
  };
  const useLink = async (
    request: Request,
    visitor: Principal,
    form: Form,
    code: string,
  ): Promise<Response> => {
    if (visitor.kind === 'account') {
      const added = await addByLink(stall, code, visitor.accountId);
      const newKey = await claimKey(stall, visitor, added.ref);
      return sendClaimed(deps, viewOf(visitor), added, newKey, null);
    }
    refusePlainHttp(cookie);
    const password = readNewPassword(form);
    const userAgent = request.headers.get('user-agent');
    const { order, signedIn } = await claimByLink(stall, code, { password, userAgent });
    if (order === null) return redirect('/dashboard', { 'Set-Cookie': keep(signedIn) });
    const key = await claimKey(
      stall,
      { accountId: signedIn.account.id, email: signedIn.account.email },
      order.ref,
    );
    return sendClaimed(deps, viewOf(toPrincipal(signedIn)), order, key, keep(signedIn));
  };

  return new Elysia()
    .use(identity)
    .get('/claim', ({ request, visitor }) => showClaim(deps, request, visitor), { visitorGuard: true })
    .post(
      '/claim',
      async ({ request, visitor }) => {
        const form = await readForm(request);
        const code = readLinkCode(form.text('code'));
        return handleForm(
          () => useLink(request, visitor, form, code),
          (refused) => showClaim(deps, request, visitor, { refused, byMail: true, code }),
        );
      },
      { visitorGuard: true, parse: 'none' },
    )
    .post(
      '/claim/account',
      ({ request, visitor }) =>
        handleForm(
          () => join(request),
          (refused) => showClaim(deps, request, visitor, { refused }),
        ),
      { visitorGuard: true, parse: 'none' },
    )
    .post(
      '/claim/add',
      ({ request, visitor }) =>
        handleForm(
          () => add(request, visitor),
          (refused) => showClaim(deps, request, visitor, { refused }),
        ),
      { visitorGuard: true, parse: 'none' },
    )
    .post(
      '/claim/present',
      ({ request, visitor }) =>
        handleForm(
          () => give(request, visitor),
          (refused) => showClaim(deps, request, visitor, { refused }),
        ),
      { visitorGuard: true, parse: 'none' },
    )
    .post(
      '/claim/mail',
      async ({ request, visitor }) => {
        const form = await readForm(request);
        return handleForm(
          async () => {
            requestMail(stall, 'claim', form.text('email'), budgets.addressOf(request).key);
            return showClaim(deps, request, visitor, { said: SENT_AGAIN, byMail: true });
          },
          (refused) => showClaim(deps, request, visitor, { refused, byMail: true }),
        );
      },
      { visitorGuard: true, parse: 'none' },
    )
    .use(claimReturn(deps));
}

const ANYBODY: Principal = { kind: 'anonymous', complaint: null };

function cannotGive(): Refusal {
  return new Refusal(
    'invalid-request',
    'Cannot turn this purchase into a present: sign in to the account that has it, or ask the stall',
  );
}

function requirePurchase(request: Request): ReturnedPurchase {
  const purchase = readPurchase(request);
  if (purchase !== null) return purchase;
  throw new Refusal(
    'invalid-request',
    'Cannot find your purchase: more than an hour has passed; use the link in the mail, or have it sent again',
  );
}
