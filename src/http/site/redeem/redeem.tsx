import { ABSOLUTE } from '../../../access/session.ts';
import type { Principal } from '../../../access/principal.ts';
import { checkCode, joinByCode, redeemCode } from '../../../service/codes.ts';
import { readForm } from '../../form.ts';
import { refusePlainHttp, toPrincipal } from '../account/plain-http.ts';
import { handleForm } from '../frame/handle-form.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { readNewPassword } from '../parts/password-fields.tsx';
import { showRedeem } from './redeem-page.tsx';
import { sendRedeemed } from './redeemed.tsx';

/** Opens a code's items to the account that is signed in; others are asked for one. */
export async function redeem(deps: RouteDeps, request: Request, visitor: Principal): Promise<Response> {
  const { stall, viewOf, budgets } = deps;
  const code = (await readForm(request)).text('code');
  const address = budgets.addressOf(request).key;
  return handleForm(
    async () =>
      visitor.kind === 'account'
        ? sendRedeemed(deps, viewOf(visitor), await redeemCode(stall, code, visitor.accountId, address))
        : showRedeem(deps, visitor, { code, items: await checkCode(stall, code, address) }),
    (refused) => showRedeem(deps, visitor, { code, refused }),
  );
}

/** Opens a code's items to a new account. */
export async function joinAndRedeem(deps: RouteDeps, request: Request, visitor: Principal): Promise<Response> {
  const { stall, viewOf, cookie, budgets } = deps;
  const form = await readForm(request);
  const [code, email] = [form.text('code'), form.text('email')];
  return handleForm(
    async () => {
      refusePlainHttp(cookie);
      const { items, signedIn } = await joinByCode(stall, code, {
        email,
        password: readNewPassword(form),
        userAgent: request.headers.get('user-agent'),
        address: budgets.addressOf(request).key,
      });
      return sendRedeemed(deps, viewOf(toPrincipal(signedIn)), items, cookie.keep(signedIn.cookie, ABSOLUTE));
    },
    (refused) => showRedeem(deps, visitor, { code, email, refused, isJoining: true }),
  );
}
