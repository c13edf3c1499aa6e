import type { Principal } from '../../../access/principal.ts';
import { checkCode, joinByCode, redeemCode } from '../../../service/codes.ts';
import { redirect } from '../../answer.ts';
import { readForm } from '../../body.ts';
import { readSigner } from './sign-in.tsx';
import { handleForm, type Refused } from '../frame/handle-form.ts';
import type { Http } from '../../http.ts';
import { Button, EmailField, Field, Form, NewPassword } from '../parts/form.tsx';
import type { OfferedItem } from '../../../sales/goods.ts';
import { sendPage } from '../frame/page.tsx';
import { ItemTitles } from '../parts/shelf.tsx';
import { yoursByItems } from './yours.tsx';

/** Opens a code's items to the account that is signed in; others are asked for one. */
export async function redeem(http: Http, request: Request, visitor: Principal): Promise<Response> {
  const { stall, budgets } = http;
  const code = (await readForm(request)).text('code');
  const address = budgets.addressOf(request).key;
  return handleForm(
    async () =>
      visitor.kind === 'account'
        ? redirect(yoursByItems(await redeemCode(stall, code, visitor.accountId, address)))
        : showRedeem(http, visitor, { code, items: await checkCode(stall, code, address) }),
    (refused) => showRedeem(http, visitor, { code, refused }),
  );
}

/** Opens a code's items to a new account. */
export async function joinAndRedeem(http: Http, request: Request, visitor: Principal): Promise<Response> {
  const { stall, cookie } = http;
  const form = await readForm(request);
  const [code, email] = [form.text('code'), form.text('email')];
  return handleForm(
    async () => {
      const joined = await joinByCode(stall, code, { email, ...readSigner(http, request, form) });
      return redirect(yoursByItems(joined.items), { 'Set-Cookie': cookie.keep(joined.cookie) });
    },
    (refused) => showRedeem(http, visitor, { code, email, refused, isJoining: true }),
  );
}

/** The typed values and their outcome: `items` are those of a right code, which asks for an account. */
type RedeemState = {
  readonly code?: string;
  readonly email?: string;
  readonly items?: readonly OfferedItem[];
  readonly refused?: Refused;
  readonly isJoining?: boolean;
};

/** Sends the page on which a code is typed; after a right one, nobody who is signed out leaves without a choice of account. */
export function showRedeem(
  { stall, viewOf }: Http,
  visitor: Principal,
  { code = '', email = '', items, refused, isJoining = false }: RedeemState = {},
): Response {
  const view = viewOf(visitor);
  const asksAccount = view.email === null && (items !== undefined || isJoining);
  const signedOut = asksAccount ? 'Make an account and get it' : 'Continue';
  const button = view.email === null ? signedOut : `Add to ${view.email}`;
  return sendPage(
    view,
    {
      title: 'Redeem a code',
      lead: 'A code opens a book, a skill or a bundle for whoever enters it.',
      refused,
      isNarrow: true,
    },
    <>
      {items !== undefined && (
        <p>
          This code opens <ItemTitles stall={stall} items={items} />.
        </p>
      )}
      {asksAccount && (
        <p>
          Make an account to keep it, or <a href="/sign-in?next=/redeem">sign in</a> if you have one and enter
          the code again.
        </p>
      )}
      <Form
        action={asksAccount ? '/redeem/account' : '/redeem'}
        label={asksAccount ? 'Make an account' : 'Redeem a code'}
      >
        <Field
          label="Code"
          name="code"
          value={code}
          hint="As svg_ABCDE-FGHJK-…; capitals and hyphens do not matter"
          autocomplete="off"
          maxLength={100}
          required
        />
        {asksAccount && <EmailField value={email} />}
        {asksAccount && <NewPassword />}
        <Button>{button}</Button>
      </Form>
    </>,
  );
}
