import type { Principal } from '../../../access/principal.ts';
import type { OfferedItem } from '../../../sales/offer.ts';
import type { Refused } from '../frame/handle-form.ts';
import { sendPage } from '../frame/page.tsx';
import type { RouteDeps } from '../frame/route-deps.ts';
import { Field } from '../parts/field.tsx';
import { Button, Form } from '../parts/form.tsx';
import { PageHeading } from '../parts/heading.tsx';
import { ItemTitles } from '../parts/item-titles.tsx';
import { Notice } from '../parts/notice.tsx';
import { PasswordFields } from '../parts/password-fields.tsx';

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
  { service, viewOf }: RouteDeps,
  visitor: Principal,
  { code = '', email = '', items, refused, isJoining = false }: RedeemState = {},
): Response {
  const view = viewOf(visitor);
  const asksAccount = view.email === null && (items !== undefined || isJoining);
  return sendPage(
    view,
    { title: 'Redeem a code', ...refused },
    <div class="narrow">
      <PageHeading title="Redeem a code" />
      {refused !== undefined && <Notice kind="bad">{refused.sentence}</Notice>}
      {items !== undefined && (
        <p>
          This code opens <ItemTitles service={service} items={items} />.
        </p>
      )}
      {asksAccount ? (
        <NewAccount code={code} email={email} />
      ) : (
        <Form action="/redeem" label="Redeem a code">
          <CodeField code={code} />
          <Button>{view.email === null ? 'Continue' : `Add to ${view.email}`}</Button>
        </Form>
      )}
    </div>,
  );
}

function CodeField({ code }: { readonly code: string }) {
  return (
    <Field
      label="Code"
      name="code"
      value={code}
      hint="As svg_ABCDE-FGHJK-…; capitals and hyphens do not matter"
      autocomplete="off"
      maxLength={100}
      required
    />
  );
}

function NewAccount({ code, email }: { readonly code: string; readonly email: string }) {
  return (
    <section class="stack">
      <p>
        Make an account to keep it, or <a href="/sign-in?next=/redeem">sign in</a> if you have one and enter
        the code again.
      </p>
      <Form action="/redeem/account" label="Make an account">
        <CodeField code={code} />
        <Field label="E-mail" name="email" type="email" value={email} autocomplete="username" required />
        <PasswordFields />
        <Button>Make an account and get it</Button>
      </Form>
    </section>
  );
}
