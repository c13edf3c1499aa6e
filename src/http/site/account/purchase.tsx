import { PROVIDER_NAMES } from '../../../payment-provider.ts';
import type { Order } from '../../../sales/order.ts';
import type { Returned } from '../../../service/claims.ts';
import type { Http } from '../../http.ts';
import { sendPage, type View } from '../frame/page.tsx';
import { ContactLink } from '../parts/buy.tsx';
import { Button, ButtonLink, CopyLine, Field, Form, PasswordFields, Username } from '../parts/form.tsx';
import { ItemTitles } from '../parts/shelf.tsx';
import type { ReturnedPurchase } from './claim.tsx';
import type { CreatedKey } from '../../../service/keys.ts';
import { BEARER_VARIABLE, curlLines } from '../../../item/connect.ts';
import { nameItem } from '../../../service/items.ts';
import { LinkCode } from './sign-in.tsx';

type PurchaseProps = {
  readonly http: Http;
  readonly view: View;
  readonly purchase: ReturnedPurchase;
  readonly found: Returned;
  readonly isLong: boolean;
};

/** The form or the sentence for the purchase's present state. */
export function Purchase({ http, view, purchase, found, isLong }: PurchaseProps) {
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
    case 'claimed':
      return (
        <section class="stack">
          <p>
            It is in the library of {found.holder === '' ? 'another account' : found.holder}. Sign in to that
            account to read it.
          </p>
          <ButtonLink href="/sign-in">Sign in</ButtonLink>
        </section>
      );
    case 'yours':
    case 'open':
    case 'known':
    case 'new':
      return (
        <section class="stack">
          <Bought http={http} view={view} found={found} />
          {found.state !== 'known' && <PresentForm />}
        </section>
      );
  }
}

type Known = Exclude<Returned, { readonly state: 'waiting' | 'late' | 'given' | 'claimed' }>;

/** A purchase that is paid, and the way to it. */
function Bought({ http, view, found }: Pick<PurchaseProps, 'http' | 'view'> & { readonly found: Known }) {
  const { items, ref } = found.order;
  const titles = <ItemTitles stall={http.stall} items={items} />;
  switch (found.state) {
    case 'yours':
      return (
        <>
          <p>{titles} is in your library.</p>
          <ButtonLink href="/dashboard">Open your library</ButtonLink>
        </>
      );
    case 'open':
      return (
        <>
          <p>
            {titles} is paid, order <b>{ref}</b>.
          </p>
          {view.email === null ? (
            <ButtonLink href="/sign-in?next=/claim">Sign in to add it</ButtonLink>
          ) : (
            <Form action="/claim/add" label="Add the purchase">
              <Button>Add to {view.email}</Button>
            </Form>
          )}
        </>
      );
    case 'known':
      return (
        <>
          <p>
            {titles} is paid. {found.holder} has an account here: sign in to add it.
          </p>
          <ButtonLink href="/sign-in?next=/claim">Sign in</ButtonLink>
        </>
      );
    case 'new':
      return (
        <>
          <p>
            {titles} is paid, order <b>{ref}</b>. Choose a password for your account, <b>{found.email}</b>. If
            you have an account with another address, <a href="/sign-in?next=/claim">sign in</a> instead.
          </p>
          <Form action="/claim/account" label="Choose a password">
            <Username email={found.email} />
            <PasswordFields />
            <Button>Set password and get it</Button>
          </Form>
        </>
      );
  }
}

function Waiting({ view, purchase, isLong }: Pick<PurchaseProps, 'view' | 'purchase' | 'isLong'>) {
  const { contact } = view.stall;
  const provider = PROVIDER_NAMES[purchase.provider];
  return (
    <section class="stack" role="status">
      <h2>Waiting for {provider}</h2>
      <p>
        {provider} tells this stall about your payment, usually within seconds. This page looks again by
        itself.
      </p>
      {isLong && (
        <p>
          It takes longer than usual. Your purchase is not lost: its mail comes as soon as the payment is
          known. If it does not come, write to{' '}
          {contact === null ? 'the stall' : <ContactLink contact={contact} />} and name the reference that
          ends in <code>{purchase.id.slice(-8)}</code>.
        </p>
      )}
    </section>
  );
}

/** The form that turns a purchase into a code for somebody else. */
function PresentForm() {
  return (
    <Form
      action="/claim/present"
      label="This is a present"
      confirm="You get a code to pass on. The person who enters it has the purchase, and you no longer have it."
    >
      <Button kind="quiet">This is a present</Button>
    </Form>
  );
}

