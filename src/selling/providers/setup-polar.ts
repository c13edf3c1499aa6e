// Sets up Polar's products, checkout links and webhook endpoints: https://polar.sh/docs/api-reference/products/create,
// /api-reference/checkout-links/create and /api-reference/webhooks/endpoints/create.
import { idAt, listAt, objectAt, textAt } from './json.ts';
import { refuseUnknown, sendChanges } from './setup-steps.ts';
import type { SetupActs, SetupApi, Wanted } from './setup.ts';

/** The API version of these requests, and of the events that new webhook endpoints send, which polar.ts reads. */
const VERSION = '2026-10';

export const polarSetup: SetupActs = {
  isTest: ({ url }) => new URL(url).hostname.startsWith('sandbox'),
  headers: { 'Content-Type': 'application/json', 'Polar-Version': VERSION },
  async setUpItem(api, wanted) {
    const { slug, title, returnUrl } = wanted;
    // A mark in the product's metadata, by which the next run finds the product.
    const mark = `${slug} ${returnUrl}`;
    const found = await findProduct(api, wanted, mark);
    const sent = { name: title, prices: [priceOf(wanted)], metadata: { bookstall: mark } };
    const product = found ?? (await api.send('POST', '/v1/products/', sent, 'Made the product'));
    const id = idAt(product, 'id') ?? '';
    const changes = found === null ? {} : changesOf(found, wanted);
    await sendChanges(api, `/v1/products/${id}`, { wanted: changes, found: product }, 'Changed the product');
    return { id, checkoutUrl: await setUpLink(api, id, mark, wanted), byHand: [] };
  },
  async setUpWebhook(api, { url, events }, secret, isNew) {
    const all = listAt(await api.get('/v1/webhooks/endpoints?limit=100'), 'items');
    const found = all.find((endpoint) => textAt(endpoint, 'url') === url);
    const path = '/v1/webhooks/endpoints';
    const own = `${path}/${idAt(found, 'id')}`;
    const sent = { events, format: 'raw' };
    if (found === undefined || isNew) await secret.begin();
    if (found !== undefined)
      await sendChanges(api, own, { wanted: { ...sent, enabled: true }, found }, 'Changed the webhook');
    const endpoint =
      found === undefined
        ? await api.send('POST', path, { url, ...sent, api_version: VERSION }, 'Made the webhook')
        : isNew
          ? await api.send('PATCH', `${own}/secret`, {}, 'Replaced the secret of the webhook')
          : found;
    // Polar shows the secret at any time, so it is kept here even if an earlier run could not keep it.
    const given = textAt(endpoint, 'secret') ?? '(new secret)';
    if (secret.value?.split(',').includes(given) !== true) await secret.keep(given);
    return [];
  },
};

async function findProduct(api: SetupApi, { slug, ids: [id] }: Wanted, mark: string): Promise<unknown> {
  if (id !== undefined) return (await api.get(`/v1/products/${id}`)) ?? refuseUnknown('polar', slug, id);
  const marked = await api.get(`/v1/products/?limit=100&metadata[bookstall]=${encodeURIComponent(mark)}`);
  return listAt(marked, 'items').find((one) => textAt(one, 'metadata', 'bookstall') === mark) ?? null;
}

function priceOf({ unitAmountCents: amount, suggestedAmountCents, currency: price_currency }: Wanted) {
  if (suggestedAmountCents == null) return { amount_type: 'fixed', price_currency, price_amount: amount };
  return {
    amount_type: 'custom',
    price_currency,
    minimum_amount: amount,
    preset_amount: suggestedAmountCents,
  };
}

/**
 * Returns the fields of a product that must change. A product made by hand keeps its name. Prices in other currencies
 * stay, and so does a price that buyers choose from 0 up, if item.yaml suggests none.
 */
function changesOf(product: unknown, wanted: Wanted) {
  const prices = listAt(product, 'prices').map((one) => objectAt(one) ?? {});
  const former = prices.find((one) => one['price_currency'] === wanted.currency);
  const others = prices.filter((one) => one !== former).map((one) => ({ id: one['id'] }));
  const price = priceOf(wanted);
  const isChosen = wanted.suggestedAmountCents != null;
  const isFree = prices.some((one) => one['amount_type'] !== 'fixed' && !one['minimum_amount']);
  const tax = textAt(former, 'tax_behavior');
  const isPriced =
    (isFree && !isChosen) || Object.entries(price).every(([name, value]) => former?.[name] === value);
  return {
    is_archived: false,
    ...(isPriced ? {} : { prices: [...others, { ...price, ...(tax && { tax_behavior: tax }) }] }),
    ...(textAt(product, 'metadata', 'bookstall') && { name: wanted.title }),
  };
}

async function setUpLink(api: SetupApi, id: string, mark: string, { checkoutUrl, returnUrl }: Wanted) {
  const all = listAt(await api.get(`/v1/checkout-links/?product_id=${id}&limit=100`), 'items');
  const links = all.filter((link) => listAt(link, 'products').length === 1);
  const found =
    links.find((link) => checkoutUrl?.startsWith(textAt(link, 'url') ?? '?')) ??
    links.find((link) => textAt(link, 'metadata', 'bookstall') === mark);
  const returns = { success_url: returnUrl };
  const sent = { payment_processor: 'stripe', products: [id], ...returns, metadata: { bookstall: mark } };
  const link = found ?? (await api.send('POST', '/v1/checkout-links/', sent, 'Made the checkout link'));
  const path = `/v1/checkout-links/${idAt(link, 'id')}`;
  const wanted = found === undefined ? {} : returns;
  await sendChanges(api, path, { wanted, found: link }, 'Changed the checkout link');
  return textAt(link, 'url');
}
