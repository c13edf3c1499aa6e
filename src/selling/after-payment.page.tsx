import type { ComponentChildren } from 'preact';
import { isSaleSource, PROVIDER_NAMES, type SaleSource } from '../words/payment-provider.ts';
import { HOUR } from '../platform/base/duration.ts';
import { nameOrder, type Order } from './order.rule.ts';
import type { Returned } from './claim.ts';
import { readCookie } from '../platform/http/cookie.ts';
import type { Http, Stall } from './stall.ts';
import { sendPage, type View } from '../platform/site/page.tsx';
import { ContactLink } from './buy.part.tsx';
import { Button, ButtonLink, CopyLine, EmailField, Field, Form, QuietLink } from '../platform/site/form.tsx';
import { CoverImage, TitleLines } from '../catalog/items.part.tsx';
import { useWords } from '../platform/site/words.tsx';
import { findBySlug } from '../catalog/catalog.ts';
import { nameItem } from '../accounts/items.ts';
import { listBundles } from '../catalog/bundle.ts';
import { bundleCover, coverUrl } from '../catalog/cover.ts';
import { LinkCode } from '../accounts/link-code.part.tsx';
import { inLanguage } from '../platform/base/direction.ts';
import { ItemTitles } from '../accounts/item-titles.part.tsx';

type PurchaseProps = {
  readonly http: Http;
  readonly view: View;
  readonly purchase: ReturnedPurchase;
  readonly found: Exclude<Returned, { readonly state: 'yours' }>;
  readonly isLong: boolean;
};

export function Purchase({ http, view, purchase, found, isLong }: PurchaseProps) {
  const { claim } = useWords().account;
  switch (found.state) {
    case 'waiting':
      return <Waiting view={view} purchase={purchase} isLong={isLong} />;
    case 'late':
      return <p>{claim.late}</p>;
    case 'refunded':
      return <p>{claim.refunded}</p>;
    case 'given':
      return <p>{claim.given}</p>;
    case 'claimed':
      return (
        <section class="stack">
          <p>{claim.claimed(found)}</p>
          <SignInForIt sends={http.stall.outbox.sends} />
        </section>
      );
    case 'open':
    case 'known':
    case 'new':
      return (
        <section class="stack">
          <UnclaimedGoods stall={http.stall} order={found.order} />
          <NextStep view={view} found={found} sends={http.stall.outbox.sends} />
          {found.state !== 'known' && found.order.copies === 0 && <PresentForm />}
          {found.state === 'known' && <WrongAddress view={view} order={found.order} />}
        </section>
      );
  }
}

function WrongAddress({ view, order }: { readonly view: View; readonly order: Order }) {
  const { claim } = useWords().account;
  return (
    <details>
      <summary>{claim.notYours}</summary>
      <p>{claim.notYoursNote({ contact: contactOf(view), order: nameOrder(order) })}</p>
    </details>
  );
}

const contactOf = ({ manifest: { contact } }: View) =>
  contact === null ? null : <ContactLink contact={contact} />;

type Unclaimed = Extract<Returned, { readonly state: 'open' | 'known' | 'new' }>;

export function PaidGoods({ stall, order }: { readonly stall: Stall; readonly order: Order }) {
  const { claim } = useWords().account;
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
      <p class="quiet">{state === 'refunded' ? claim.refundedOrder({ ref }) : claim.paidOrder({ ref })}</p>
    </Goods>
  );
}

export function UnclaimedGoods(props: { readonly stall: Stall; readonly order: Order }) {
  const { claim } = useWords().account;
  const { copies } = props.order;
  return (
    <>
      <PaidGoods {...props} />
      {copies > 0 && <p>{claim.others({ count: copies })}</p>}
    </>
  );
}

type GoodsProps = {
  readonly stall: Stall;
  readonly slug: string;
  readonly title: string;
  readonly children: ComponentChildren;
};

export function Goods({ stall, slug, title, children }: GoodsProps) {
  const bundle = listBundles(stall.catalog()).find((one) => one.bundle.slug === slug);
  const edition = findBySlug(stall.catalog(), slug);
  const src = bundle === undefined ? edition && coverUrl(edition) : `/covers/${bundleCover(bundle).name}`;
  return (
    <div class="goods">
      {src !== undefined && <CoverImage src={src} isSquare={edition?.manifest.kind === 'skill'} />}
      <div>
        <h2 {...inLanguage(edition === undefined ? stall.manifest().language : edition.manifest.language)}>
          <TitleLines title={title} />
        </h2>
        {children}
      </div>
    </div>
  );
}

type NextStepProps = { readonly view: View; readonly found: Unclaimed; readonly sends: boolean };

function NextStep({ view, found, sends }: NextStepProps) {
  const { claim } = useWords().account;
  if (found.state === 'open' && view.email !== null)
    return (
      <Form action="/claim/add" label={claim.add}>
        <Button>{claim.addTo({ email: view.email })}</Button>
      </Form>
    );
  return (
    <>
      <p>{found.state === 'known' ? claim.known(found) : claim.signInToAdd}</p>
      <SignInForIt sends={sends} />
    </>
  );
}

function SignInForIt({ sends }: { readonly sends: boolean }) {
  const { claim, signIn } = useWords().account;
  return (
    <p class="actions">
      <ButtonLink href="/sign-in?next=/claim">{claim.signIn}</ButtonLink>
      {sends && <QuietLink href="/sign-in/mail?next=/claim">{signIn.mailLink}</QuietLink>}
    </p>
  );
}