/** Answers that form with the code, which no other page shows. */
export function sendPresent({ stall }: Http, view: View, order: Order, code: string): Response {
  return sendPage(
    view,
    {
      title: 'A present',
      lead: (
        <>
          This code opens <ItemTitles stall={stall} items={order.items} /> to the first person who enters it.
        </>
      ),
    },
    <section class="secret stack">
      <CopyLine text={code} label={`Enter it at ${view.origin}/redeem; it is shown only once`} />
      <p>Keep it until it is used. If it gets lost, ask the stall for another and name order {order.ref}.</p>
    </section>,
  );
}

/** The most items with a line of their own; the library has them all. */
const MOST_LINES = 10;

/** Answers the form that claimed an order: its items, a new key, which no other page shows, and the lines that install. */
export function sendClaimed(
  { stall }: Http,
  view: View,
  order: Order,
  key: CreatedKey | null,
  cookie: string | null,
): Response {
  return sendPage(
    view,
    {
      title: 'In your library',
      lead: (
        <>
          <ItemTitles stall={stall} items={order.items} /> is yours. Order {order.ref}.
        </>
      ),
      actions: <ButtonLink href="/dashboard">Open your library</ButtonLink>,
      headers: cookie === null ? {} : { 'Set-Cookie': cookie },
    },
    <>
      {key !== null && (
        <section class="secret stack">
          <h2>Your key</h2>
          <CopyLine
            text={`export BOOKSTALL_KEY=${key.secret}`}
            label="For the lines below; it is shown only once"
          />
          <p>Anyone who has this key can read what you own: keep it as safe as a password.</p>
        </section>
      )}
      <section>
        <h2>Install</h2>
        {order.items.slice(0, MOST_LINES).map(({ kind, itemKey, slug }) => {
          const now = nameItem(stall, kind, itemKey)?.slug ?? slug;
          return (
            <CopyLine
              text={curlLines.install(view.origin, BEARER_VARIABLE, now)}
              label={`Install into the folder ${now}`}
            />
          );
        })}
      </section>
    </>,
  );
}

/** The way to the forms of the mail; the script takes the secret of a link there that was opened here. */
export function ToMail() {
  return (
    <p class="quiet">
      Have you a mail of this stall?{' '}
      <a href="/claim?mail" data-fragment-page>
        Use its link, or have it sent again
      </a>
    </p>
  );
}

/** The form of the link in a mail. Its secret follows `#`, where no server and no log sees it. */
export function ByMail({ code, email }: { readonly code: string; readonly email: string | null }) {
  return (
    <section>
      <h2>By the link in your mail</h2>
      {email === null && (
        <p class="quiet">
          Choose a password for your account. If you have one already,{' '}
          <a href="/sign-in?next=/claim?mail">sign in</a>, then open the link again.
        </p>
      )}
      <Form action="/claim" label="By the link in your mail">
        <LinkCode value={code} />
        {email === null && <PasswordFields />}
        <Button>{email === null ? 'Set password and sign in' : `Add to ${email}`}</Button>
      </Form>
    </section>
  );
}

/** The form for buyers at Gumroad, which does not send them back here. */
export function ByLicenseKey() {
  return (
    <section>
      <h2>Bought at Gumroad?</h2>
      <Form action="/claim/gumroad" method="get" label="By the license key">
        <Field
          label="License key"
          name="id"
          hint="Gumroad’s receipt shows it"
          autocomplete="off"
          maxLength={100}
          required
        />
        <Button kind="quiet">Find my purchase</Button>
      </Form>
    </section>
  );
}

/** The form that has the mail sent again; without mail, whom to ask. */
export function SendAgain({ sends, view }: { readonly sends: boolean; readonly view: View }) {
  const { contact } = view.stall;
  if (!sends)
    return (
      <p class="quiet">
        No link? This stall sends no mail: ask the people who run it
        {contact !== null && (
          <>
            {' '}
            (<ContactLink contact={contact} />)
          </>
        )}
        , and name your order.
      </p>
    );
  return (
    <section>
      <h2>No mail yet?</h2>
      <Form action="/claim/mail" label="Send it again">
        <Field
          label="E-mail"
          name="email"
          type="email"
          hint="The address you gave when you paid"
          autocomplete="email"
          required
        />
        <Button kind="quiet">Send it again</Button>
      </Form>
    </section>
  );
}
