// Sets up Stripe's Payment Links, whose prices and products are made with them, and its webhook endpoints:
// https://docs.stripe.com/api/payment-link/create, /api/webhook_endpoints/create and /api/idempotent_requests.
import { sha256 } from '../../platform/base/runtime.ts';
import { MOST_COPIES } from '../goods.rule.ts';
import { idAt, listAt, objectAt, textAt } from './json.ts';
import { readStripeLink } from './provider-product.ts';
import { refuseUnknown, sendChanges } from './setup-steps.ts';
import type { Sent, SetupActs, SetupApi, Wanted } from './setup.ts';

/** The API version of these requests, and of the events that new webhook endpoints send, which stripe.ts reads. */
const VERSION = '2026-10-28.endive';

/** The keys of a link's metadata that the next run reads: the item and price of the link, and the link that it replaced. */
const [MARK, REPLACES] = ['bookstall', 'bookstall_replaces'];

const KEPT = ['allow_promotion_codes', 'automatic_tax', 'billing_address_collection', 'tax_id_collection'];

export const stripeSetup: SetupActs = {
  isTest: ({ key }) => /^[sr]k_test_/.test(key),
  headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'Stripe-Version': VERSION },
  async setUpItem(api, wanted) {
    const { slug, ids } = wanted;
    const named = ids.find((id) => id.startsWith('plink_')) ?? null;
    const link = named && (await api.get(`/v1/payment_links/${named}?expand[0]=line_items`));
    if (named !== null && link === null) refuseUnknown('stripe', slug, named);
    const { amount, suggested, currency, isSubscription } = readStripeLink(link);
    if (isSubscription || (named === null && ids.length > 0)) {
      const byHand = `${ids[0]} of "${slug}", a price or subscription, is changed at https://dashboard.stripe.com`;
      return { id: null, checkoutUrl: null, byHand: [byHand] };
    }
    await retireFormer(api, link);
    const isSame =
      amount === wanted.unitAmountCents &&
      suggested === (wanted.suggestedAmountCents ?? null) &&
      currency === wanted.currency;
    // Even if item.yaml suggests no price, a link made by hand may let buyers choose. Such a link is kept.
    const isByHand = textAt(link, 'metadata', MARK) === null && (amount === null || suggested !== null);
    const isPriced = isSame || (isByHand && wanted.suggestedAmountCents == null);
    const current = link !== null && isPriced ? link : await findLink(api, link, wanted);
    const path = `/v1/payment_links/${idAt(current, 'id')}`;
    const [line, ...others] = current === link ? listAt(link, 'line_items', 'data') : [];
    // Lets buyers choose the number of copies only if the link does not say whether they may.
    const isOpen =
      sellsCopies(wanted) && others.length === 0 && objectAt(line)?.['adjustable_quantity'] === null;
    const fresh = {
      active: true,
      ...returnTo(wanted.returnUrl),
      ...(isOpen ? { line_items: [{ id: idAt(line, 'id'), adjustable_quantity: COPIES }] } : {}),
    };
    const isBack = textAt(current, 'after_completion', 'redirect', 'url') === wanted.returnUrl;
    const seen = {
      active: true,
      ...objectAt(current),
      line_items: [],
      after_completion: isBack && fresh.after_completion,
    };
    await sendChanges(api, path, { wanted: fresh, found: seen }, 'Changed the payment link');
    const finish = () => retireFormer(api, current === link ? null : current);
    return { id: idAt(current, 'id'), checkoutUrl: textAt(current, 'url'), byHand: [], finish };
  },
  async setUpWebhook(api, { url, events }, secret, isNew) {
    const all = listAt(await api.get('/v1/webhook_endpoints?limit=100'), 'data');
    const own = all.filter((endpoint) => textAt(endpoint, 'url') === url);
    const pathOf = (endpoint: unknown): string => `/v1/webhook_endpoints/${idAt(endpoint, 'id')}`;
    if (own.length > 0 && !isNew && secret.value !== '') {
      const seen = { ...objectAt(own[0]), disabled: textAt(own[0], 'status') !== 'enabled' };
      const wanted = { enabled_events: events, disabled: false };
      await sendChanges(api, pathOf(own[0]), { wanted, found: seen }, 'Changed the webhook');
      if (secret.value !== null && own.length === 1) return [];
      const reason = own.length > 1 ? 'several webhooks send here' : 'Stripe shows its secret only once';
      return [`The webhook is there, but ${reason}: name the file of that, or give --new-secret`];
    }
    await secret.begin();
    const sent = { url, enabled_events: events, api_version: VERSION, description: 'Bookstall' };
    // Sent without Idempotency-Key: with one, Stripe could repeat an earlier answer about an endpoint that is removed below.
    const made = await api.send('POST', '/v1/webhook_endpoints', sent, 'Made the webhook');
    await secret.keep(textAt(made, 'secret') ?? '');
    for (const former of own) await api.send('DELETE', pathOf(former), {}, 'Removed the former webhook');
    const lost = 'Sales while the secret was unknown: run "bookstall orders reconcile" after the restart';
    return own.length === 0 ? [] : [lost];
  },
};

