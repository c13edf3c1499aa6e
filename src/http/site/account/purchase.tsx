import type { ComponentChildren } from 'preact';
import { DEMO, isPaymentProvider, PROVIDER_NAMES, type SaleSource } from '../../../payment-provider.ts';
import { HOUR } from '../../../duration.ts';
import { nameOrder, type Order } from '../../../sales/order.ts';
import type { Returned } from '../../../service/claims.ts';
import { readCookie } from '../../credential.ts';
import type { Http } from '../../http.ts';
import { sendPage, type View } from '../frame/page.tsx';
import { ContactLink } from '../parts/buy.tsx';
import {
  Button,
  ButtonLink,
  CopyLine,
  EmailField,
  Field,
  Form,
  NewPassword,
  Username,
} from '../parts/form.tsx';
import { CoverImage, ItemTitles, TitleLines } from '../parts/shelf.tsx';
import { findBySlug } from '../../../catalog/catalog.ts';
import { nameItem } from '../../../service/items.ts';
import type { Stall } from '../../../service/stall.ts';
import { listBundles } from '../../../service/storefront.ts';
import { bundleCover, coverUrl } from '../window/covers.ts';
import { LinkCode } from './sign-in.tsx';

type PurchaseProps = {
  readonly http: Http;
  readonly view: View;
  readonly purchase: ReturnedPurchase;
  readonly found: Exclude<Returned, { readonly state: 'yours' }>;
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
    case 'refunded':
      return <p>The money for this purchase was given back: it opens nothing any more.</p>;
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
    case 'open':
    case 'known':
    case 'new':
      return (
        <section class="stack">
          <PaidGoods stall={http.stall} order={found.order} />
          <NextStep view={view} found={found} />
          {found.state !== 'known' && <PresentForm />}
          {found.state !== 'open' && <WrongAddress view={view} order={found.order} />}
        </section>
      );
  }
}

/** The way out for a buyer who mistyped the address at the checkout. */
function WrongAddress({ view, order }: { readonly view: View; readonly order: Order }) {
  const { contact } = view.stall;
  return (
    <details>
      <summary>Not your address?</summary>
      <p>
        If it was mistyped when you paid, sign in to your own account here, or write to{' '}
        {contact === null ? 'the stall' : <ContactLink contact={contact} />} from your own address and name
        order {nameOrder(order)}. Choose no password for an address that is not yours.
      </p>
    </details>
  );
}

type Unclaimed = Extract<Returned, { readonly state: 'open' | 'known' | 'new' }>;

/** The items bought, under their bundle's name if they are one, and whether the order is paid or refunded. */
export function PaidGoods({ stall, order }: { readonly stall: Stall; readonly order: Order }) {
  const { items, ref, state, bundle: slug } = order;
  const [first] = items.map((item) => nameItem(stall, item.kind, item.itemKey));
  const bundle = stall.manifest().bundles.find((one) => one.slug === slug);
  return (
    <Goods stall={stall} {...(bundle ?? first ?? { slug: '', title: items[0]?.slug ?? '' })}>
      {items.length > 1 && (
        <p class="quiet">
          <ItemTitles stall={stall} items={items} />
        </p>
      )}
      <p class="quiet">
        {state === 'refunded' ? 'Refunded' : 'Paid'}. Order {ref}
      </p>
    </Goods>
  );
}

type GoodsProps = {
  readonly stall: Stall;
  readonly slug: string;
  readonly title: string;
  readonly children: ComponentChildren;
};

/** An item or a bundle with its cover, if it still exists, and `children` beside it. */
export function Goods({ stall, slug, title, children }: GoodsProps) {
  const bundle = listBundles(stall.catalog()).find((one) => one.bundle.slug === slug);
  const edition = findBySlug(stall.catalog(), slug);
  const src = bundle === undefined ? edition && coverUrl(edition) : `/covers/${bundleCover(bundle).name}`;
  return (
    <div class="goods">
      {src !== undefined && <CoverImage src={src} isSquare={edition?.manifest.kind === 'skill'} />}
      <div>
        <h2>
          <TitleLines title={title} />
        </h2>
        {children}
      </div>
    </div>
  );
}

/** The one step between a buyer and the paid items. */
function NextStep({ view, found }: { readonly view: View; readonly found: Unclaimed }) {
  if (found.state === 'open' && view.email !== null)
    return (
      <Form action="/claim/add" label="Add the purchase">
        <Button>Add to {view.email}</Button>
      </Form>
    );
  if (found.state !== 'new')
    return (
      <>
        <p>
          {found.state === 'known'
            ? `${found.holder} has an account here: sign in to add it.`
            : 'Sign in to add it to your account.'}
        </p>
        <ButtonLink href="/sign-in?next=/claim">Sign in</ButtonLink>
      </>
    );
  return (
    <>
      <Form action="/claim/account" label="Choose a password">
        <p>
          Choose a password for <b>{found.email}</b>, and it is in your library.
        </p>
        <Username email={found.email} />
        <NewPassword />
        <Button>Set password and get it</Button>
      </Form>
      <p class="quiet">
        Have you an account with another address? <a href="/sign-in?next=/claim">Sign in</a> instead.
      </p>
    </>
  );
}

