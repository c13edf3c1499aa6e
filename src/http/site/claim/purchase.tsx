import { PROVIDER_NAMES } from '../../../payment-provider.ts';
import type { Order } from '../../../sales/order.ts';
import type { Returned } from '../../../service/claims.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import type { View } from '../frame/view.ts';
import { ContactLink } from '../parts/contact-link.tsx';
import { Button, ButtonLink, Form } from '../parts/form.tsx';
import { ItemTitles } from '../parts/item-titles.tsx';
import { PasswordFields } from '../parts/password-fields.tsx';
import type { ReturnedPurchase } from './claim-cookie.ts';
import { PresentForm } from './present.tsx';

type PurchaseProps = {
  readonly deps: RouteDeps;
  readonly view: View;
  readonly purchase: ReturnedPurchase;
  readonly found: Returned;
  readonly isLong: boolean;
};

/** The form or the sentence for the purchase's present state. */
export function Purchase({ deps, view, purchase, found, isLong }: PurchaseProps) {
  switch (found.state) {
    case 'waiting':
      return <Waiting view={view} purchase={purchase} isLong={isLong} />;
    case 'late':
      return (
        <p>
          This page claims a purchase within 24 hours. Use the link in the mail, or have it sent again below.
        </p>
      );
    case 'given':
      return <p>This purchase is a present: its code opens it at /redeem.</p>;
    case 'yours':
      return (
        <section class="stack">
          <p>
            <Bought deps={deps} order={found.order} /> is in your library.
          </p>
          <ButtonLink href="/dashboard">Open your library</ButtonLink>
          <PresentForm />
        </section>
      );
    case 'claimed':
      return <SignInInstead holder={found.holder} />;
    case 'open':
      return <Add deps={deps} view={view} order={found.order} />;
    case 'known':
      return (
        <section class="stack">
          <p>
            <Bought deps={deps} order={found.order} /> is paid. {found.holder} has an account here: sign in to
            add it.
          </p>
          <ButtonLink href="/sign-in?next=/claim">Sign in</ButtonLink>
        </section>
      );
    case 'new':
      return <ChoosePassword deps={deps} order={found.order} email={found.email} />;
  }
}

function Bought({ deps, order }: { readonly deps: RouteDeps; readonly order: Order }) {
  return <ItemTitles service={deps.service} items={order.items} />;
}

function Waiting({
  view,
  purchase: { provider, id },
  isLong,
}: Pick<PurchaseProps, 'view' | 'purchase' | 'isLong'>) {
  const { contact } = view.stall;
  return (
    <section class="stack" role="status">
      <h2>Waiting for {PROVIDER_NAMES[provider]}</h2>
      <p>
        {PROVIDER_NAMES[provider]} tells this stall about your payment, usually within seconds. This page
        looks again by itself.
      </p>
      {isLong && (
        <p>
          It takes longer than usual. Your purchase is not lost: its mail comes as soon as the payment is
          known. If it does not come,{' '}
          {contact === null ? (
            'write to the stall'
          ) : (
            <>
              write to <ContactLink contact={contact} />
            </>
          )}{' '}
          and name the reference that ends in <code>{id.slice(-8)}</code>.
        </p>
      )}
    </section>
  );
}

function SignInInstead({ holder }: { readonly holder: string }) {
  return (
    <section class="stack">
      <p>
        It is in the library of {holder === '' ? 'another account' : holder}. Sign in to that account to read
        it.
      </p>
      <ButtonLink href="/sign-in">Sign in</ButtonLink>
    </section>
  );
}

function Add({
  deps,
  view,
  order,
}: {
  readonly deps: RouteDeps;
  readonly view: View;
  readonly order: Order;
}) {
  return (
    <section class="stack">
      <p>
        <Bought deps={deps} order={order} /> is paid, order <b>{order.ref}</b>.
      </p>
      {view.email === null ? (
        <ButtonLink href="/sign-in?next=/claim">Sign in to add it</ButtonLink>
      ) : (
        <Form action="/claim/add" label="Add the purchase">
          <Button>Add to {view.email}</Button>
        </Form>
      )}
      <PresentForm />
    </section>
  );
}

function ChoosePassword({
  deps,
  order,
  email,
}: {
  readonly deps: RouteDeps;
  readonly order: Order;
  readonly email: string;
}) {
  return (
    <section class="stack">
      <p>
        <Bought deps={deps} order={order} /> is paid, order <b>{order.ref}</b>. Choose a password for your
        account, <b>{email}</b>. If you have an account with another address,{' '}
        <a href="/sign-in?next=/claim">sign in</a> instead.
      </p>
      <Form action="/claim/account" label="Choose a password">
        {/* Password managers file a password under a name. */}
        <input type="email" name="email" value={email} autocomplete="username" readOnly hidden />
        <PasswordFields />
        <Button>Set password and get it</Button>
      </Form>
      <PresentForm />
    </section>
  );
}
