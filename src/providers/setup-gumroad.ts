// Gumroad's products and resource subscriptions: https://gumroad.com/api#products and #resource-subscriptions.
import { idAt, listAt, objectAt, textAt } from '../sales/json.ts';
import { PING_PLACE } from '../sales/gumroad.ts';
import { readGumroadProduct } from './readers.ts';
import { madeByHand } from './setup-steps.ts';
import type { SetupActs } from './setup.ts';

const PATH = '/v2/resource_subscriptions';

export const gumroadSetup: SetupActs = {
  isTest: () => false,
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  rights: 'have the rights view_sales and view_profile',
  async setUpItem(api, wanted) {
    const id = wanted.ids[0] ?? null;
    const body = id === null ? null : await api.get(`/v2/products/${encodeURIComponent(id)}`);
    const product = objectAt(body, 'product') === null ? null : readGumroadProduct(body);
    return madeByHand('gumroad', wanted, product, 'https://gumroad.com/products', '"Ex4mple=="');
  },
  async setUpWebhook(api, { url, events }, secret, isNew) {
    const base = url.slice(0, -PING_PLACE.length);
    const all: unknown[] = [];
    for (const name of events)
      all.push(...listAt(await api.get(`${PATH}?resource_name=${name}`), 'resource_subscriptions'));
    const own = all.filter((one) => textAt(one, 'post_url')?.startsWith(base));
    // The address ends in the secret, so that it is found again if it is not kept.
    const known = isNew ? null : secret.value || textAt(own[0], 'post_url')?.slice(base.length);
    const ping = known ?? secret.make();
    if (ping !== secret.value) await secret.keep(ping);
    const sent = { post_url: base + ping };
    const current = own.filter((one) => textAt(one, 'post_url') === sent.post_url);
    const told = current.map((one) => textAt(one, 'resource_name'));
    for (const name of events.filter((event) => !told.includes(event)))
      await api.send('PUT', PATH, { resource_name: name, ...sent }, `Subscribed to ${name}`);
    for (const former of own.filter((one) => !current.includes(one))) {
      const path = `${PATH}/${encodeURIComponent(idAt(former, 'id') ?? '')}`;
      await api.send('DELETE', path, {}, 'Ended the former subscription');
    }
    if (ping === secret.value) return [];
    return ['Let the server ask Gumroad about each sale: set BOOKSTALL_GUMROAD_TOKEN to a token of yours'];
  },
};
