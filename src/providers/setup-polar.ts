// Polar's products, checkout links and webhook endpoints: https://polar.sh/docs/api-reference/products/create,
// /api-reference/checkout-links/create and /api-reference/webhooks/endpoints/create.
import { idAt, listAt, objectAt, textAt } from '../sales/json.ts';
import { refuseUnknown, sendChanges } from './setup-steps.ts';
import type { SetupActs, SetupApi, Wanted } from './setup.ts';

/** The version whose requests these are; endpoints send its events, which the readers know. */
const VERSION = '2026-10';

export const polarSetup: SetupActs = {
  isTest: ({ url }) => new URL(url).hostname.startsWith('sandbox'),
  headers: { 'Content-Type': 'application/json', 'Polar-Version': VERSION },
  rights: 'write products, checkout links and webhooks',
  async setUpItem(api, wanted) {
    const { slug, title, unitAmountCents, currency, returnUrl } = wanted;
    // By it the next run finds what this one made. Nothing else believes it.
    const metadata = { bookstall: `${slug} ${returnUrl}` };
    const found = await findProduct(api, wanted, metadata.bookstall);
    if (objectAt(found)?.['is_recurring'] === true) {
      const byHand = [`The price of "${slug}", a subscription, is changed at https://polar.sh/dashboard`];
      return { id: null, checkoutUrl: null, byHand };
    }
    const price = { amount_type: 'fixed', price_currency: currency, price_amount: unitAmountCents };
    const sent = { name: title, prices: [price], metadata };
    const product = found ?? (await api.send('POST', '/v1/products/', sent, 'Made the product'));
    const id = idAt(product, 'id') ?? '';
    if (found !== null) await changeProduct(api, `/v1/products/${id}`, found, price, title);
    return { id, checkoutUrl: await setUpLink(api, id, metadata, wanted), byHand: [] };
  },
  async setUpWebhook(api, { url, events }, secret, isNew) {
    const all = listAt(await api.get('/v1/webhooks/endpoints?limit=100'), 'items');
    const found = all.find((endpoint) => textAt(endpoint, 'url') === url);
    const path = '/v1/webhooks/endpoints';
    const own = `${path}/${idAt(found, 'id')}`;
    const sent = { events, format: 'raw' };
    if (found === undefined || isNew) await secret.begin();
    if (found !== undefined)
      await sendChanges(api, own, { ...sent, enabled: true }, found, 'Changed the webhook');
    const endpoint =
      found === undefined
        ? await api.send('POST', path, { url, ...sent, api_version: VERSION }, 'Made the webhook')
        : isNew
          ? await api.send('PATCH', `${own}/secret`, {}, 'Replaced the secret of the webhook')
          : found;
    // Polar tells the secret at any time, so that none gets lost.
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

type Price = { readonly price_currency: string; readonly price_amount: number };

/** A product that was made by hand keeps its name; each keeps prices in other currencies, and those that its buyers choose. */
function changeProduct(api: SetupApi, path: string, product: unknown, price: Price, title: string) {
  const prices = listAt(product, 'prices').map((one) => objectAt(one) ?? {});
  const former = prices.find((one) => one['price_currency'] === price.price_currency);
  const others = prices.filter((one) => one !== former).map((one) => ({ id: one['id'] }));
  const isPriced =
    former?.['price_amount'] === price.price_amount || prices.some((one) => one['amount_type'] !== 'fixed');
  const tax = textAt(former, 'tax_behavior');
  const changes = {
    is_archived: false,
    ...(isPriced ? {} : { prices: [...others, { ...price, ...(tax && { tax_behavior: tax }) }] }),
    ...(textAt(product, 'metadata', 'bookstall') && { name: title }),
  };
  return sendChanges(api, path, changes, product, 'Changed the product');
}

/** The address of the product's own link, which sells at the product's price of the day. */
async function setUpLink(
  api: SetupApi,
  id: string,
  metadata: { readonly bookstall: string },
  { checkoutUrl, returnUrl }: Wanted,
) {
  const all = listAt(await api.get(`/v1/checkout-links/?product_id=${id}&limit=100`), 'items');
  const links = all.filter((link) => listAt(link, 'products').length === 1);
  const found =
    links.find((link) => checkoutUrl?.startsWith(textAt(link, 'url') ?? '?')) ??
    links.find((link) => textAt(link, 'metadata', 'bookstall') === metadata.bookstall);
  const returns = { success_url: returnUrl };
  const sent = { payment_processor: 'stripe', products: [id], ...returns, metadata };
  const link = found ?? (await api.send('POST', '/v1/checkout-links/', sent, 'Made the checkout link'));
  if (found !== undefined)
    await sendChanges(
      api,
      `/v1/checkout-links/${idAt(link, 'id')}`,
      returns,
      link,
      'Changed the checkout link',
    );
  return textAt(link, 'url');
}
