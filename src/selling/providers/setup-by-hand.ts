// Reads the products of providers whose API makes none, and says what their owner must do. Lemon Squeezy's variants,
// products and webhooks: https://docs.lemonsqueezy.com/api/variants/retrieve-variant, /api/products/the-product-object and
// /api/webhooks/create-webhook. Its API sets no link of a receipt, and only receipts name the order
// (https://docs.lemonsqueezy.com/help/products/button-link-variables). Gumroad's products and resource subscriptions:
// https://gumroad.com/api#products and #resource-subscriptions.
import { PING_SECRET } from '../../platform/config/sales.ts';
import { formatPrice } from '../../catalog/price.rule.ts';
import type { PaymentProvider } from '../../words/payment-provider.ts';
import { PING_PLACE } from './gumroad.ts';
import { idAt, known, listAt, objectAt, textAt } from './json.ts';
import { type ProviderProduct, readGumroadProduct, readLemonVariant } from './provider-product.ts';
import { refuseUnknown, sendChanges } from './setup-steps.ts';
import type { SetupActs, SetUpItem, Wanted } from './setup.ts';

const SITE = 'https://app.lemonsqueezy.com';

export const lemonsqueezySetup: SetupActs = {
  isTest: () => false,
  headers: { 'Content-Type': 'application/vnd.api+json' },
  async setUpItem(api, wanted) {
    const id = wanted.ids[0] ?? null;
    const body = id === null ? null : await api.get(`/v1/variants/${id}?include=product`);
    const product = objectAt(body, 'included', 0, 'attributes');
    const store = product && (await api.get(`/v1/stores/${idAt(product, 'store_id')}`));
    const currency = textAt(store, 'data', 'attributes', 'currency');
    const links = known(textAt(product, 'buy_now_url')).map((url) => ({ url }));
    const variant = body === null ? null : { ...readLemonVariant(body), currency, links };
    return madeByHand('lemonsqueezy', wanted, {
      product: variant,
      page: `${SITE}/products`,
      example: '510001',
    });
  },
  async setUpWebhook(api, { url, events }, secret, isNew) {
    const all = listAt(await api.get('/v1/webhooks?page[size]=100'), 'data');
    const own = all.filter((webhook) => textAt(webhook, 'attributes', 'url') === url);
    const pathOf = (webhook: unknown) => `/v1/webhooks/${idAt(webhook, 'id')}`;
    if (own.length > 0 && !isNew && secret.value !== '') {
      const data = { type: 'webhooks', id: idAt(own[0], 'id') };
      const wrap = (attributes: unknown) => ({ data: { ...data, attributes } });
      const told = objectAt(own[0], 'attributes');
      await sendChanges(
        api,
        pathOf(own[0]),
        { wanted: { events }, found: told, wrap },
        'Changed the webhook',
      );
      if (own.length === 1 && secret.value !== null) return [];
      return [
        'The webhook is there, but its secret is not, or there are several: name the file of the secret, or make one with --new-secret',
      ];
    }
    const stores = listAt(await api.get('/v1/stores?page[size]=100'), 'data');
    if (stores.length !== 1)
      return [
        `Add the webhook ${url} to the store that sells, of ${stores.length}, at ${SITE}/settings/webhooks`,
      ];
    await secret.begin();
    const attributes = { url, events, secret: secret.make() };
    const relationships = { store: { data: { type: 'stores', id: idAt(stores[0], 'id') } } };
    const data = { type: 'webhooks', attributes, relationships };
    await api.send('POST', '/v1/webhooks', { data }, 'Made the webhook');
    await secret.keep(attributes.secret);
    for (const webhook of own) await api.send('DELETE', pathOf(webhook), {}, 'Removed the former webhook');
    return [];
  },
};

const SUBSCRIPTIONS = '/v2/resource_subscriptions';

