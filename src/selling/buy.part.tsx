import type { Manifest } from '../catalog/item.rule.ts';
import { type Sell } from '../catalog/manifest-key.rule.ts';
import { ButtonLink, CopyLine } from '../platform/site/form.tsx';
import { useWords } from '../platform/site/words.tsx';
import type { Words } from '../words/words.ts';
import { PAYMENT_PROVIDERS, type PaymentProvider, PROVIDER_NAMES } from '../words/payment-provider.ts';
import type { Config } from '../platform/config/config.ts';
import { takesSales } from '../platform/config/sales.ts';
import { CONNECT_AGENTS, type ConnectPlace, type ConnectStep } from '../catalog/connect.rule.ts';
import { priceIn } from '../catalog/item-words.ts';
import { sendsBack } from './claim.rule.ts';

type Buyer = {
  readonly manifest: { readonly contact: string | null };
  readonly email: string | null;
  readonly isUnproven: () => boolean;
  readonly isDemo: boolean;
  readonly afterBuying: (sell: Sell | null, isAnnounced: boolean) => string | null;
};

type Priced = Pick<
  Manifest,
  'slug' | 'unitAmountCents' | 'currency' | 'checkoutUrl' | 'sell' | 'publisher'
> & {
  readonly contact?: string | null;
  readonly suggestedAmountCents?: number | null;
  readonly status?: Manifest['status'];
};

/** Returns the address of a checkout; null if there is none. A demo sells everything that has a price in its own checkout. */
export const checkoutOf = (
  { isDemo }: Pick<Buyer, 'isDemo'>,
  { slug, unitAmountCents, checkoutUrl }: Priced,
) => (isDemo && unitAmountCents ? `/demo/buy/${slug}` : checkoutUrl);

type BuyProps = { readonly view: Buyer; readonly priced: Priced };

export const Buy = (props: BuyProps) => (
  <>
    <BuyLink {...props} />
    <BuyNote {...props} />
  </>
);

export function BuyLink({ view, priced }: BuyProps) {
  const words = useWords();
  const { sell, unitAmountCents, suggestedAmountCents } = priced;
  const { buy } = words.shop;
  const say = suggestedAmountCents == null ? buy.button : buy.buttonFrom;
  const checkoutUrl = checkoutOf(view, priced);
  if (checkoutUrl === null || !unitAmountCents) return null;
  return (
    <ButtonLink href={checkoutLink(checkoutUrl, sell, view.email)}>
      {say({ price: priceIn(words, priced) })}
    </ButtonLink>
  );
}

export function BuyNote({ view, priced }: BuyProps) {
  const { buy } = useWords().shop;
  const { unitAmountCents, sell, publisher, status } = priced;
  const checkoutUrl = checkoutOf(view, priced);
  if (!unitAmountCents) return unitAmountCents === null ? <p class="quiet">{buy.noPrice}</p> : null;
  const after = checkoutUrl === null ? null : view.afterBuying(sell, status === 'announced');
  if (checkoutUrl !== null) return after === null ? null : <p class="quiet">{after}</p>;
  const contact = priced.contact ?? view.manifest.contact;
  const notYet = sell === null && `${buy.notYet} `;
  if (contact === null)
    return (
      <p class="quiet">
        {notYet}
        {buy.askPublisher({ publisher })}
      </p>
    );
  return (
    <p>
      {notYet}
      {buy.write({ contact: <ContactLink contact={contact} /> })}
    </p>
  );
}

type BoughtProps = { readonly view: Pick<Buyer, 'email' | 'isUnproven'>; readonly from: string };

export function Bought({ view: { email, isUnproven }, from }: BoughtProps) {
  const { item } = useWords().shop;
  const to = (href: string) => (text: string) => <a href={href}>{text}</a>;
  const ways = { find: to('/claim'), redeem: to('/redeem'), account: to('/dashboard/account') };
  if (email === null)
    return (
      <p class="quiet">
        {item.boughtOrSignIn({ ...ways, signIn: to(`/sign-in?next=${encodeURIComponent(from)}`) })}
      </p>
    );
  return (
    <p class="quiet">
      {isUnproven() ? item.boughtUnproven({ ...ways, email: <b>{email}</b> }) : item.bought(ways)}
    </p>
  );
}

/** The hosts of the providers' checkouts, and the query parameter that takes the buyer's e-mail address, if there is one. */
const CHECKOUTS: Readonly<Record<PaymentProvider, { readonly host: RegExp; readonly email: string | null }>> =
  {
    stripe: { host: /(^|\.)stripe\.com$/, email: 'prefilled_email' },
    polar: { host: /(^|\.)polar\.sh$/, email: 'customer_email' },
    lemonsqueezy: { host: /(^|\.)lemonsqueezy\.com$/, email: 'checkout[email]' },
    gumroad: { host: /(^|\.)gumroad\.com$/, email: null },
  };