/** Switches off the payment link that `link` replaced. Call it only once item.yaml has the id of `link`. */
async function retireFormer(api: SetupApi, link: unknown): Promise<void> {
  const former = textAt(link, 'metadata', REPLACES);
  const path = `/v1/payment_links/${former}`;
  if (former !== null && objectAt(await api.get(path))?.['active'] === true)
    await api.send('POST', path, { active: false }, 'Switched off the payment link');
}

const returnTo = (url: string) => ({ after_completion: { type: 'redirect', redirect: { url } } });

/** How many copies a buyer may take at once. If buyers choose the price, Stripe sells one copy only. */
const COPIES = { enabled: true, minimum: 1, maximum: MOST_COPIES };
const sellsCopies = ({ countsCopies, suggestedAmountCents }: Wanted): boolean =>
  countsCopies && suggestedAmountCents == null;

/** Finds the link for this price, which an interrupted run may have made. Otherwise makes one with the settings of `former`. */
async function findLink(api: SetupApi, former: unknown, wanted: Wanted): Promise<unknown> {
  const { slug, ids, title, unitAmountCents, suggestedAmountCents: preset = null, currency } = wanted;
  const mark = `${slug} ${unitAmountCents} ${currency}${preset === null ? '' : ` ${preset}`}`;
  // Stripe lists the newest first.
  const links = listAt(await api.get('/v1/payment_links?limit=100'), 'data');
  const found = links.find(
    (link) =>
      textAt(link, 'metadata', MARK) === mark &&
      textAt(link, 'after_completion', 'redirect', 'url') === wanted.returnUrl &&
      !ids.includes(String(idAt(link, 'id'))),
  );
  if (found !== undefined) return found;
  const lines = listAt(former, 'line_items', 'data');
  const product = lines.length === 1 ? idAt(lines[0], 'price', 'product') : null;
  const price = {
    ...(product === null ? { product_data: { name: title } } : { product }),
    currency,
    ...(preset === null
      ? { unit_amount: unitAmountCents }
      : { custom_unit_amount: { enabled: true, minimum: unitAmountCents, preset } }),
    tax_behavior: textAt(lines[0], 'price', 'tax_behavior') ?? 'unspecified',
  };
  // A price that buyers choose must be made before its link, since a new link can only make fixed prices.
  const made =
    preset === null ? null : await api.send('POST', '/v1/prices', price, 'Made the price', onceFor(price));
  const sent: Sent = {
    line_items: [
      {
        ...(made === null ? { price_data: price } : { price: idAt(made, 'id') }),
        quantity: 1,
        ...(sellsCopies(wanted) ? { adjustable_quantity: COPIES } : {}),
      },
    ],
    ...returnTo(wanted.returnUrl),
    ...Object.fromEntries(KEPT.map((name) => [name, objectAt(former)?.[name] ?? null])),
    metadata: { [MARK]: mark, [REPLACES]: idAt(former, 'id') },
  };
  return api.send('POST', '/v1/payment_links', sent, 'Made the payment link', onceFor(sent));
}

/** Makes a request idempotent: if no answer came and it is sent again within a day, nothing is made twice. */
const onceFor = (sent: Sent) => ({ 'Idempotency-Key': sha256(JSON.stringify(sent)) });
