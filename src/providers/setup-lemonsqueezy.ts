// Lemon Squeezy's variants, products and webhooks: https://docs.lemonsqueezy.com/api/variants/retrieve-variant,
// /api/products/the-product-object and /api/webhooks/create-webhook. Its API makes no products, and
// sets no link of a receipt: those alone name the order (https://docs.lemonsqueezy.com/help/products/button-link-variables).
import { idAt, known, listAt, objectAt, textAt } from '../sales/json.ts';
import { HEADERS } from './history.ts';
import { readLemonVariant } from './readers.ts';
import { madeByHand, sendChanges } from './setup-steps.ts';
import type { SetupActs } from './setup.ts';

const SITE = 'https://app.lemonsqueezy.com';

export const lemonsqueezySetup: SetupActs = {
  isTest: () => false,
  headers: { ...HEADERS.lemonsqueezy, 'Content-Type': 'application/vnd.api+json' },
  rights: 'do this',
  async setUpItem(api, wanted) {
    const id = wanted.ids[0] ?? null;
    const body = id === null ? null : await api.get(`/v1/variants/${id}?include=product`);
    const product = objectAt(body, 'included', 0, 'attributes');
    const store = product && (await api.get(`/v1/stores/${idAt(product, 'store_id')}`));
    const currency = textAt(store, 'data', 'attributes', 'currency');
    const links = known(textAt(product, 'buy_now_url')).map((url) => ({ url }));
    const variant = body === null ? null : { ...readLemonVariant(body), currency, links };
    return madeByHand('lemonsqueezy', wanted, variant, `${SITE}/products`, '510001');
  },
  async setUpWebhook(api, { url, events }, secret, isNew) {
    const all = listAt(await api.get('/v1/webhooks?page[size]=100'), 'data');
    const own = all.filter((webhook) => textAt(webhook, 'attributes', 'url') === url);
    const pathOf = (webhook: unknown) => `/v1/webhooks/${idAt(webhook, 'id')}`;
    if (own.length > 0 && !isNew && secret.value !== '') {
      const data = { type: 'webhooks', id: idAt(own[0], 'id') };
      const wrap = (attributes: unknown) => ({ data: { ...data, attributes } });
      const told = objectAt(own[0], 'attributes');
      await sendChanges(api, pathOf(own[0]), { events }, told, 'Changed the webhook', wrap);
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