/** Returns the address of the checkout, with the e-mail address of a signed-in reader, so that their account gets the sale. */
function checkoutLink(checkoutUrl: string, sell: Sell | null, email: string | null): string {
  const provider = email === null ? null : providerOf(checkoutUrl, sell);
  const name = provider && CHECKOUTS[provider].email;
  const url = URL.parse(checkoutUrl);
  if (email === null || name === null || url === null || url.searchParams.has(name)) return checkoutUrl;
  url.searchParams.append(name, email);
  return url.href;
}

/** Returns the provider of a checkout, by its host; at a publisher's own domain, the only provider in `sell`; else null. */
function providerOf(checkoutUrl: string, sell: Sell | null): PaymentProvider | null {
  const hostname = URL.parse(checkoutUrl)?.hostname ?? '';
  const known = PAYMENT_PROVIDERS.find((provider) => CHECKOUTS[provider].host.test(hostname));
  if (known !== undefined) return known;
  const sellers = PAYMENT_PROVIDERS.filter((provider) => (sell?.[provider].length ?? 0) > 0);
  return sellers.length === 1 ? (sellers[0] ?? null) : null;
}

/** Returns a sentence on what happens after buying; null if no provider tells the stall of the sale. */
export function afterBuying(
  { sales, demo, mail }: Pick<Config, 'sales' | 'demo' | 'mail'>,
  sell: Omit<Sell, 'least'> | null,
  isAnnounced: boolean,
  { shop: { buy } }: Words,
): string | null {
  if (demo) return buy.demo;
  const provider = PAYMENT_PROVIDERS.find((one) => (sell?.[one].length ?? 0) > 0 && takesSales(sales, one));
  if (provider === undefined) return null;
  const [atOnce, ahead] = sendsBack(provider)
    ? [buy.payAt, buy.payAhead]
    : [buy.payForKey, buy.payAheadForKey];
  const pay = isAnnounced ? ahead : atOnce;
  return [pay({ provider: PROVIDER_NAMES[provider] }), ...(mail === null ? [] : [buy.news])].join(' ');
}

export function ContactLink({ contact }: { contact: string }) {
  if (/^https:\/\/\S+$/i.test(contact)) return <a href={contact}>{contact.slice('https://'.length)}</a>;
  if (/^[^\s@<>"(),:;?&]+@[^\s@<>"(),:;?&]+$/.test(contact))
    return <a href={`mailto:${contact}`}>{contact}</a>;
  return <>{contact}</>;
}

/** Shows how each agent is connected: by the recommended line, with other ways folded. Only the first agent is expanded. */
export function AgentSteps({ place }: { place: ConnectPlace }) {
  const { shop } = useWords();
  return (
    <div class="agents">
      {CONNECT_AGENTS.map(({ name, title, steps, isSequence }, n) => (
        <details id={name} open={n === 0}>
          <summary>{title}</summary>
          <Ways steps={steps({ ...place, words: shop.steps })} isSequence={isSequence === true} />
        </details>
      ))}
    </div>
  );
}

function Ways({ steps, isSequence }: { steps: readonly ConnectStep[]; isSequence: boolean }) {
  const { connect } = useWords().shop;
  const [first, ...others] = steps;
  if (first === undefined || isSequence || others.length === 0) return <Steps steps={steps} />;
  return (
    <>
      <p class="quiet">{connect.recommended}</p>
      <Step step={first} />
      <details>
        <summary>{connect.otherWays}</summary>
        <Steps steps={others} />
      </details>
    </>
  );
}

const Steps = ({ steps }: { steps: readonly ConnectStep[] }) => (
  <>
    {steps.map((step) => (
      <Step step={step} />
    ))}
  </>
);

function Step({ step: { does, line, file, kept, undo, needsKey } }: { step: ConnectStep }) {
  const { shop, library } = useWords();
  const { connect } = shop;
  return (
    <div class="stack">
      <CopyLine text={line} label={file === null ? does : connect.putInto({ does, file })} />
      {(kept !== null || undo !== null) && (
        <p class="hint">
          {kept}
          {undo !== null && <> {connect.undo({ line: <code>{undo}</code> })}</>}
        </p>
      )}
      {needsKey && (
        <p class="hint">
          {connect.keyFrom({ keys: <a href="/dashboard/api-keys">{library.keys.title}</a> })}
        </p>
      )}
    </div>
  );
}
