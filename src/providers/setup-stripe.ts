// Stripe's products, prices, Payment Links and webhook endpoints: https://docs.stripe.com/api/products/create,
// /api/prices/create, /api/payment-link/create, /api/webhook_endpoints/create and /api/idempotent_requests.
import { sha256 } from '../runtime.ts';
import { Refusal } from '../refusal.ts';
import { idAt, listAt, objectAt, textAt } from '../sales/json.ts';
import { readStripeLink } from './readers.ts';
import type { Sent, SetupActs, SetupApi, Wanted } from './setup.ts';

/** The version whose requests these are; endpoints send its events, which the readers know. */
const VERSION = '2026-10-28.endive';
export const STRIPE_HEADERS = { 'Stripe-Version': VERSION };

/** What an object is for, in its metadata, so that the next run finds it. Nothing else believes it. */
const MARK = 'bookstall';
const REPLACES = 'bookstall_replaces';

/** The settings of a link that its replacement keeps. */
const KEPT = ['allow_promotion_codes', 'automatic_tax', 'billing_address_collection', 'tax_id_collection'];
const WITH_PRODUCT = 'expand[0]=line_items.data.price.product';

export const stripeSetup: SetupActs = {
  isTest: ({ key }) => /^[sr]k_test_/.test(key),
  rights: 'write Products, Prices, Payment Links and Webhook Endpoints',
  async setUpItem(api, wanted) {
    const { slug, ids } = wanted;
    const named = ids.find((id) => id.startsWith('plink_')) ?? null;
    if (named === null && ids.length > 0) return leave(`${ids[0]}, a price of "${slug}"`);
    // Stripe counts both in hundredths, and everyone else in whole ones.
    if (['isk', 'ugx'].includes(wanted.currency))
      throw Refusal.invalid(
        `Cannot set up "${slug}" in ${wanted.currency.toUpperCase()}: Stripe counts it in hundredths; choose another currency`,
      );
    const link = named === null ? null : await api.get(`/v1/payment_links/${named}?${WITH_PRODUCT}`);
    if (named !== null && link === null)
      throw Refusal.invalid(
        `Cannot set up "${slug}": Stripe does not know ${named}; remove it from the item, or use a key of the account that has it`,
      );
    const { amount, currency, isSubscription } = readStripeLink(link);
    if (isSubscription) return leave(`${named}, the subscription of "${slug}"`);
    await retireFormer(api, link);
    // Without an amount the buyer chooses it.
    const isPriced = amount === null || (amount === wanted.unitAmountCents && currency === wanted.currency);
    if (link !== null && isPriced) {
      await renameProduct(api, link, wanted);
      return { id: named, ...(await mendLink(api, link, wanted)), formerUrl: null, byHand: [] };
    }
    const price = await findPrice(api, link, wanted);
    const made = await findLink(api, link, wanted, price);
    return {
      id: idAt(made, 'id'),
      ...(await mendLink(api, made, wanted)),
      formerUrl: textAt(link, 'url'),
      byHand: [],
      finish: () => retireFormer(api, made),
    };
  },
  async setUpWebhook(api, { url, events }, secret, isNew) {
    const all = await listAll(api, '/v1/webhook_endpoints?limit=100');
    const own = all.filter((endpoint) => textAt(endpoint, 'url') === url);
    const [first] = own;
    if (first !== undefined && !isNew && secret.value !== '') {
      const told = listAt(first, 'enabled_events');
      const changes = {
        ...(told.length === events.length && events.every((event) => told.includes(event))
          ? {}
          : { enabled_events: events }),
        ...(textAt(first, 'status') === 'enabled' ? {} : { disabled: false }),
      };
      const path = `/v1/webhook_endpoints/${idAt(first, 'id')}`;
      if (Object.keys(changes).length > 0) await api.send('POST', path, changes, 'Changed the webhook');
      if (secret.value === null)
        return [
          'Stripe shows the secret of a webhook only once, and it is not here. Name the file that has it, or let --new-secret make a new one',
        ];
      return own.length === 1
        ? []
        : [`${own.length} webhooks at Stripe send to this address. Let --new-secret make them one`];
    }
    await secret.begin();
    const sent = { url, enabled_events: events, api_version: VERSION, description: 'Bookstall' };
    // No Idempotency-Key: the answer to a former run may be of an endpoint that goes now.
    const made = await api.send('POST', '/v1/webhook_endpoints', sent, 'Made the webhook');
    const given = textAt(made, 'secret') ?? '(new secret)';
    await secret.keep(given);
    for (const endpoint of own)
      await api.send(
        'DELETE',
        `/v1/webhook_endpoints/${idAt(endpoint, 'id')}`,
        {},
        'Removed the former webhook',
      );
    return own.length === 0
      ? []
      : [
          'The running server knows the former secret alone. Restart it, then run "bookstall orders reconcile"',
        ];
  },
};

function leave(what: string) {
  const byHand = [`${what}, is left as it is: change it at https://dashboard.stripe.com/products`];
  return { id: null, checkoutUrl: null, formerUrl: null, byHand };
}

/** Switches off the link that this one replaced, once item.yaml names this one. */
async function retireFormer(api: SetupApi, link: unknown): Promise<void> {
  const former = textAt(link, 'metadata', REPLACES);
  if (former === null) return;
  const found = objectAt(await api.get(`/v1/payment_links/${former}`));
  if (found?.['active'] === true)
    await api.send('POST', `/v1/payment_links/${former}`, { active: false }, 'Switched off the payment link');
}