function Waiting({ view, purchase, isLong }: Pick<PurchaseProps, 'view' | 'purchase' | 'isLong'>) {
  const { claim } = useWords().account;
  const provider = PROVIDER_NAMES[purchase.provider];
  const end = <code>{purchase.id.slice(-8)}</code>;
  return (
    <section class="stack" role="status">
      <p>{claim.waits({ provider })}</p>
      {isLong && <p>{claim.waitsLong({ contact: contactOf(view), end })}</p>}
    </section>
  );
}

export function PresentForm() {
  const { claim } = useWords().account;
  return (
    <details>
      <summary>{claim.forSomebody}</summary>
      <p class="quiet">{claim.presentNote}</p>
      <Form action="/claim/present" label={claim.present} confirm={claim.presentNote}>
        <Button kind="quiet">{claim.present}</Button>
      </Form>
    </details>
  );
}

export function sendPresent({ stall }: Http, view: View, order: Order, code: string): Response {
  const { claim } = view.words.account;
  const items = <ItemTitles stall={stall} items={order.items} />;
  return sendPage(
    view,
    { title: claim.presentTitle, lead: claim.presentOpens({ items }) },
    <section class="secret stack">
      <CopyLine text={code} label={claim.enterAt({ url: `${view.origin}/redeem` })} />
      <p>{claim.keepCode({ order: nameOrder(order) })}</p>
    </section>,
  );
}

/** A link to the form for the link from a mail. If a mailed link opened this page, the script passes its secret on. */
export function ToMail() {
  const link = (text: string) => (
    <a href="/claim?mail" data-fragment-page>
      {text}
    </a>
  );
  return <p class="quiet">{useWords().account.claim.toMail(link)}</p>;
}

/** The form for the link from a mail. The secret of such a link follows `#`, which no browser sends to a server. */
export function ByMail({ code }: { readonly code: string }) {
  const { claim, links } = useWords().account;
  return (
    <section>
      <h2>{claim.link}</h2>
      <Form action="/claim" label={claim.byLink}>
        <LinkCode value={code} />
        <input type="hidden" name="look" value="1" />
        <Button kind="quiet">{links.goOn}</Button>
      </Form>
    </section>
  );
}

type ByLinkProps = {
  readonly view: View;
  readonly linked: { readonly state: 'known' | 'open'; readonly email: string };
  readonly code: string;
  readonly sends: boolean;
};

/**
 * The form that follows the link from a mail: it adds the purchase to the signed-in account, or makes an account. If the
 * address has an account, a signed-out visitor is only asked to sign in.
 */
export function ByLink({ view, linked: { state, email }, code, sends }: ByLinkProps) {
  const { claim, signIn } = useWords().account;
  const bought = { email: <b>{email}</b> };
  if (view.email === null && state === 'known')
    return (
      <>
        <p>{claim.hasAccount(bought)}</p>
        <ButtonLink href="/sign-in">{claim.signIn}</ButtonLink>
        {sends && (
          <Form action="/sign-in/mail" label={signIn.mailLink}>
            <input type="hidden" name="email" value={email} />
            <Button kind="quiet">{signIn.mailLink}</Button>
          </Form>
        )}
      </>
    );
  return (
    <Form action="/claim" label={claim.add}>
      <input type="hidden" name="code" value={code} />
      <p>{claim.boughtWith(bought)}</p>
      <Button>{view.email === null ? claim.open : claim.addTo({ email: view.email })}</Button>
    </Form>
  );
}

/** The form for a Gumroad license key, since Gumroad does not send buyers back to this site. */
export function ByLicenseKey() {
  const { claim } = useWords().account;
  return (
    <section>
      <h2>{claim.gumroad}</h2>
      <Form action="/claim/gumroad" method="get" label={claim.byLicenseKey}>
        <Field
          label={claim.licenseKey}
          name="id"
          hint={claim.licenseKeyHint}
          autocomplete="off"
          maxLength={100}
          required
        />
        <Button kind="quiet">{claim.findMine}</Button>
      </Form>
    </section>
  );
}

/** The form that sends the mail of a purchase once more; if the stall sends no mail, how to reach the publisher. */
export function SendAgain({ sends, view }: { readonly sends: boolean; readonly view: View }) {
  const { claim } = useWords().account;
  const contact = contactOf(view);
  if (!sends) return <p class="quiet">{contact === null ? claim.noMail : claim.noMailAsk({ contact })}</p>;
  return (
    <section>
      <h2>{claim.address}</h2>
      <p>{claim.addressNote}</p>
      <Form action="/claim/mail" label={claim.sendAgain}>
        <EmailField autocomplete="email" value={view.email ?? ''} />
        <Button kind="quiet">{claim.sendAgain}</Button>
      </Form>
    </section>
  );
}

export type ReturnedPurchase = {
  readonly provider: SaleSource;
  readonly id: string;
  /** When the buyer came back, in milliseconds since 1970 UTC. */
  readonly since: number;
};

const TERM = HOUR;
const NAME = 'bookstall-claim';

/**
 * Returns the Set-Cookie header that keeps a purchase for an hour. Addresses, which other sites may see, do not hold its
 * id.
 */
export function keepPurchase({ provider, id, since }: ReturnedPurchase, isSecure: boolean): string {
  const value = `${provider}.${Buffer.from(id).toString('base64url')}.${since}`;
  return `${NAME}=${value}; Max-Age=${TERM / 1000}; Path=/claim; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}

/** Reads the purchase from a request's cookie; null if there is none, if there are two, or if it is malformed. */
export function readPurchase(request: Request): ReturnedPurchase | null {
  const value = readCookie(request, NAME) ?? '';
  const [provider = '', id = '', since = ''] = value.split('.');
  if (!isSaleSource(provider) || !/^\d{1,15}$/.test(since)) return null;
  return { provider, id: Buffer.from(id, 'base64url').toString(), since: Number(since) };
}
