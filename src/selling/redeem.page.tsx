import type { Principal } from '../platform/base/principal.ts';
import { checkCode, joinByCode, redeemCode } from './code.ts';
import { redirect } from '../platform/http/answer.ts';
import { decoded } from '../platform/base/markdown-link.ts';
import { readForm } from '../platform/http/body.ts';
import { readCookie } from '../platform/http/cookie.ts';
import { handleForm, type Refused } from '../platform/site/handle-form.ts';
import type { Http } from './stall.ts';
import { Button, EmailField, Field, Form } from '../platform/site/form.tsx';
import type { OfferedItem } from '../catalog/item.rule.ts';
import { sendPage } from '../platform/site/page.tsx';
import { yoursByItems } from './yours.page.tsx';
import { readLinkCode } from '../accounts/link-code.part.tsx';
import { signerOf } from '../accounts/signer.ts';
import { ItemTitles } from '../accounts/item-titles.part.tsx';

export async function redeem(http: Http, request: Request, visitor: Principal): Promise<Response> {
  const { stall, budgets } = http;
  const form = await readForm(request);
  const code = readLinkCode(form.text('code'));
  const isLooking = form.text('look') !== '';
  const address = budgets.addressOf(request).key;
  const isAccount = visitor.kind === 'account';
  return handleForm(
    async () => {
      // A link only looks the code up. If that fails, the code is redeemed: an account that used it before sees its items.
      const looked = isLooking && isAccount ? await checkCode(stall, code, address).catch(() => null) : null;
      if (isAccount && looked === null)
        return redirect(
          yoursByItems(await redeemCode(stall, code, { accountId: visitor.accountId, address })),
          FORGOTTEN,
        );
      const items = looked ?? (await checkCode(stall, code, address));
      const kept = { 'Set-Cookie': `${CODE}=${encodeURIComponent(code)}; Max-Age=600; ${ATTRIBUTES}` };
      return showRedeem(http, request, visitor, { code, items, headers: kept });
    },
    (refused) => showRedeem(http, request, visitor, { code, refused }),
  );
}

export async function joinAndRedeem(http: Http, request: Request, visitor: Principal): Promise<Response> {
  const { stall, cookie } = http;
  const form = await readForm(request);
  const [code, email] = [form.text('code'), form.text('email')];
  return handleForm(
    async () => {
      const joined = await joinByCode(stall, code, { email, ...signerOf(http, request) });
      return redirect(yoursByItems(joined.items), { 'Set-Cookie': cookie.keep(joined.cookie) });
    },
    (refused) => {
      // If the code is invalid, the form for a new account is left out.
      const isJoining = refused.refusal.kind !== 'not-found';
      return showRedeem(http, request, visitor, { code, email, refused, isJoining });
    },
  );
}

const CODE = 'redeem';
const ATTRIBUTES = 'Path=/redeem; HttpOnly; SameSite=Lax';
const FORGOTTEN = { 'Set-Cookie': `${CODE}=; Max-Age=0; ${ATTRIBUTES}` };

/** The typed values and the result of the form. `items` are those that the code opens, once it was looked up. */
type RedeemState = {
  readonly code?: string;
  readonly email?: string;
  readonly items?: readonly OfferedItem[];
  readonly refused?: Refused;
  readonly isJoining?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
};

export function showRedeem(
  { stall, viewOf }: Http,
  request: Request,
  visitor: Principal,
  {
    code = decoded(readCookie(request, CODE) ?? ''),
    email = '',
    items,
    refused,
    isJoining = false,
    headers = {},
  }: RedeemState = {},
): Response {
  const view = viewOf(visitor);
  const words = view.words.account.redeem;
  const asksAccount = view.email === null && (items !== undefined || isJoining);
  const signedOut = asksAccount ? words.accountAndGet : words.goOn;
  const button = view.email === null ? signedOut : words.addTo({ email: view.email });
  return sendPage(
    view,
    {
      title: words.title,
      lead: words.lead,
      refused,
      headers,
      isNarrow: true,
    },
    <>
      {items !== undefined && <p>{words.opens({ items: <ItemTitles stall={stall} items={items} /> })}</p>}
      {asksAccount && (
        <p>
          {words.makeAccount((text) => (
            <a href="/sign-in?next=/redeem">{text}</a>
          ))}
        </p>
      )}
      <Form
        action={asksAccount ? '/redeem/account' : '/redeem'}
        label={asksAccount ? words.account : words.title}
      >
        <div data-fragment="code">
          <Field
            label={words.code}
            name="code"
            value={code}
            hint={words.codeHint}
            autocomplete="off"
            maxLength={200}
            required
          />
        </div>
        {items === undefined && <input type="hidden" name="look" value="1" disabled />}
        {asksAccount && <EmailField value={email} />}
        <Button>{button}</Button>
      </Form>
    </>,
  );
}