function Waiting({ view, purchase, isLong }: Pick<PurchaseProps, 'view' | 'purchase' | 'isLong'>) {
  const { contact } = view.stall;
  const provider = PROVIDER_NAMES[purchase.provider];
  return (
    <section class="stack" role="status">
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

const PRESENT =
  'You get a code to pass on. The person who enters it has the purchase, and you no longer have it.';

/** The form that turns a purchase into a code for somebody else. */
export const PresentForm = () => (
  <details>
    <summary>Is it for somebody else?</summary>
    <p class="quiet">{PRESENT}</p>
    <Form action="/claim/present" label="This is a present" confirm={PRESENT}>
      <Button kind="quiet">This is a present</Button>
    </Form>
  </details>
);

/** Answers the form with the code, which no other page shows. */
export const sendPresent = ({ stall }: Http, view: View, order: Order, code: string): Response =>
  sendPage(
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
      <p>
        Keep it until it is used. If it gets lost, ask the stall for another and name order {nameOrder(order)}
        .
      </p>
    </section>,
  );

/** The way to the forms of the mail; the script takes the secret of a link that was opened here. */
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
export const ByMail = ({ code }: { readonly code: string }) => (
  <section>
    <h2>The link in your mail</h2>
    <Form action="/claim" label="By the link in your mail">
      <LinkCode value={code} />
      <input type="hidden" name="look" value="1" />
      <Button kind="quiet">Go on</Button>
    </Form>
  </section>
);

type ByLinkProps = {
  readonly view: View;
  readonly linked: { readonly state: 'known' | 'open'; readonly email: string };
  readonly code: string;
  readonly sends: boolean;
};

/**
 * The one step behind a mail's link. A link never replaces a password: an account that has one signs in, or
 * asks for a reset.
 */
export function ByLink({ view, linked: { state, email }, code, sends }: ByLinkProps) {
  const hidden = <input type="hidden" name="code" value={code} />;
  if (view.email !== null)
    return (
      <Form action="/claim" label="Add the purchase">
        {hidden}
        <p>
          It was bought with <b>{email}</b>.
        </p>
        <Button>Add to {view.email}</Button>
      </Form>
    );
  if (state === 'known')
    return (
      <>
        <p>
          <b>{email}</b> has an account here. Sign in, then open the link in the mail again.
        </p>
        <ButtonLink href="/sign-in">Sign in</ButtonLink>
        {sends && (
          <Form action="/forgot" label="Forgot your password?">
            <input type="hidden" name="email" value={email} />
            <Button kind="quiet">Mail me a link to choose a new password</Button>
          </Form>
        )}
      </>
    );
  return (
    <>
      <Form action="/claim" label="Choose a password">
        {hidden}
        <p>
          Choose a password for <b>{email}</b>, and it is in your library.
        </p>
        <Username email={email} />
        <NewPassword />
        <Button>Set password and sign in</Button>
      </Form>
      <p class="quiet">
        Have you an account with another address? <a href="/sign-in">Sign in</a>, then open the link in the
        mail again.
      </p>
    </>
  );
}

/** The form for buyers at Gumroad, which does not send them back here. */
export const ByLicenseKey = () => (
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

/** The form that sends the mail again; without mail, the contact. */
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
      <h2>Your address</h2>
      <p>
        The mail about your purchase opens it. Type the address you gave when you paid to have it sent again.
      </p>
      <Form action="/claim/mail" label="Send it again">
        <EmailField autocomplete="email" />
        <Button kind="quiet">Send it again</Button>
      </Form>
    </section>
  );
}

/** The purchase with which a provider sent this browser back, and the time. */
export type ReturnedPurchase = {
  readonly provider: SaleSource;
  readonly id: string;
  /** In milliseconds since 1970 UTC. */
  readonly since: number;
};

/** Whether events of a provider of this name are read. */
export const isSaleSource = (provider: string): provider is SaleSource =>
  isPaymentProvider(provider) || provider === DEMO;

const TERM = HOUR;
const NAME = 'bookstall-claim';

/** The header that keeps a purchase for an hour, out of the address, which histories and other sites would see. */
export function keepPurchase({ provider, id, since }: ReturnedPurchase, isSecure: boolean): string {
  const value = `${provider}.${Buffer.from(id).toString('base64url')}.${since}`;
  return `${NAME}=${value}; Max-Age=${TERM / 1000}; Path=/claim; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}

/** The purchase in a request's cookie; null without one, with two, or with one of another spelling. */
export function readPurchase(request: Request): ReturnedPurchase | null {
  const value = readCookie(request, NAME) ?? '';
  const [provider = '', id = '', since = ''] = value.split('.');
  if (!isSaleSource(provider) || !/^\d{1,15}$/.test(since)) return null;
  return { provider, id: Buffer.from(id, 'base64url').toString(), since: Number(since) };
}