export const gumroadSetup: SetupActs = {
  isTest: () => false,
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  async setUpItem(api, wanted) {
    const id = wanted.ids[0] ?? null;
    const body = id === null ? null : await api.get(`/v2/products/${encodeURIComponent(id)}`);
    const product = objectAt(body, 'product') === null ? null : readGumroadProduct(body);
    return madeByHand('gumroad', wanted, {
      product,
      page: 'https://gumroad.com/products',
      example: '"Ex4mple=="',
    });
  },
  async setUpWebhook(api, { url, events }, secret, isNew) {
    const base = url.slice(0, -PING_PLACE.length);
    const all: unknown[] = [];
    for (const name of events)
      all.push(...listAt(await api.get(`${SUBSCRIPTIONS}?resource_name=${name}`), 'resource_subscriptions'));
    const own = all.filter((one) => textAt(one, 'post_url')?.startsWith(base));
    // If the secret is not saved here, it is taken from the webhook's address, which ends with it.
    const kept = isNew ? null : secret.value || textAt(own[0], 'post_url')?.slice(base.length);
    // A malformed secret, perhaps typed in by hand, is replaced by a new one: with it a server might refuse to start.
    const ping = kept != null && PING_SECRET.test(kept) ? kept : secret.make();
    if (ping !== secret.value) await secret.keep(ping);
    const sent = { post_url: base + ping };
    const current = own.filter((one) => textAt(one, 'post_url') === sent.post_url);
    const told = current.map((one) => textAt(one, 'resource_name'));
    for (const name of events.filter((event) => !told.includes(event)))
      await api.send('PUT', SUBSCRIPTIONS, { resource_name: name, ...sent }, `Subscribed to ${name}`);
    for (const former of own.filter((one) => !current.includes(one))) {
      const path = `${SUBSCRIPTIONS}/${encodeURIComponent(idAt(former, 'id') ?? '')}`;
      await api.send('DELETE', path, {}, 'Ended the former subscription');
    }
    if (ping === secret.value) return [];
    return ['Let the server ask Gumroad about each sale: set BOOKSTALL_GUMROAD_TOKEN to a token of yours'];
  },
};

/**
 * Compares an item with its product at a provider whose API cannot make products, and returns the steps that the owner
 * must take there. `product` is null for an item without an id. Refuses an id that the provider does not know.
 */
function madeByHand(
  provider: PaymentProvider,
  wanted: Wanted,
  {
    product,
    page,
    example,
  }: Readonly<Record<'page' | 'example', string>> & { readonly product: ProviderProduct | null },
): SetUpItem {
  const [id] = wanted.ids;
  const { slug, title, unitAmountCents, currency, checkoutUrl, returnUrl } = wanted;
  const { suggestedAmountCents: suggestion = null } = wanted;
  const price = formatPrice(unitAmountCents, currency, suggestion);
  const asked =
    suggestion === null
      ? price
      : `what buyers want to pay, ${price}, with ${formatPrice(suggestion, currency)} suggested,`;
  const make = `Make "${title}" for ${asked} at ${page}, add its id to "${slug}", as in "sell: {${provider}: [${example}]}", and run this again`;
  if (id === undefined) return { id: null, checkoutUrl: null, byHand: [make] };
  const found = product ?? refuseUnknown(provider, slug, id);
  const { amount, suggested, currency: code } = found;
  // Even if item.yaml suggests no price, the product at the provider may let buyers choose.
  const chosen = suggestion === null ? null : suggested;
  const least = suggested !== null && suggestion === null ? unitAmountCents : amount;
  const taken = formatPrice(least ?? unitAmountCents, code?.toLowerCase() ?? currency, chosen);
  const button = `Let the buttons of the confirmation and of the receipt of "${slug}" lead to ${returnUrl} at ${page}`;
  const byHand = [
    taken !== price && `Change the price of "${slug}" from ${taken} to ${asked} at ${page}`,
    found.isTest &&
      `${id} is of the test mode: name the product that is sold, and use a key of the live mode`,
    !found.isActive && `Publish "${slug}" at ${page}`,
    checkoutUrl === null && returnUrl !== '' && button,
  ].filter((one) => one !== false);
  return { id, checkoutUrl: found.links[0]?.url ?? null, byHand };
}