/** A link that sells, and sends its buyers back. */
async function mendLink(api: SetupApi, link: unknown, { returnUrl }: Wanted) {
  const changes = {
    ...(objectAt(link)?.['active'] === false ? { active: true } : {}),
    ...(textAt(link, 'after_completion', 'redirect', 'url') === returnUrl ? {} : returnTo(returnUrl)),
  };
  if (Object.keys(changes).length > 0)
    await api.send('POST', `/v1/payment_links/${idAt(link, 'id')}`, changes, 'Changed the payment link');
  return { checkoutUrl: textAt(link, 'url') };
}

const returnTo = (url: string): Sent => ({ after_completion: { type: 'redirect', redirect: { url } } });

/** A product that was made by hand keeps its name. */
async function renameProduct(api: SetupApi, link: unknown, { title }: Wanted): Promise<void> {
  const product = objectAt(link, 'line_items', 'data', 0, 'price', 'product');
  if (textAt(product, 'metadata', MARK) !== null && product?.['name'] !== title)
    await api.send('POST', `/v1/products/${idAt(product, 'id')}`, { name: title }, 'Renamed the product');
}

/** The id of a price of the item's product; both are made if they are missing. */
async function findPrice(api: SetupApi, link: unknown, wanted: Wanted): Promise<string> {
  const { slug, unitAmountCents, currency } = wanted;
  const lines = listAt(link, 'line_items', 'data');
  const product =
    (lines.length === 1 ? idAt(lines[0], 'price', 'product') : null) ?? (await findProduct(api, wanted));
  const taxed = textAt(lines[0], 'price', 'tax_behavior') ?? 'unspecified';
  const prices = await listAll(api, `/v1/prices?product=${product}&active=true&type=one_time&limit=100`);
  const found = prices.find((price) => {
    const { unit_amount: amount, currency: code, tax_behavior: tax = 'unspecified' } = objectAt(price) ?? {};
    return amount === unitAmountCents && code === currency && tax === taxed;
  });
  if (found !== undefined) return idAt(found, 'id') ?? '';
  const tax = taxed === 'unspecified' ? {} : { tax_behavior: taxed };
  const sent = { product, currency, unit_amount: unitAmountCents, ...tax, metadata: { [MARK]: slug } };
  return idAt(await make(api, '/v1/prices', sent, 'Made the price'), 'id') ?? '';
}

/** The id follows from the stall and the slug, so that a second run cannot make a second product. */
async function findProduct(api: SetupApi, { origin, slug, title }: Wanted): Promise<string> {
  const id = `bookstall_${sha256(`${origin} ${slug}`).slice(0, 24)}`;
  const found = objectAt(await api.get(`/v1/products/${id}`));
  if (found === null || found['deleted'] === true) {
    const sent = { id, name: title, metadata: { [MARK]: slug } };
    return idAt(await api.send('POST', '/v1/products', sent, 'Made the product'), 'id') ?? id;
  }
  if (found['active'] === false || found['name'] !== title)
    await api.send('POST', `/v1/products/${id}`, { active: true, name: title }, 'Changed the product');
  return id;
}

/** The link of this price, which an interrupted run may have made, or a new one with the settings of the former. */
async function findLink(api: SetupApi, former: unknown, { slug, ids, returnUrl }: Wanted, price: string) {
  const mark = `${slug} ${price}`;
  const links = await listAll(api, '/v1/payment_links?limit=100');
  const found = links.find(
    (link) => textAt(link, 'metadata', MARK) === mark && !ids.includes(idAt(link, 'id') ?? ''),
  );
  if (found !== undefined) return found;
  const settings = objectAt(former) ?? {};
  const kept = KEPT.flatMap((name) => {
    const enabled = objectAt(settings, name)?.['enabled'];
    const value = enabled === undefined ? settings[name] : { enabled };
    return value === undefined || value === null ? [] : [[name, value] as const];
  });
  const sent = {
    line_items: [{ price, quantity: 1 }],
    ...returnTo(returnUrl),
    ...Object.fromEntries(kept),
    metadata: { [MARK]: mark, ...(former === null ? {} : { [REPLACES]: idAt(former, 'id') }) },
  };
  return make(api, '/v1/payment_links', sent, 'Made the payment link');
}

/** Sent again within a day, for want of an answer, it makes nothing a second time. */
function make(api: SetupApi, path: string, sent: Sent, did: string): Promise<unknown> {
  return api.send('POST', path, sent, did, { 'Idempotency-Key': sha256(path + JSON.stringify(sent)) });
}

const MOST_PAGES = 100;

/** Every object of a list. */
async function listAll(api: SetupApi, path: string): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const last = found.at(-1);
    const answer = await api.get(last === undefined ? path : `${path}&starting_after=${idAt(last, 'id')}`);
    found.push(...listAt(answer, 'data'));
    if (objectAt(answer)?.['has_more'] !== true || found.at(-1) === last) return found;
  }
  throw Refusal.invalid(
    `Cannot set up Stripe: ${path} has more than ${MOST_PAGES} pages; archive what is not sold`,
  );
}
