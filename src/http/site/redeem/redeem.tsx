import { Elysia } from 'elysia';
import { ABSOLUTE } from '../../../access/session.ts';
import type { Principal } from '../../../access/principal.ts';
import { checkCode, joinByCode, redeemCode } from '../../../service/codes.ts';
import { readForm } from '../../form.ts';
import { refusePlainHttp } from '../account/plain-http.ts';
import { handleForm } from '../frame/handle-form.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { readNewPassword } from '../parts/password-fields.tsx';
import { showRedeem } from './redeem-page.tsx';
import { sendRedeemed } from './redeemed.tsx';

/** `/redeem`: a code opens its items, in the account that is signed in or into a new one. */
export function redeem(deps: RouteDeps) {
  const { stall, identity, viewOf, cookie, budgets } = deps;
  const use = async (request: Request, visitor: Principal, code: string): Promise<Response> => {
    const address = budgets.addressOf(request).key;
    if (visitor.kind === 'account')
      return sendRedeemed(deps, viewOf(visitor), await redeemCode(stall, code, visitor.accountId, address));
    const items = await checkCode(stall, code, address);
    return showRedeem(deps, visitor, { code, items });
  };

  return new Elysia()
    .use(identity)
    .get('/redeem', ({ visitor }) => showRedeem(deps, visitor), { visitorGuard: true })
    .post(
      '/redeem',
      async ({ request, visitor }) => {
        const code = (await readForm(request)).text('code');
        return handleForm(
          () => use(request, visitor, code),
          (refused) => showRedeem(deps, visitor, { code, refused }),
        );
      },
      { visitorGuard: true, parse: 'none' },
    )
    .post(
      '/redeem/account',
      async ({ request, visitor }) => {
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
            const { id, ...account } = signedIn.account;
            const member = { kind: 'account', accountId: id, ...account, keyId: null } as const;
            const view = viewOf({ ...member, sessionId: signedIn.session.id });
            return sendRedeemed(deps, view, items, cookie.keep(signedIn.cookie, ABSOLUTE));
          },
          async (refused) => showRedeem(deps, visitor, { code, email, refused, isJoining: true }),
        );
      },
      { visitorGuard: true, parse: 'none' },
    );
}
